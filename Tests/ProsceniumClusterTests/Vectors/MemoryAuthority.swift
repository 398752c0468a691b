// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium
  import ProsceniumCluster
  import ProsceniumPrimitives
  import ProsceniumSimulation
  import ProsceniumStoring
  import Synchronization

  /// What decides in a cluster without faults: each node has the slices that its name is given, and
  /// the sessions are in a store in memory.
  final class MemoryAuthority: ClusterAuthority {
    private struct State: Sendable {
      var owners: [String: [Int]] = [:]
      var members: [ClusterMember] = []
      var slices = [ClusterMap.Slice](repeating: .init(), count: MemoryAuthority.slices.count)
      var map: Int64 = 1
    }

    private static let sliceBits = 6
    /// The numbers of all slices.
    static let slices = 0..<1 << sliceBits

    private let store: InMemorySessionStore
    private let clock: ManualClock
    private let state = Guarded(State())
    private let version = Atomic<UInt64>(0)

    /// - Parameters:
    ///   - store: What has the sessions.
    ///   - clock: What the nodes look at it by.
    init(_ store: InMemorySessionStore, clock: ManualClock) {
      (self.store, self.clock) = (store, clock)
    }

    /// Gives slices to a node that will join.
    func give(_ slices: [Int], to name: String) {
      state.withLock { $0.owners[name] = slices }
    }

    func open() async throws(StoreError) -> ClusterFacts {
      ClusterFacts(sliceBits: Self.sliceBits, runningTime: 0)
    }

    func join(_ description: NodeDescription) async throws(StoreError) -> Int32 {
      state.withLock { state in
        let number = Int32(state.members.count + 1)
        let own = state.owners[description.name] ?? []
        state.members.append(
          ClusterMember(
            number: number, name: description.name, address: description.address,
            link: description.link, build: description.build, beat: 0, slices: own.count))
        for slice in own {
          state.slices[slice] = .init(owner: number, epoch: 1, mark: Int64(slice + 1))
        }
        state.map += 1
        return number
      }
    }

    func beat(as node: Int32) async throws(StoreError) -> ClusterBeat? {
      ClusterBeat(map: state.withLock { $0.map }, fence: 1)
    }

    func waitForNews(atMost time: Duration) async -> Bool {
      try? await clock.sleep(for: min(time, .milliseconds(10)))
      return true
    }

    func members() async throws(StoreError) -> [ClusterMember] { state.withLock { $0.members } }

    func map(for node: Int32) async throws(StoreError) -> ClusterMap? {
      state.withLock { ClusterMap(number: $0.map, fence: 1, slices: $0.slices) }
    }

    func claim(upTo count: Int, as node: Int32) async throws(StoreError) {}

    func bury(
      _ victim: Int32, seen beat: Int64, heirs: [Int32]
    ) async throws(StoreError) -> Bool { false }

    func handOver(
      _ slices: [Int], from node: Int32, to receiver: Int32
    ) async throws(StoreError) -> Bool { false }

    func drain(_ node: Int32) async throws(StoreError) {}

    func calm(_ slices: [Int], as node: Int32) async throws(StoreError) {}

    func leave(_ node: Int32) async throws(StoreError) {
      state.withLock { state in
        state.members.removeAll { $0.number == node }
        state.map += 1
      }
    }

    // MARK: - Sessions

    func rows(of slices: [Int]) async throws(StoreError) -> [SessionRow] {
      let wanted = Set(slices)
      let all = Guarded<[SessionRow]>([])
      do {
        _ = try await store.load { rows in all.withLock { $0 += rows } }
      } catch {
        throw StoreError(.failed, "expected rows, found \(error)")
      }
      return all.withLock { rows in
        rows.filter { wanted.contains($0.persistentIdentifier.slice(bits: Self.sliceBits)) }
      }
    }

    /// A version, and the state in the open.
    func seal(
      _ state: RawSpan, of session: SessionIdentifier, epoch: UInt32
    ) throws(StoreError) -> [UInt8] {
      let number = version.add(1, ordering: .relaxed).newValue
      let bytes = unsafe state.withUnsafeBytes { unsafe Array($0) }
      return (0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) } + bytes
    }

    func version(of sealed: [UInt8]) -> UInt64? {
      sealed.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    func save(
      _ drafts: [SessionDraft], as node: Int32, behind fence: Int32, on lane: Int
    ) async throws(StoreError) -> SaveAnswer {
      var changes: [StoreChange] = []
      for draft in drafts {
        func add(_ kind: StoreChange.Kind) {
          changes.append(StoreChange(session: draft.session, epoch: .max, kind: kind))
        }
        if draft.removes { add(.remove) }
        if let row = draft.row { add(draft.isInsertion ? .insert(row) : .update(row)) }
        if let counter = draft.activation { add(.activate(lastActivated: counter)) }
        if let sealed = draft.saved { add(.save(Array(sealed.dropFirst(8)))) }
      }
      return .saved(refused: store.apply(changes))
    }

    func versions(
      of sessions: [SessionIdentifier], on lane: Int
    ) async throws(StoreError) -> [SessionIdentifier: UInt64] { [:] }

    func savedStates(
      of sessions: [SessionIdentifier], known: [SessionIdentifier: AcknowledgedState]
    ) async -> [SessionIdentifier: Result<[UInt8]?, StoreError>] {
      await store.savedStates(of: sessions)
    }

    func setRunningTime(_ milliseconds: Int64, as node: Int32) async throws(StoreError) {}

    func close() async {}
  }
#endif
