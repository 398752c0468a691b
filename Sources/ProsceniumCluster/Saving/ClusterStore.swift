// SPDX-License-Identifier: Apache-2.0

#if Cluster
  package import Proscenium
  import ProsceniumPrimitives
  import ProsceniumStoring

  /// The store of a node's application: it writes what the node owns, and nothing else.
  ///
  /// It believes what it was told of the owners until a save is refused; then it asks again,
  /// refuses the changes of sessions that are another node's, and offers the rest.
  package final class ClusterStore: SessionStore {
    private struct State: Sendable {
      var standing: SliceStanding?
      /// Counts how often the node has lost and got each slice.
      var tenures: [UInt32]
      /// The epochs of the slices whose sessions are those of the tenure that there is.
      var epochs: [UInt32?]
      var recency = Recency()
      var commits = [RecentCommits](repeating: RecentCommits(), count: ClusterStore.lanes)
      /// The connections that are new: what the database has is to be compared first.
      var unread: Set<Int> = []
      var runningTime: Int64 = 0

      mutating func endTenure(of slice: Int) {
        tenures[slice] &+= 1
        epochs[slice] = nil
      }
    }

    /// How many connections write.
    package static let lanes = 2
    /// How often one save is offered again with a fence that has just been read.
    private static let attempts = 16
    /// On how many new connections one save is tried.
    private static let connections = 2

    private let authority: any ClusterAuthority
    private let sliceBits: Int
    private let elapsed: @Sendable () -> Duration
    private let tell: @Sendable (RecentCommits.Losses) -> Void
    private let state: Guarded<State>

    /// - Parameters:
    ///   - authority: What keeps the sessions.
    ///   - facts: What all nodes share.
    ///   - elapsed: The node's clock.
    ///   - tell: Is told what the database has lost.
    package init(
      _ authority: any ClusterAuthority, _ facts: ClusterFacts,
      elapsed: @escaping @Sendable () -> Duration,
      tell: @escaping @Sendable (RecentCommits.Losses) -> Void
    ) {
      self.authority = authority
      sliceBits = facts.sliceBits
      self.elapsed = elapsed
      self.tell = tell
      state = Guarded(
        State(
          tenures: [UInt32](repeating: 0, count: 1 << facts.sliceBits),
          epochs: [UInt32?](repeating: nil, count: 1 << facts.sliceBits),
          runningTime: facts.runningTime))
    }

    package func slice(of session: SessionIdentifier) -> Int {
      session.slice(bits: sliceBits)
    }

    // MARK: - What the node owns

    /// Believes what the database says of the owners.
    ///
    /// Of a slice that the node has lost or got nothing is written before ``begin(_:)``.
    ///
    /// - Parameter standing: What the node owns; nothing if it is dead.
    /// - Returns: The number of the tenure of each slice.
    @discardableResult
    package func take(_ standing: SliceStanding?) -> [UInt32] {
      state.withLock { state in
        for slice in state.tenures.indices
        where state.standing?.epochs[slice] != standing?.epochs[slice]
          || state.standing?.marks[slice] != standing?.marks[slice]
        {
          state.endTenure(of: slice)
        }
        state.standing = standing
        return state.tenures
      }
    }

    /// Lets the sessions of slices be written: whatever comes of them from here on was made in
    /// these tenures.
    ///
    /// - Parameter tenures: The number of the tenure of each slice. If the node has another one by
    ///   now, nothing is written still.
    package func begin(_ tenures: [Int: UInt32]) {
      state.withLock { state in
        for (slice, number) in tenures where state.tenures[slice] == number {
          state.epochs[slice] = state.standing?.epochs[slice]
        }
      }
    }

    /// Ends the tenures of slices whose sessions have gone: what the database loses of them is not
    /// written again, also if it gives the slices back as they were.
    package func end(_ slices: Set<Int>) {
      state.withLock { state in
        for slice in slices { state.endTenure(of: slice) }
      }
    }

    /// The number of the tenure of each slice: a slice that was another node's in the meantime has
    /// another one, be it in the same epoch.
    var tenures: [UInt32] { state.withLock { $0.tenures } }

    private var standing: SliceStanding? { state.withLock { $0.standing } }

    /// Asks the database who owns what.
    private func readStanding() async throws(StoreError) {
      guard let node = standing?.node else { return }
      let map = try await authority.map(for: node)
      let read = map.map { SliceStanding($0, of: node) }
      // Another task can have learnt of a later life of this process.
      if standing?.node == node { take(read) }
    }

    private func fenced(_ session: SessionIdentifier) -> StoreError {
      StoreError(
        .fenced, session: session, "another node has taken the session over since.")
    }

    // MARK: - The store

    /// Gives no rows: sessions come with their slices.
    package func load(
      _ receive: @escaping @Sendable ([SessionRow]) throws -> Void
    ) async throws -> StoreLoad {
      StoreLoad(epoch: 0, runningTime: state.withLock { $0.runningTime })
    }

    package func seal(
      _ state: RawSpan, of session: SessionIdentifier, epoch: UInt32
    ) throws(StoreError) -> [UInt8] {
      try authority.seal(state, of: session, epoch: epoch)
    }

    package func savedStates(
      of sessions: [SessionIdentifier]
    ) async -> [SessionIdentifier: Result<[UInt8]?, StoreError>] {
      // A database that has gone back is not believed before its next commit is compared.
      let known = state.withLock { state in
        var known: [SessionIdentifier: AcknowledgedState] = [:]
        for session in sessions {
          known[session] = state.commits[Self.lane(of: session)].savedState(
            of: session, tenure: state.tenures[slice(of: session)])
        }
        return known
      }
      return await authority.savedStates(of: sessions, known: known)
    }

    /// Does nothing: what an application restores is known for each slice.
    package func setRestoring(_ isRestoring: Bool) async throws(StoreError) {}

    package func setRunningTime(_ milliseconds: Int64, epoch: UInt32) async throws(StoreError) {
      guard let node = standing?.node else { return }
      try await authority.setRunningTime(milliseconds, as: node)
    }

    /// Applies changes, all or none of each session.
    ///
    /// - Parameter changes: In order.
    /// - Returns: The sessions of which nothing was written, and why: `fenced` if they are another
    ///   node's, or a change is from an earlier tenure of its slice.
    /// - Throws: What the database refuses, or that it cannot be reached.
    package func commit(
      _ changes: [StoreChange]
    ) async throws(StoreError) -> [SessionIdentifier: StoreError] {
      let (standing, epochs) = state.withLock { ($0.standing, $0.epochs) }
      if standing == nil {
        return Dictionary(
          changes.map { ($0.session, fenced($0.session)) }, uniquingKeysWith: { first, _ in first })
      }
      var refusals: [SessionIdentifier: StoreError] = [:]
      var drafts = SessionDraft.fold(changes, &refusals) { change in
        change.epoch == epochs[slice(of: change.session)] ? nil : fenced(change.session)
      }
      let second = elapsed().components.seconds + 1
      state.withLock { state in
        state.recency.take(from: &drafts)
        if state.recency.time != second { state.recency.add(to: &drafts, epoch: 0) }
      }
      refusals.merge(try await write(drafts)) { first, _ in first }
      state.withLock { $0.recency.time = second }
      return refusals
    }

    /// Writes the activations that wait.
    package func commitRecency() async throws(StoreError) {
      var drafts: [SessionDraft] = []
      state.withLock { $0.recency.add(to: &drafts, epoch: 0) }
      _ = try await write(drafts)
    }

    private func write(
      _ drafts: [SessionDraft]
    ) async throws(StoreError) -> [SessionIdentifier: StoreError] {
      if drafts.isEmpty { return [:] }
      let lanes = (0..<Self.lanes).map { lane in drafts.filter { Self.lane(of: $0.session) == lane }
      }
      async let second = save(lanes[1], on: 1)
      let first = await save(lanes[0], on: 0)
      return try first.get().merging(await second.get()) { first, _ in first }
    }

    private static func lane(of session: SessionIdentifier) -> Int { Int(session.spread >> 63) }

    private func save(
      _ drafts: [SessionDraft], on lane: Int
    ) async -> Result<[SessionIdentifier: StoreError], StoreError> {
      do throws(StoreError) {
        return .success(try await saveOwn(drafts, on: lane))
      } catch {
        return .failure(error)
      }
    }

    /// Saves what is still the node's, asking who owns what whenever a save says that it changed.
    private func saveOwn(
      _ drafts: [SessionDraft], on lane: Int
    ) async throws(StoreError) -> [SessionIdentifier: StoreError] {
      var refusals: [SessionIdentifier: StoreError] = [:]
      var left = drafts
      var (attempts, connections) = (Self.attempts, Self.connections)
      while !left.isEmpty {
        if state.withLock({ $0.unread.contains(lane) }) {
          try await readStanding()
          try await recall(on: lane)
          state.withLock { _ = $0.unread.remove(lane) }
        }
        let (standing, tenures, epochs) = state.withLock {
          ($0.standing, $0.tenures, $0.epochs)
        }
        left.removeAll { draft in
          // Of activations alone the epoch is unknown, and they are of no account.
          guard let epoch = epochs[slice(of: draft.session)],
            draft.epoch == epoch || draft.isActivationAlone
          else {
            if !draft.isActivationAlone { refusals[draft.session] = fenced(draft.session) }
            return true
          }
          return false
        }
        guard let standing, !left.isEmpty else { break }
        switch try await authority.save(
          left, as: standing.node, behind: standing.fence, on: lane)
        {
        case .saved(let refused):
          note(left.filter { refused[$0.session] == nil }, tenures, on: lane)
          refusals.merge(refused) { first, _ in first }
          left = []
        case .fenceMoved: try await readStanding()
        case .newConnection:
          connections -= 1
          guard connections >= 0 else {
            throw StoreError(.failed, "the connection to the database broke again and again.")
          }
          state.withLock { _ = $0.unread.insert(lane) }
        }
        attempts -= 1
        if attempts == 0, !left.isEmpty {
          throw StoreError(.failed, "the fence of node \(standing.node) moved again and again.")
        }
      }
      state.withLock { state in
        for draft in drafts { state.recency.forget(draft.session) }
      }
      return refusals
    }

    private func note(_ drafts: [SessionDraft], _ tenures: [UInt32], on lane: Int) {
      let time = elapsed()
      state.withLock { state in
        state.commits[lane].note(drafts, time, version: authority.version) {
          tenures[slice(of: $0)]
        }
      }
    }

    // MARK: - What the database has lost

    /// Compares what the database has with what it acknowledged in the last minute, and writes
    /// again what it has lost.
    private func recall(on lane: Int) async throws(StoreError) {
      let sessions = state.withLock { $0.commits[lane].sessions }
      guard !sessions.isEmpty, let standing else { return }
      let found = try await authority.versions(of: sessions, on: lane)
      let time = elapsed()
      let losses = state.withLock { state in
        let tenures = state.tenures
        return state.commits[lane].compare(with: found, time) { draft, tenure in
          let slice = slice(of: draft.session)
          return standing.change(
            of: slice, since: draft.epoch, isContinued: tenure == tenures[slice])
        }
      }
      if losses.isEmpty { return }
      tell(losses)
      try await writeAgain(losses.again, on: lane)
      // Of a session without a row nothing can be saved: its slice is to be read again. What is
      // made until then is not of the tenure that begins there: it would be written again behind
      // the rows that are read.
      state.withLock { state in
        for session in losses.lost where found[session] == nil {
          state.endTenure(of: slice(of: session))
        }
      }
    }

    private func writeAgain(_ drafts: [SessionDraft], on lane: Int) async throws(StoreError) {
      for _ in 0..<Self.attempts {
        let (standing, epochs) = state.withLock { ($0.standing, $0.epochs) }
        guard let standing else { return }
        let own = drafts.filter { epochs[slice(of: $0.session)] == $0.epoch }
        if own.isEmpty { return }
        switch try await authority.save(
          own, as: standing.node, behind: standing.fence, on: lane)
        {
        case .saved: return
        case .fenceMoved: try await readStanding()
        case .newConnection:
          throw StoreError(.failed, "the connection to the database broke again and again.")
        }
      }
    }
  }
#endif
