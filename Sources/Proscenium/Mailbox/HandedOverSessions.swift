// SPDX-License-Identifier: Apache-2.0

/// Sessions that go to another process, and what their scenes were.
package struct HandedOverSessions: Sendable {
  /// How near a scene was to its user.
  package enum Standing: UInt8, Sendable, CaseIterable {
    case background, inactive, active
  }

  /// A session whose scene was connected.
  package struct Connected: Sendable, Equatable {
    package let session: SessionIdentifier
    package let standing: Standing

    package init(_ session: SessionIdentifier, _ standing: Standing) {
      self.session = session
      self.standing = standing
    }

    /// What brings the scene back to where it was.
    var command: Command {
      switch standing {
      case .background: .connect(session)
      case .inactive: .open(session, hold: true)
      case .active: .open(session, hold: false)
      }
    }
  }

  /// How many there are in all.
  package var count = 0
  /// Those whose scenes were connected, the least recently active one first: so they keep their
  /// order when they are brought back one after the other.
  package var connected: [Connected] = []
  /// What their clients need.
  package var lines: [HandedOverLine] = []
  /// What the store has refused of one of them.
  package var refusal: SceneError?

  package init() {}
}

extension SessionLedger.State {
  /// How near the scene is to its user, if it is connected.
  var standing: HandedOverSessions.Standing? {
    switch self {
    case .background: .background
    case .inactive: .inactive
    case .active: .active
    case .archived, .free, .discarding, .dead: nil
    }
  }
}
