// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

/// How far a walk through an application's sessions is.
package struct SessionWalk: Sendable {
  fileprivate var shard = 0
  fileprivate var slot = 0

  /// Creates a walk that begins with the first session of the first shard.
  package init() {}
}

// For programs that show an application that has many sessions.
extension Application {
  /// Counts the open sessions by the states of their scenes, without looking at them.
  ///
  /// It takes as long as there are shards. While scenes move, the counts are of moments that are
  /// close to one another, not of one.
  package nonisolated var census: SceneCensus {
    var census = SceneCensus()
    var connected = 0
    for mailbox in core.directory.mailboxes {
      census.active += mailbox.tally.active
      census.inactive += mailbox.tally.inactive
      census.background += mailbox.tally.background
      connected += mailbox.tally.connected
    }
    census.disconnected = max(openSessions.count - connected, 0)
    return census
  }

  /// Goes on through the open sessions where a walk is, from the last one to the first.
  ///
  /// - Parameters:
  ///   - walk: Where it is; it goes on there the next time.
  ///   - limit: How many places are looked at, at most once each; some have no open session.
  ///   - visit: Is given a session and the state of its scene, `unattached` if it has none, with no
  ///     lock held; returns whether to go on.
  package nonisolated func visitSessions(
    _ walk: inout SessionWalk, atMost limit: Int,
    _ visit: (SessionIdentifier, Scene.ActivationState) -> Bool
  ) {
    var left = limit
    var shardsLeft = core.directory.mailboxes.count
    while left > 0, shardsLeft > 0 {
      let mailbox = core.directory.mailboxes[walk.shard % core.directory.mailboxes.count]
      let page = mailbox.sightings(from: walk.slot, atMost: min(left, 256))
      guard !page.isEmpty else {
        walk = SessionWalk(shard: (walk.shard + 1) % core.directory.mailboxes.count)
        shardsLeft -= 1
        continue
      }
      walk.slot += page.count
      left -= page.count
      for sighting in page {
        if let sighting, !visit(sighting.session, sighting.state) { return }
      }
    }
  }
}

extension SessionWalk {
  fileprivate init(shard: Int) { self.shard = shard }
}

extension ShardMailbox {
  /// An open session as it was seen.
  fileprivate struct Sighting: Sendable {
    let session: SessionIdentifier
    let state: Scene.ActivationState
  }

  /// What is in some places, from one on; empty behind the last one.
  fileprivate func sightings(from slot: Int, atMost limit: Int) -> [Sighting?] {
    state.withLock { state in
      (slot..<max(slot, min(slot + limit, state.entries.count))).map { slot in
        let entry = state.entries[slot]
        guard entry.flags[.isVisible] else { return nil }
        return Sighting(
          session: entry.identifier, state: entry.scene?.activationState ?? .unattached)
      }
    }
  }
}
