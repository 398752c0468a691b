// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

/// How far a walk through an application's sessions is.
package struct SessionWalk: Sendable {
  private var shard = 0
  private var slot = 0

  /// Creates a walk that begins with the first session of the first shard.
  package init() {}

  /// Goes on through an application's open sessions, from the last one to the first.
  ///
  /// - Parameters:
  ///   - application: Whose sessions they are.
  ///   - limit: How many places are looked at, at most once each; some have no open session.
  ///   - visit: Is given a session and the state of its scene, `unattached` if it has none, with no
  ///     lock held; returns whether to go on.
  package mutating func visit(
    _ application: Application, atMost limit: Int,
    _ visit: (SessionIdentifier, Scene.ActivationState) -> Bool
  ) {
    let mailboxes = application.core.directory.mailboxes
    var left = limit
    var shardsLeft = mailboxes.count
    while left > 0, shardsLeft > 0 {
      let page = mailboxes[shard % mailboxes.count].sightings(from: slot, atMost: min(left, 256))
      guard !page.isEmpty else {
        shard = (shard + 1) % mailboxes.count
        slot = 0
        shardsLeft -= 1
        continue
      }
      slot += page.count
      left -= page.count
      for sighting in page {
        if let sighting, !visit(sighting.session, sighting.state) { return }
      }
    }
  }
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
