// SPDX-License-Identifier: Apache-2.0

/// What a scene's callbacks changed, for the shard to make known and to store.
struct SceneChanges: Sendable {
  let details: SessionDetails
  /// What is to be made known, if readers and routing do not know it yet.
  var shown: ShownDetails?
  /// Whether something changed that the store keeps in the open.
  var isRowChanged = false
  /// The saved state, if it changed, sealed.
  var sealed: [UInt8]?
  /// What waits until all of it is durable.
  var effects: [@Sendable () -> Void] = []
  /// Whether the scene was captured since it was marked, and not because it leaves.
  var isPrompt = false

  init(_ details: SessionDetails) {
    self.details = details
  }

  /// Takes what a scene's store is to be told; nil if nothing is.
  static func take(from scene: isolated Scene) -> SceneChanges? {
    let marks = scene.marks
    guard !marks[.isRowTaken] || !marks[.isStateTaken] || scene.hasEffects else { return nil }
    var changes = SceneChanges(scene.details)
    changes.isRowChanged = !marks[.isRowTaken]
    changes.isPrompt = marks[.isPrompt]
    scene.marks[.isRowTaken] = true
    scene.marks[.isPrompt] = false
    if !marks[.isStateTaken] { changes.seal(scene) }
    if scene.marks.isDisjoint(with: [.isDirty, .isRefused]), scene.hasEffects {
      changes.effects = scene.extras?.takeEffects() ?? []
    }
    return changes
  }

  /// Seals the state, unless its capture has done so; one that cannot be sealed stays to be taken.
  private mutating func seal(_ scene: isolated Scene) {
    do throws(SceneError) {
      // What could not be read is not written over.
      try scene.takeWithheldState()
      if let captured = scene.captured {
        sealed = captured.sealed
      } else {
        sealed = try scene.context.sealed(scene.details, of: scene.persistentIdentifier)
      }
      scene.captured = nil
      scene.marks[.isStateTaken] = true
    } catch {
      scene.refuse(error)
    }
  }
}

/// The details of a connected session as readers and routing are to see them.
struct ShownDetails: Sendable {
  let details: SessionDetails
  /// Whether the store has a saved state that is not in the details (R-SR-6).
  let isStateWithheld: Bool
}

/// What a plan has come to: what changed, and what holds it up if it is not done.
struct SceneProgress: Sendable {
  var changes: SceneChanges?
  var hold: SceneHold?
  /// Of a scene that has ended: whether the store has its state, or is about to get it.
  var isKept = true
}

/// What a plan waits for on its way.
enum SceneHold: UInt8, Sendable {
  /// An extended restoration (R-EXT-1).
  case restoration
  /// The application delegate, which is given a notification's response first
  /// (semantics#delivery); the plan goes on as soon as it is free.
  case application
}

/// A state that a callback has captured, until the shard takes it.
final class CapturedState: Sendable {
  let sealed: [UInt8]
  let activity: UserActivity?

  init(_ sealed: [UInt8], of activity: UserActivity?) {
    self.sealed = sealed
    self.activity = activity
  }
}

/// What a scene has said about its memory, for as long as it is connected.
struct ConnectionHints: Sendable, Equatable {
  /// A policy does not disconnect it.
  var keepsConnected = false
  /// A policy does not disconnect it before this time.
  var delayedUntil: Duration?
  /// How many bytes it takes, if it says so.
  var memoryCost: Int?

  /// Whether the scene stays for now.
  func spares(at time: Duration) -> Bool {
    keepsConnected || delayedUntil.map { time < $0 } ?? false
  }
}
