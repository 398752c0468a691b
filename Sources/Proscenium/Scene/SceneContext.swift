// SPDX-License-Identifier: Apache-2.0

/// The part of the runtime that all scenes of an application use.
struct SceneServices: Sendable {
  let rules: SceneRules
  let writer: SnapshotWriter
  let states: StoredStates
  let events: EventHub
  let deadlines: Deadlines
  let wakes: WakeSchedule
  let tasks: SceneTasks
  /// How much time has passed since the application was made.
  let elapsed: @Sendable () -> Duration
}

/// What the scenes of one shard share.
///
/// A scene knows neither its shard nor admission. It returns what its callbacks changed to the
/// shard that ran it, and signals what happened between two callbacks.
final class SceneContext: Sendable {
  /// The application, for code that knows its type.
  let application: any AnyObject & Sendable
  let services: SceneServices
  let lease: ExecutorLease
  let sealer: SavedStateSealer
  let tally: SceneTally
  /// The number of the shard.
  let shard: Int
  private let shardBits: Int
  /// Queues a signal of the scene in a slot; the shard takes it up after what it does now.
  let signal: @Sendable (SceneSignal, Int32) -> Void
  /// Whether the session of a slot is still to be refreshed.
  let hasPendingRefresh: @Sendable (Int32) -> Bool

  init(
    application: any AnyObject & Sendable, services: SceneServices, lease: ExecutorLease,
    sealer: SavedStateSealer, tally: SceneTally, shard: Int, shardBits: Int,
    signal: @escaping @Sendable (SceneSignal, Int32) -> Void,
    hasPendingRefresh: @escaping @Sendable (Int32) -> Bool
  ) {
    self.application = application
    self.services = services
    self.lease = lease
    self.sealer = sealer
    self.tally = tally
    self.shard = shard
    self.shardBits = shardBits
    self.signal = signal
    self.hasPendingRefresh = hasPendingRefresh
  }

  var rules: SceneRules { services.rules }
  var events: EventHub { services.events }

  /// Checks that a property list can hold what is to be a session's `userInfo` (R-SR-9).
  ///
  /// - Throws: `notPropertyList`.
  func check(
    settings: [String: UserInfoValue]?, of session: SessionIdentifier
  ) throws(SceneError) {
    guard let entry = settings?.first(where: { !$0.value.isPropertyList }) else { return }
    throw SceneError(
      .notPropertyList, session: session,
      "expected values of property lists in userInfo, found a null, a set or a URL under "
        + SavedStateError.shortened(entry.key))
  }

  /// Checks that what a session would hold is within the limits.
  ///
  /// - Throws: `limitExceeded`.
  func check(sizeOf details: SessionDetails, of session: SessionIdentifier) throws(SceneError) {
    try sealer.check(rules.storable(details).state, of: session)
  }

  /// Seals what is kept of details.
  ///
  /// - Throws: `limitExceeded`, or `notDurable`.
  func sealed(_ details: SessionDetails, of session: SessionIdentifier) throws(SceneError)
    -> [UInt8]
  {
    try sealer.seal(rules.storable(details).state, of: session)
  }

  /// The name of a slot's session in the schedules.
  func handle(_ slot: Int32) -> SessionHandle {
    SessionHandle(slot: Int(slot), shard: shard, shardBits: shardBits)
  }
}

/// What a scene tells its shard between two callbacks.
enum SceneSignal: Sendable {
  /// Something was set from outside a callback: the scene is to be visited, so that it is made
  /// known.
  case changed
  /// The extended restoration is complete: what waits for it goes on.
  case restored
  /// The saved state that the scene goes without is needed.
  case needsState
  /// The scene's own work has a result.
  case resumed(ResumedScene)
}

/// What the settings and the manifest say about scenes.
struct SceneRules: Sendable {
  /// Whether a refresh goes through UIKit's snapshot pass (R-RF-4).
  let dances: Bool
  /// The names of the switcher's snapshots; nil means one without a name.
  let snapshotVariants: [String]?
  let restorationLimit: Duration
  let durability: Durability
  let durabilityOfRoles: [SceneSession.Role: Durability]
  /// The activity types that are kept; nil means all.
  let declaredTypes: Set<String>?
  let hasApplicationDelegate: Bool
  /// How many clients a session remembers the input of.
  let rememberedClients: Int
  /// Wraps each delegate, if the settings ask for it.
  let makeFront: (@Sendable (any SceneDelegate) -> any SceneDelegate)?

  /// Whether activities of a type are kept (R-SR-5).
  func isDeclared(_ activityType: String) -> Bool {
    declaredTypes?.contains(activityType) ?? true
  }

  /// When the states of scenes of a role are captured.
  func promise(_ role: SceneSession.Role) -> Durability {
    durabilityOfRoles.isEmpty ? durability : durabilityOfRoles[role] ?? durability
  }

  /// What the store is given of a session's details.
  @inline(__always)
  func storable(_ details: SessionDetails) -> SessionDetails {
    declaredTypes == nil ? details : withoutUndeclared(details)
  }

  private func withoutUndeclared(_ details: SessionDetails) -> SessionDetails {
    guard let type = details.savedActivityType, !isDeclared(type) else { return details }
    var storable = details
    storable.savedActivity = nil
    return storable
  }
}
