// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Logging
  import Proscenium
  import ProsceniumPrimitives

  /// Takes slices up and gives them up, one after the other: what is dropped goes first, so that a
  /// slice that comes back finds nothing of its earlier time.
  final class SliceService: Sendable {
    private struct State: Sendable {
      /// The slices whose sessions are to be dropped.
      var dropped: Set<Int> = []
      /// Is called as soon as nothing of them is served any more.
      var marked: (@Sendable () -> Void)?
      /// Since when slices are to be adopted, and what has come of it.
      var adoption: Adoption?
    }

    /// What was adopted without a pause.
    private struct Adoption: Sendable {
      let begin: Duration
      var slices = 0
      var sessions = 0
      /// How long it took until the first were served.
      var first: Duration?
    }

    private let node: NodeParts
    private let state = Guarded(State())

    init(_ node: NodeParts) {
      self.node = node
    }

    /// How many slices are adopted at a time: few at first, so that some are served soon.
    private static let (firstBatch, batch) = (4, 128)

    private var duties: NodeDuties { node.duties }

    /// Notes slices whose sessions are to be dropped.
    ///
    /// - Parameters:
    ///   - slices: The slices.
    ///   - marked: Is called as soon as nothing of them is served any more.
    /// - Returns: Whether nothing waits to be dropped.
    func drop(_ slices: Set<Int>, marked: @escaping @Sendable () -> Void) -> Bool {
      state.withLock { state in
        state.dropped.formUnion(slices)
        state.marked = marked
        return state.dropped.isEmpty
      }
    }

    /// Notes since when slices are to be adopted that there may be.
    func begin(at time: Duration) {
      state.withLock { $0.adoption = $0.adoption ?? Adoption(begin: time) }
    }

    /// Drops and adopts what is to be, until it is cancelled or the node ends.
    func run() async {
      while await duties.bell.wait() {
        await dropSome()
        await adoptAll()
        reportAdoption()
        node.noteProgress()
      }
    }

    /// Tells what was adopted, as soon as nothing waits any more.
    private func reportAdoption() {
      guard duties.ledger.withLock({ $0.counts.waiting }) == 0 else { return }
      let done = state.withLock { state in
        defer { state.adoption = nil }
        return state.adoption
      }
      guard let done, done.slices > 0 else { return }
      let time = node.elapsed() - done.begin
      node.metrics.noteAdoption(time)
      node.log.notice(
        "slices were taken up",
        metadata: [
          "slices": "\(done.slices)", "sessions": "\(done.sessions)",
          "first_served": "\(done.first ?? time)", "all_served": "\(time)",
        ])
    }

    private func dropSome() async {
      let (dropped, marked) = state.withLock { state in
        defer { state.dropped = [] }
        return (state.dropped, state.marked)
      }
      if dropped.isEmpty { return }
      let gone = try? await node.slices.fence {
        dropped.contains(duties.slice(of: $0))
      } marked: {
        marked?()
      }
      node.log.notice(
        "slices were given up",
        metadata: ["slices": "\(dropped.count)", "sessions": "\(gone?.count ?? 0)"])
    }

    /// Drops everything: the node is dead.
    func dropAll() async {
      _ = duties.ledger.withLock { $0.takeAll() }
      node.store.take(nil)
      state.withLock { $0.dropped = [] }
      // Nothing is left that could be served.
      let end = node.elapsed() + node.settings.validLease
      _ = try? await node.slices.fence { _ in
        true
      } marked: { [permit = duties.permit] in
        permit.extend(until: end)
      }
      duties.permit.end(at: .zero)
    }

    /// Adopts what is to be, reading the rows of the next slices while some are entered.
    private func adoptAll() async {
      var wanted = duties.ledger.withLock { $0.nextWanted(Self.firstBatch) }
      if wanted.isEmpty { return }
      begin(at: node.elapsed())
      var rows = await read(wanted)
      while true {
        let isOver = Task.isCancelled
        let next = isOver ? [:] : duties.ledger.withLock { $0.nextWanted(Self.batch) }
        async let following = read(next)
        let isDone = await adopt(wanted, rows)
        await dropSome()
        rows = await following
        wanted = next
        guard isDone, !wanted.isEmpty else { break }
      }
      // What is left is tried again at the next ring.
      _ = duties.ledger.withLock { $0.finish(wanted, isDone: false, .zero) }
    }

    private func read(_ slices: [Int: UInt32]) async -> [SessionRow]? {
      if slices.isEmpty { return [] }
      do {
        return try await node.authority.rows(of: slices.keys.sorted())
      } catch {
        node.log.warning("slices could not be read", metadata: ["error": "\(error)"])
        return nil
      }
    }

    /// Enters sessions.
    ///
    /// - Returns: Whether they are served.
    private func adopt(_ wanted: [Int: UInt32], _ rows: [SessionRow]?) async -> Bool {
      var isDone = false
      if let rows {
        do {
          try await node.slices.adopt(
            rows, epochs: wanted, bits: duties.sliceBits, isAfterEnd: true)
          isDone = true
        } catch {
          node.log.warning("slices could not be adopted", metadata: ["error": "\(error)"])
        }
      }
      let now = node.elapsed()
      let lost = duties.ledger.withLock { $0.finish(wanted, isDone: isDone, now) }
      state.withLock { state in
        state.dropped.formUnion(lost)
        guard isDone, let begin = state.adoption?.begin else { return }
        state.adoption?.slices += wanted.count
        state.adoption?.sessions += rows?.count ?? 0
        if state.adoption?.first == nil { state.adoption?.first = now - begin }
      }
      return isDone
    }
  }
#endif
