// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Logging
  import Proscenium
  import ProsceniumPrimitives
  import Synchronization

  /// Keeps a node a member of its cluster: it joins, shows that it lives, looks after the others,
  /// and joins again as a new node if it was buried.
  final class NodeMembership: Sendable {
    private struct State: Sendable {
      var isBegun = false
      var isEnding = false
      /// The last answer to a sign of life, and when that was sent.
      var beat: (answer: ClusterBeat, sent: Duration)?
      var watch: NodeWatch
      /// Since when the nodes are the same, and which they are.
      var members: (numbers: Set<Int32>, since: Duration) = ([], .zero)
      var hasContact = true
    }

    /// What one of a member's tasks has come to.
    private enum End: Sendable {
      case buried, ended
    }

    private let node: ClusterNode
    private let holdsLock: Bool
    private let state: Guarded<State>
    private let bell = NodeBell()
    private let exchange: SliceService

    init(_ node: ClusterNode, holdsLock: Bool) {
      self.node = node
      self.holdsLock = holdsLock
      exchange = SliceService(node)
      state = Guarded(State(watch: NodeWatch(lease: node.settings.validLease)))
    }

    private var settings: ClusterSettings { node.settings }
    private var authority: any ClusterAuthority { node.authority }
    private var isEnding: Bool { state.withLock { $0.isEnding } }

    /// How long it is waited before the database is asked again that was not reached.
    private static let pause = Duration.milliseconds(200)
    /// How long slices must be served without a death until earlier ones are forgotten.
    private static let calmTime = Duration.seconds(600)

    /// Lets the node join: its application is launched.
    func begin() {
      state.withLock { $0.isBegun = true }
      bell.ring()
    }

    /// Lets the node leave: its application has ended.
    func end() {
      state.withLock { $0.isEnding = true }
      bell.ring()
      node.duties.bell.finish()
      node.progress.finish()
    }

    /// Is a member, until the node ends.
    func run() async {
      while !state.withLock({ $0.isBegun || $0.isEnding }) { _ = await bell.wait() }
      while !isEnding {
        guard let number = await join() else { continue }
        switch await live(as: number) {
        case .buried:
          node.log.warning("the node was buried", metadata: ["node": "\(number)"])
          await exchange.dropAll()
        case .ended where node.isAbandoned.withLock({ $0 }): break
        case .ended:
          try? await node.store.commitRecency()
          try? await authority.leave(number)
        }
      }
    }

    private func join() async -> Int32? {
      do throws(StoreError) {
        let number = try await authority.join(
          NodeDescription(
            name: String(settings.name.prefix(128)), address: settings.address,
            build: settings.build))
        node.log.info("the node has joined", metadata: ["node": "\(number)"])
        state.withLock { state in
          state.beat = nil
          state.watch.loseContact()
          state.members = ([], node.elapsed())
        }
        return number
      } catch {
        noteContact(false, error)
        try? await node.clock.sleep(for: Self.pause)
        return nil
      }
    }

    private func live(as number: Int32) async -> End {
      await withTaskGroup(of: End.self) { group in
        // Both end with the first that sees the end, or the burial.
        group.addTask { await self.beats(as: number) }
        group.addTask { await self.looks(as: number) }
        // Ends when it is cancelled.
        group.addTask {
          await self.exchange.run()
          return .ended
        }
        var end = End.ended
        for await one in group {
          if one == .buried { end = .buried }
          group.cancelAll()
          bell.ring()
          node.duties.bell.ring()
        }
        return end
      }
    }

    // MARK: - Signs of life

    private func beats(as number: Int32) async -> End {
      while !isEnding, !Task.isCancelled {
        let sent = node.elapsed()
        var interval = settings.beatInterval
        do throws(StoreError) {
          guard let beat = try await authority.beat(as: number) else { return .buried }
          note(beat, sent)
          noteContact(true, nil)
        } catch {
          state.withLock { $0.watch.loseContact() }
          noteContact(false, error)
          interval = min(interval, Self.pause)
        }
        bell.ring()
        var left = interval - (node.elapsed() - sent)
        while left > .zero, !isEnding, !Task.isCancelled {
          if await authority.waitForNews(atMost: left) { bell.ring() }
          left = interval - (node.elapsed() - sent)
        }
      }
      return .ended
    }

    private func note(_ beat: ClusterBeat, _ sent: Duration) {
      state.withLock { $0.beat = (beat, sent) }
      node.metrics.noteBeat(answeredAfter: node.elapsed() - sent)
      // A node that has paused believes the database first, and one that sees an older map as well.
      let known = node.duties.ledger.withLock { $0.map }
      if node.duties.permit.isValid, beat.map >= known { extendPermit() }
    }

    private func extendPermit() {
      guard let sent = state.withLock({ $0.beat?.sent }) else { return }
      node.duties.permit.extend(until: sent + settings.pause)
    }

    private func noteContact(_ hasContact: Bool, _ error: StoreError?) {
      let had = state.withLock { state in
        defer { state.hasContact = hasContact }
        return state.hasContact
      }
      if had, !hasContact {
        node.log.warning(
          "the database does not answer", metadata: ["error": "\(error.map { "\($0)" } ?? "")"])
      } else if !had, hasContact {
        node.log.notice("the database answers again")
      }
    }

    // MARK: - Looks at the others

    private func looks(as number: Int32) async -> End {
      while await bell.wait() {
        if isEnding { return .ended }
        do throws(StoreError) {
          guard try await look(as: number) else { return .buried }
        } catch {
          state.withLock { $0.watch.loseContact() }
        }
        node.metrics.note(node.status)
        node.progress.note(node.duties.ledger.withLock { $0 })
      }
      return .ended
    }

    /// Looks at the nodes and at what has changed.
    ///
    /// - Returns: Whether this one lives.
    private func look(as number: Int32) async throws(StoreError) -> Bool {
      let asked = node.elapsed()
      let members = try await authority.members()
      guard members.contains(where: { $0.number == number }) else { return false }
      let time = node.elapsed() - asked
      state.withLock { if time > $0.watch.patience { $0.watch.loseContact() } }
      node.duties.ledger.withLock { ledger in
        ledger.members = Dictionary(uniqueKeysWithValues: members.map { ($0.number, $0) })
      }
      let hasBuried = try await bury(among: members.filter { $0.number != number }, asked)
      let known = node.duties.ledger.withLock { $0.map }
      let beat = state.withLock { $0.beat?.answer }
      if hasBuried || !node.duties.permit.isValid || beat.map({ $0.map != known }) ?? false {
        guard try await readMap(as: number) else { return false }
      }
      if try await claim(as: number, members, asked) {
        guard try await readMap(as: number) else { return false }
      }
      let calm = node.duties.ledger.withLock { $0.calm(since: Self.calmTime, asked) }
      if !calm.isEmpty { try await authority.calm(calm, as: number) }
      // What could not be adopted before is tried again.
      node.duties.bell.ring()
      return true
    }

    private func bury(among others: [ClusterMember], _ asked: Duration) async throws(StoreError)
      -> Bool
    {
      let beats = Dictionary(uniqueKeysWithValues: others.map { ($0.number, $0.beat) })
      let dead = state.withLock { $0.watch.look(at: beats, asked).dead }
      var hasBuried = false
      for other in others {
        let isPredecessor = holdsLock && other.name == settings.name.prefix(128)
        guard dead.contains(other.number) || isPredecessor else { continue }
        let begin = node.elapsed()
        guard try await authority.bury(other.number, seen: other.beat) else { continue }
        hasBuried = true
        exchange.begin(at: begin)
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

    /// Believes the database.
    private func readMap(as number: Int32) async throws(StoreError) -> Bool {
      guard let map = try await authority.map(for: number) else { return false }
      node.store.take(SliceStanding(map, of: number))
      let dropped = node.duties.ledger.withLock { $0.take(map, as: number) }
      if exchange.drop(dropped, marked: extendPermit) { extendPermit() }
      node.duties.bell.ring()
      return true
    }

    /// Takes its share of what no node owns.
    private func claim(
      as number: Int32, _ members: [ClusterMember], _ now: Duration
    ) async throws(StoreError) -> Bool {
      let (free, own, count) = node.duties.ledger.withLock {
        ($0.freeCount, $0.ownCount, $0.count)
      }
      let numbers = Set(members.map(\.number))
      let settled = state.withLock { state in
        if state.members.numbers != numbers { state.members = (numbers, now) }
        return now - state.members.since
      }
      guard free > 0 else { return false }
      // At a cold start it waits for the others.
      if free == count, settled < settings.settleTime { return false }
      let share = (count + members.count - 1) / members.count - own
      guard share > 0 else { return false }
      try await authority.claim(upTo: min(share, free), as: number)
      return true
    }
  }
#endif
