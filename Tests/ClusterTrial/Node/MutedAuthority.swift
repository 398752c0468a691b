// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import Proscenium
  import ProsceniumCluster
  import ProsceniumPostgres
  import ProsceniumPrimitives
  import ProsceniumStoring

  /// The database as a node sees it whose signs of life can be held back while it goes on: it
  /// believes that they were answered.
  ///
  /// A guest is a node that drains from the moment in which it joins, and does not know: the others
  /// give it no slices, and it does not end.
  final class MutedAuthority: ClusterAuthority {
    private struct State: Sendable {
      var isMuted = false
      var last: ClusterBeat?
      /// The number of a guest.
      var guest: Int32?
    }

    private let authority: PostgresAuthority
    private let isGuest: Bool
    private let state = Guarded(State())

    init(_ authority: PostgresAuthority, isGuest: Bool = false) {
      self.authority = authority
      self.isGuest = isGuest
    }

    func setMuted(_ isMuted: Bool) {
      state.withLock { $0.isMuted = isMuted }
    }

    func beat(as node: Int32) async throws(StoreError) -> ClusterBeat? {
      let (isMuted, last) = state.withLock { ($0.isMuted, $0.last) }
      if isMuted, let last { return last }
      let beat = try await authority.beat(as: node)
      state.withLock { $0.last = beat }
      return beat
    }

    /// One that is muted does not see either that it was buried.
    func members() async throws(StoreError) -> [ClusterMember] {
      if state.withLock({ $0.isMuted }) { throw StoreError(.failed, "the node is muted.") }
      let members = try await authority.members()
      guard let number = state.withLock({ $0.guest }) else { return members }
      return members.map { member in
        var member = member
        if member.number == number { member.isDraining = false }
        return member
      }
    }

    func open() async throws(StoreError) -> ClusterFacts { try await authority.open() }

    func join(_ description: NodeDescription) async throws(StoreError) -> Int32 {
      let number = try await authority.join(description)
      if isGuest {
        try await authority.drain(number)
        state.withLock { $0.guest = number }
      }
      return number
    }

    func waitForNews(atMost time: Duration) async -> Bool {
      await authority.waitForNews(atMost: time)
    }

    func map(for node: Int32) async throws(StoreError) -> ClusterMap? {
      try await authority.map(for: node)
    }

    func claim(upTo count: Int, as node: Int32) async throws(StoreError) {
      try await authority.claim(upTo: count, as: node)
    }

    func bury(
      _ victim: Int32, seen beat: Int64, heirs: [Int32]
    ) async throws(StoreError) -> Bool {
      try await authority.bury(victim, seen: beat, heirs: heirs)
    }

    func handOver(
      _ slices: [Int], from node: Int32, to receiver: Int32
    ) async throws(StoreError) -> Bool {
      try await authority.handOver(slices, from: node, to: receiver)
    }

    func drain(_ node: Int32) async throws(StoreError) { try await authority.drain(node) }

    func calm(_ slices: [Int], as node: Int32) async throws(StoreError) {
      try await authority.calm(slices, as: node)
    }

    func leave(_ node: Int32) async throws(StoreError) { try await authority.leave(node) }

    func rows(of slices: [Int]) async throws(StoreError) -> [SessionRow] {
      try await authority.rows(of: slices)
    }

    func seal(
      _ state: RawSpan, of session: SessionIdentifier, epoch: UInt32
    ) throws(StoreError) -> [UInt8] {
      try authority.seal(state, of: session, epoch: epoch)
    }

    func version(of sealed: [UInt8]) -> UInt64? { authority.version(of: sealed) }

    func save(
      _ drafts: [SessionDraft], as node: Int32, behind fence: Int32, on lane: Int
    ) async throws(StoreError) -> SaveAnswer {
      try await authority.save(drafts, as: node, behind: fence, on: lane)
    }

    func versions(
      of sessions: [SessionIdentifier], on lane: Int
    ) async throws(StoreError) -> [SessionIdentifier: UInt64] {
      try await authority.versions(of: sessions, on: lane)
    }

    func savedStates(
      of sessions: [SessionIdentifier], known: [SessionIdentifier: AcknowledgedState]
    ) async -> [SessionIdentifier: Result<[UInt8]?, StoreError>] {
      await authority.savedStates(of: sessions, known: known)
    }

    func setRunningTime(_ milliseconds: Int64, as node: Int32) async throws(StoreError) {
      try await authority.setRunningTime(milliseconds, as: node)
    }

    func close() async { await authority.close() }
  }
#endif
