// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Logging
  import Proscenium
  import ProsceniumPrimitives

  /// Shows that a node lives, and lets it serve for as long as that was answered.
  struct SignsOfLife: Sendable {
    let node: NodeParts
    let life: NodeLife

    /// How long it is waited before the database is asked again that was not reached.
    static let pause = Duration.milliseconds(200)

    /// Raises the node's counter again and again, until the node ends.
    ///
    /// - Returns: Whether the node was buried.
    func run(as number: Int32) async -> Bool {
      while !life.isEnding, !Task.isCancelled {
        let sent = node.elapsed()
        var interval = node.settings.beatInterval
        do throws(StoreError) {
          guard let beat = try await node.authority.beat(as: number) else { return true }
          note(beat, sent)
          noteAnswer(nil)
        } catch {
          life.loseContact()
          noteAnswer(error)
          interval = min(interval, Self.pause)
        }
        life.bell.ring()
        await wait(until: sent + interval)
      }
      return false
    }

    /// Waits until the next sign of life is due, or owners have changed: its answer tells how.
    private func wait(until end: Duration) async {
      var left = end - node.elapsed()
      while left > .zero, !life.isEnding, !Task.isCancelled {
        if await node.authority.waitForNews(atMost: left) { return }
        left = end - node.elapsed()
      }
    }

    private func note(_ beat: ClusterBeat, _ sent: Duration) {
      life.note(beat, sent: sent)
      node.metrics.noteBeat(answeredAfter: node.elapsed() - sent)
      // A node that has paused believes the database first, and one that sees an older map as well.
      let known = node.duties.ledger.withLock { $0.map }
      if node.duties.permit.isValid, beat.map >= known { extendPermit() }
    }

    /// Lets the node serve until some time after its last sign of life that was answered.
    func extendPermit() {
      guard let sent = life.beat?.sent else { return }
      node.duties.permit.extend(until: sent + node.settings.pause)
    }

    /// Notes that the database has answered, or why it has not.
    func noteAnswer(_ error: StoreError?) {
      guard life.note(isAnswered: error == nil) else { return }
      if let error {
        node.log.warning("the database does not answer", metadata: ["error": "\(error)"])
      } else {
        node.log.notice("the database answers again")
      }
    }
  }
#endif
