// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Logging
  import Proscenium
  import ProsceniumPrimitives

  /// Takes slices up and gives them up: what is given up goes first, so that a slice that comes
  /// back finds nothing of its earlier time.
  final class SliceService: Sendable {
    private struct State: Sendable {
      /// What was given up, and may still be on its way.
      var departures: [SliceExchange.Departures] = []
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

    /// How many slices are adopted at a time: few at first, so that some are served soon; as many
    /// as a node gives at once.
    private static let (firstBatch, batch) = (8, 128)

    private var duties: NodeDuties { node.duties }

    /// Gives slices up: when it returns, nothing of them is served any more.
    func drop(_ slices: Set<Int>) {
      if slices.isEmpty { return }
      node.links?.content.beginDeparture(of: slices)
      defer { node.links?.content.endDeparture() }
      // At the end of the application there is nothing left that could go.
      guard
        let departures = try? node.slices.fence(where: { slices.contains(duties.slice(of: $0)) })
      else { return }
      state.withLock { $0.departures.append(departures) }
      node.log.notice("slices were given up", metadata: ["slices": "\(slices.count)"])
    }

    /// Notes since when slices are to be adopted that there may be.
    func begin(at time: Duration) {
      state.withLock { $0.adoption = $0.adoption ?? Adoption(begin: time) }
    }

    /// Adopts what is to be, behind what goes, until it is cancelled or the node ends.
    func run() async {
      while await duties.bell.wait() {
        await finishDeparted()
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

    /// Waits until what was given up has gone.
    private func finishDeparted() async {
      let departures = state.withLock { state in
        defer { state.departures = [] }
        return state.departures
      }
      for departed in departures { await node.slices.finish(departed) }
    }

    /// Gives everything up: the node is dead.
    func dropAll() {
      let slices = duties.ledger.withLock { ledger in
        ledger.giveUpAll()
        return Set(0..<ledger.count)
      }
      node.store.take(nil)
      drop(slices)
      // Nothing is left that could be served. What goes may wait for the database, for any time.
      duties.permit.extend(until: node.elapsed() + .seconds(1 << 30))
    }

    /// Waits until everything has gone that was given up, and serves nothing from then on.
    func finishAll() async {
      await finishDeparted()
      duties.permit.end(at: .zero)
    }

    /// Adopts what is to be, reading the rows of the next slices while some are entered.
    private func adoptAll() async {
      var wanted = duties.ledger.withLock { $0.nextWanted(Self.firstBatch) }
      if wanted.isEmpty { return }
      begin(at: node.elapsed())
      await finishDeparted()
      var rows = await read(wanted)
      while true {
        let isOver = Task.isCancelled
        let next = isOver ? [:] : duties.ledger.withLock { $0.nextWanted(Self.batch) }
        // Rows are read when the store has everything of the slice's earlier time.
        await finishDeparted()
        async let following = read(next)
        let isDone = await adopt(wanted, rows)
        rows = await following
        wanted = next
        guard isDone, !wanted.isEmpty else { break }
      }
      // What is left is tried again at the next ring.
      _ = duties.ledger.withLock { $0.finish(wanted, isDone: false, .zero) }
    }

    private func read(_ slices: [Int: SliceLedger.Tenure]) async -> [SessionRow]? {
      if slices.isEmpty { return [] }
      do {
        return try await node.authority.rows(of: slices.keys.sorted())
      } catch {
        node.log.warning("slices could not be read", metadata: ["error": "\(error)"])
        return nil
      }
    }

    /// Enters sessions whose owner before has ended, or has given them away.
    private func adopt(
      _ rows: [SessionRow], of wanted: [Int: SliceLedger.Tenure], isAfterEnd: Bool
    ) async throws(SceneError) {
      let part = wanted.filter {
        // What could not be given away has not ended here either.
        ($0.value.isHandedOver || node.kept.has($0.key, $0.value)) != isAfterEnd
      }
      if part.isEmpty { return }
      // Rows are large, and all of them are of one kind as a rule.
      let own =
        part.count == wanted.count
        ? rows : rows.filter { part[duties.slice(of: $0.persistentIdentifier)] != nil }
      try await node.slices.adopt(
        own, epochs: part.mapValues(\.epoch), bits: duties.sliceBits,
        handedOver: returning(of: part),
        isAfterEnd: isAfterEnd)
    }

    /// What is known of the scenes and the clients of slices that are taken up.
    private func returning(of tenures: [Int: SliceLedger.Tenure]) -> HandedOverSessions {
      // Of a node that has ended nothing counts that it was about to give.
      let given = tenures.filter(\.value.isHandedOver)
      var sessions = node.links?.returning.take(given) ?? HandedOverSessions()
      let kept = node.kept.take(tenures)
      sessions.connected += kept.connected
      sessions.lines += kept.lines
      return sessions
    }

    /// Enters sessions.
    ///
    /// - Returns: Whether they are served.
    private func adopt(
      _ wanted: [Int: SliceLedger.Tenure], _ rows: [SessionRow]?
    ) async -> Bool {
      var isDone = false
      if let rows {
        // What was before has gone, and is not written any more.
        node.store.begin(wanted.mapValues(\.number))
        do {
          try await adopt(rows, of: wanted, isAfterEnd: true)
          try await adopt(rows, of: wanted, isAfterEnd: false)
          isDone = true
        } catch {
          node.log.warning("slices could not be adopted", metadata: ["error": "\(error)"])
        }
      }
      let now = node.elapsed()
      if isDone {
        node.links?.content.complete(
          wanted.map { SliceEpoch(slice: $0.key, epoch: $0.value.epoch) })
      }
      defer { node.links?.noteServed(wanted.keys.sorted()) }
      drop(duties.ledger.withLock { $0.finish(wanted, isDone: isDone, now) })
      state.withLock { state in
        guard isDone, let begin = state.adoption?.begin else { return }
        state.adoption?.slices += wanted.count
        state.adoption?.sessions += rows?.count ?? 0
        if state.adoption?.first == nil { state.adoption?.first = now - begin }
      }
      return isDone
    }
  }
#endif
