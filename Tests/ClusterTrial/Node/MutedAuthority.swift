// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import Proscenium
  import ProsceniumCluster
  import ProsceniumPostgres
  import ProsceniumPrimitives
  import ProsceniumStoring

  /// The database as a node sees it whose signs of life can be held back while it goes on: it
  /// believes that they were answered.
  final class MutedAuthority: ClusterAuthority {
    private struct State: Sendable {
      var isMuted = false
      var last: ClusterBeat?
    }

    private let authority: PostgresAuthority
    private let state = Guarded(State())

    init(_ authority: PostgresAuthority) {
      self.authority = authority
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
      return try await authority.members()
    }

    func open() async throws(StoreError) -> ClusterFacts { try await authority.open() }

    func join(_ description: NodeDescription) async throws(StoreError) -> Int32 {
      try await authority.join(description)
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
