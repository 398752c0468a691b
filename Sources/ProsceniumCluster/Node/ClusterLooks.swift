// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Logging
  import Proscenium
  import ProsceniumPrimitives

  /// Looks at the nodes of the cluster and at who owns what: buries the dead, and takes the node's
  /// share of what no node owns.
  struct ClusterLooks: Sendable {
    let node: NodeParts
    let life: NodeLife
    let signs: SignsOfLife
    let service: SliceService
    let giving: SliceGiving
    /// Whether the process holds the machine's lock file, so that the one before has ended.
    let holdsLock: Bool

    /// How long slices must be served without a death until earlier ones are forgotten.
    private static let calmTime = Duration.seconds(600)

    /// Looks whenever the bell rings, until the node ends.
    ///
    /// - Returns: Whether the node was buried.
    func run(as number: Int32) async -> Bool {
      while await life.bell.wait() {
        if life.isEnding { return false }
        do throws(StoreError) {
          guard try await look(as: number) else { return true }
        } catch {
          life.loseContact()
        }
        node.noteProgress()
      }
      return false
    }

    /// Looks at the nodes and at what has changed.
    ///
    /// - Returns: Whether this one lives.
    private func look(as number: Int32) async throws(StoreError) -> Bool {
      let asked = node.elapsed()
      let members = try await node.authority.members()
      let time = node.elapsed() - asked
      guard members.contains(where: { $0.number == number }) else { return false }
      node.duties.ledger.withLock { ledger in
        ledger.members = Dictionary(uniqueKeysWithValues: members.map { ($0.number, $0) })
      }
      node.links?.take(members)
      let others = members.filter { $0.number != number }
      let (dead, alive) = life.look(
        at: Dictionary(uniqueKeysWithValues: others.map { ($0.number, $0.beat) }), asked: asked,
        answeredAfter: time)
      let hasBuried = try await bury(
        others.filter { dead.contains($0.number) || isBefore($0) },
        heirs: node.settings.takesSlices ? alive.union([number]) : alive)
      if hasBuried || isMapOld { guard try await readMap(as: number) else { return false } }
      let numbers = Set(members.map(\.number))
      if try await claim(as: number, numbers, asked) {
        guard try await readMap(as: number) else { return false }
      }
      balance(numbers, asked)
      let isDrained = node.duties.ledger.withLock { $0.isDrained } && node.settings.takesSlices
      if life.note(isDrained: isDrained) {
        node.log.notice("the node has given all its slices away, and ends")
        node.endApplication()
      }
      let calm = node.duties.ledger.withLock { $0.calm(since: Self.calmTime, asked) }
      if !calm.isEmpty { try await node.authority.calm(calm, as: number) }
      // What could not be adopted before is tried again.
      node.duties.bell.ring()
      return true
    }

    /// Whether a node is this machine's own from before.
    private func isBefore(_ other: ClusterMember) -> Bool {
      holdsLock && other.name == node.settings.validName
    }

    /// Buries nodes; their slices go to those that were seen to live.
    private func bury(
      _ dead: [ClusterMember], heirs: Set<Int32>
    ) async throws(StoreError) -> Bool {
      var hasBuried = false
      for other in dead {
        let begin = node.elapsed()
        guard
          try await node.authority.bury(
            other.number, seen: other.beat, heirs: heirs.sorted())
        else { continue }
        hasBuried = true
        service.begin(at: begin)
        let time = node.elapsed() - begin
        node.metrics.noteBurial(time)
        node.log.warning(
          "a node was buried",
          metadata: [
            "node": "\(other.number)", "name": "\(other.name)", "slices": "\(other.slices)",
            "time": "\(time)",
          ])
      }
      return hasBuried
    }

    /// Whether the database has another map, the store has read one since, or this one is too old
    /// to be believed.
    private var isMapOld: Bool {
      guard node.duties.permit.isValid else { return true }
      let (known, tenures) = node.duties.ledger.withLock { ($0.map, $0.tenures) }
      // The database can have gone back to the map that is known, after the store has refused what
      // another one gave away.
      if tenures != node.store.tenures { return true }
      return life.beat.map { $0.answer.map != known } ?? false
    }

    /// Believes the database; returns whether this node lives.
    private func readMap(as number: Int32) async throws(StoreError) -> Bool {
      let gifts = node.duties.ledger.withLock { $0.gifts }
      guard let map = try await node.authority.map(for: number) else { return false }
      let tenures = node.store.take(SliceStanding(map, of: number))
      let dropped = node.duties.ledger.withLock {
        $0.take(map, as: number, tenures: tenures, gifts: gifts)
      }
      guard let dropped else {
        // Something was given away since it was asked for: the next look reads it again.
        life.bell.ring()
        return true
      }
      service.drop(dropped)
      node.links?.take(owners: map.slices.map(\.owner))
      // Not before: what is taken up would find the sessions that are to go.
      node.duties.ledger.withLock { $0.takeUp() }
      signs.extendPermit()
      node.duties.bell.ring()
      return true
    }

    /// Lets slices go to a node that has too few, once the nodes have been the same for a time; at
    /// once if this one drains.
    private func balance(_ members: Set<Int32>, _ now: Duration) {
      let settled = life.settledTime(of: members, now)
      let (isDraining, move) = node.duties.ledger.withLock { ($0.isDraining, $0.nextMove) }
      let isDue = isDraining || node.settings.balancePause.map { settled >= $0 } ?? false
      if isDue, let move { giving.order(move) }
    }

    /// Takes its share of what no node owns; returns whether there was something to take.
    private func claim(
      as number: Int32, _ members: Set<Int32>, _ now: Duration
    ) async throws(StoreError) -> Bool {
      guard node.settings.takesSlices else { return false }
      let settled = life.settledTime(of: members, now)
      let count = node.duties.ledger.withLock {
        $0.claim(isSettled: settled >= node.settings.settleTime)
      }
      guard count > 0 else { return false }
      try await node.authority.claim(upTo: count, as: number)
      return true
    }
  }
#endif
