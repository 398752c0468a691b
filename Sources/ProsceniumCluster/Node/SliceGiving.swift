// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Logging
  import Proscenium
  import ProsceniumPrimitives

  /// Gives slices to other nodes while this one goes on: their scenes go to the background, are
  /// captured and disconnected, everything is committed, and then the owner changes.
  final class SliceGiving: Sendable {
    private let node: NodeParts
    private let life: NodeLife
    private let next = Guarded<SliceBalance.Move?>(nil)
    private let bell = NodeBell()

    init(_ node: NodeParts, _ life: NodeLife) {
      self.node = node
      self.life = life
    }

    /// How long it is waited at most until the receiver serves what it was given, before it is
    /// given more.
    private static let patience = Duration.seconds(2)
    /// How long it is waited without links, by which the receiver would say so.
    private static let pause = Duration.milliseconds(250)

    /// Lets slices be given away, after those that are on their way.
    func order(_ move: SliceBalance.Move) {
      next.withLock { $0 = move }
      bell.ring()
    }

    /// Lets the task end that gives slices.
    func wake() { bell.ring() }

    /// Gives what is ordered, until it is cancelled.
    func run(as number: Int32) async {
      // What was ordered under an earlier number is of no account.
      next.withLock { $0 = nil }
      while await bell.wait() {
        let move = next.withLock { next in
          defer { next = nil }
          return next
        }
        guard let move else { continue }
        await give(move, as: number)
      }
    }

    private func give(_ move: SliceBalance.Move, as number: Int32) async {
      let leaving = node.duties.ledger.withLock { $0.release(upTo: move.count) }
      if leaving.isEmpty { return }
      let begin = node.elapsed()
      node.links?.given.expect(leaving, by: move.receiver)
      let sessions = await giveAway(leaving, to: move.receiver, as: number)
      // Whatever comes of it, the next map tells whose the slices are.
      node.store.end(leaving)
      node.duties.ledger.withLock { $0.finishLeaving(leaving) }
      life.bell.ring()
      guard let sessions else { return }
      let isServed = await waitUntilServed()
      let time = node.elapsed() - begin
      if isServed { node.metrics.noteGift(time) }
      node.log.info(
        "slices were given to another node",
        metadata: [
          "node": "\(move.receiver)", "slices": "\(leaving.count)", "sessions": "\(sessions)",
          "time": "\(time)", "served": "\(isServed)",
        ])
    }

    /// Lets the receiver take up what it was given, before it is given more.
    private func waitUntilServed() async -> Bool {
      if let links = node.links { return await links.given.wait(within: Self.patience, node.clock) }
      // It reads the rows of some thousand sessions in that time.
      try? await node.clock.sleep(for: Self.pause)
      return false
    }

    /// Gives slices away; returns how many sessions they had, or `nil` if they were not given.
    private func giveAway(
      _ leaving: Set<Int>, to receiver: Int32, as number: Int32
    ) async -> Int? {
      do {
        node.links?.content.beginDeparture(of: leaving)
        defer { node.links?.content.endDeparture() }
        let sessions = try await letGo(leaving)
        announce(leaving, sessions.connected, to: receiver)
        let isGiven = try await node.authority.handOver(
          leaving.sorted(), from: number, to: receiver)
        return isGiven ? sessions.count : nil
      } catch {
        node.log.warning("slices could not be given away", metadata: ["error": "\(error)"])
        return nil
      }
    }

    /// Tells the receiver which scenes it is to bring back, before it can own the slices.
    private func announce(
      _ leaving: Set<Int>, _ connected: [HandedOverSessions.Connected], to receiver: Int32
    ) {
      guard let links = node.links, !connected.isEmpty else { return }
      let epochs = node.duties.ledger.withLock { $0.nextEpochs(of: leaving) }
        .sorted { $0.key < $1.key }.map { SliceEpoch(slice: $0.key, epoch: $0.value) }
      // The most recently active ones, as many as the receiver remembers.
      links.send(
        .handingOver(epochs: epochs, Array(connected.suffix(ReturningScenes.limit))), to: receiver)
    }

    /// Lets the sessions of slices go.
    private func letGo(_ leaving: Set<Int>) async throws(SceneError) -> HandedOverSessions {
      do throws(SceneError) {
        return try await node.slices.handOver {
          leaving.contains(node.duties.slice(of: $0))
        }
      } catch {
        // They have gone all the same: what the store refuses for good is as it was before.
        guard error.code == .notDurable else { throw error }
        return HandedOverSessions()
      }
    }
  }
#endif
