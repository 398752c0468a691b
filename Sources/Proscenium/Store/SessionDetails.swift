// SPDX-License-Identifier: Apache-2.0

/// What a session holds besides identifier and configuration.
///
/// Most sessions of a large program hold none of it, or a captured state alone: what few hold is
/// behind a reference. An object behind a reference never changes, and is read from any thread.
struct SessionDetails: Sendable {
  /// What is in the open; `nil` if everything in it has its default value.
  private var open: Open?
  private var activity = SavedActivity.none
  /// The rest of the saved state; `nil` if there is none.
  private var rest: Rest?
  /// Whether the saved activity is withheld until protected data is available (R-SR-6).
  var isLocked = false

  private final class Open: Sendable {
    let fields: Fields

    init(_ fields: Fields) {
      self.fields = fields
    }

    struct Fields: Sendable, Equatable {
      var group: SceneGroup?
      var activationConditions = SceneActivationConditions()
      var title: String?
      var subtitle: String?
      var destructionConditions: Set<SceneDestructionCondition> = []
      var nextWake: Int64?
      var owner: String?
      var lastUsed: Int64?
    }
  }

  private final class Rest: Sendable {
    let fields: Fields

    init(_ fields: Fields) {
      self.fields = fields
    }

    struct Fields: Sendable, Equatable {
      var userInfo: [String: UserInfoValue]?
      var snapshots: [String: [UInt8]] = [:]
      var wakeList = WakeList()
      var clients = ClientMemory()
    }
  }

  /// The details of a session in which everything has its default value.
  static let none = SessionDetails()

  // MARK: - What is in the open

  @inline(__always)
  private mutating func setOpen<Value: Equatable>(
    _ path: WritableKeyPath<Open.Fields, Value>, _ value: Value
  ) {
    var changed = open?.fields ?? Open.Fields()
    guard changed[keyPath: path] != value else { return }
    changed[keyPath: path] = value
    open = changed == Open.Fields() ? nil : Open(changed)
  }

  var group: SceneGroup? {
    get { open?.fields.group }
    set { setOpen(\.group, newValue) }
  }

  /// The conditions; `nil` if everything has its default value.
  var ownConditions: SceneActivationConditions? { open?.fields.activationConditions }

  var activationConditions: SceneActivationConditions {
    get { ownConditions ?? SceneActivationConditions() }
    set { setOpen(\.activationConditions, newValue) }
  }

  var title: String? {
    get { open?.fields.title }
    set { setOpen(\.title, newValue) }
  }

  var subtitle: String? {
    get { open?.fields.subtitle }
    set { setOpen(\.subtitle, newValue) }
  }

  var destructionConditions: Set<SceneDestructionCondition> {
    get { open?.fields.destructionConditions ?? [] }
    set { setOpen(\.destructionConditions, newValue) }
  }

  /// Whether any condition is set that ends the session.
  var hasDestructionConditions: Bool { open?.fields.destructionConditions.isEmpty == false }

  /// Whether a condition is set that ends the session.
  func isDestroyed(by condition: SceneDestructionCondition) -> Bool {
    open?.fields.destructionConditions.contains(condition) ?? false
  }

  /// When the next wake is due, in milliseconds since 1970; known also while the wakes are in the
  /// store only.
  var nextWake: Int64? {
    get { open?.fields.nextWake }
    set { setOpen(\.nextWake, newValue) }
  }

  /// Whose session it is.
  var owner: String? {
    get { open?.fields.owner }
    set { setOpen(\.owner, newValue) }
  }

  /// When the session was last seen in use, in milliseconds of the store's running time.
  var lastUsed: Int64? {
    get { open?.fields.lastUsed }
    set { setOpen(\.lastUsed, newValue) }
  }

  /// The same without what is sealed at rest.
  var withoutState: SessionDetails {
    var details = SessionDetails()
    details.open = open
    return details
  }

  // MARK: - What is sealed at rest

  /// The state to restore the scene from; nil while protected data is not available (R-SR-6).
  var stateRestorationActivity: UserActivity? {
    get { isLocked ? nil : savedActivity }
    set {
      isLocked = false
      savedActivity = newValue?.forSaving
    }
  }

  /// The state to restore the scene from, whether or not it may be read now.
  var savedActivity: UserActivity? {
    get { activity.value }
    set {
      let new = newValue.map { SavedActivity.value($0) } ?? .none
      if activity != new { activity = new }
    }
  }

  /// Whether there is a state to restore the scene from.
  var hasRestorationState: Bool { !isLocked && activity.isThere }

  /// What reads the state to restore the scene from by its fields.
  var restorationState: StateReader? { isLocked ? nil : activity.reader() }

  /// The type of the saved activity, whether or not it may be read now.
  var savedActivityType: String? { activity.activityType }

  /// The encoding of the whole saved state, if it was captured and nothing of it was set since.
  ///
  /// Most captured states are never looked at: as bytes they are one object, which is compared with
  /// the next one and given back in one step.
  var encodedState: [UInt8]? {
    get { activity.encoded }
    set {
      isLocked = false
      activity = newValue.map { .encoded($0) } ?? .none
    }
  }

  /// Decodes the saved activity if it is there as bytes and may be read: several are about to ask.
  mutating func decodeActivity() {
    if !isLocked { activity = activity.decoded }
  }

  /// Sets a part of the saved state: its encoding is that of another one as soon as it is set.
  @inline(__always)
  private mutating func setRest<Value: Equatable>(
    _ path: WritableKeyPath<Rest.Fields, Value>, _ value: Value
  ) {
    var changed = rest?.fields ?? Rest.Fields()
    guard changed[keyPath: path] != value else { return }
    changed[keyPath: path] = value
    rest = changed == Rest.Fields() ? nil : Rest(changed)
    activity = activity.decoded
  }

  var userInfo: [String: UserInfoValue]? {
    get { rest?.fields.userInfo }
    set { setRest(\.userInfo, newValue) }
  }

  /// The switcher's snapshots by variant; the one without a variant has the empty name.
  var snapshots: [String: [UInt8]] {
    get { rest?.fields.snapshots ?? [:] }
    set { setRest(\.snapshots, newValue) }
  }

  /// Sets a snapshot.
  ///
  /// - Parameters:
  ///   - bytes: The snapshot.
  ///   - variant: Its name.
  ///   - activity: The saved activity, if it is at hand: otherwise it is decoded.
  mutating func setSnapshot(_ bytes: [UInt8], of variant: String, beside activity: UserActivity?) {
    guard snapshots[variant] != bytes else { return }
    if let activity, encodedState != nil { self.activity = .value(activity) }
    snapshots[variant] = bytes
  }

  /// The wakes; none while the saved state is not in memory.
  var wakeList: WakeList {
    get { rest?.fields.wakeList ?? WakeList() }
    set {
      setRest(\.wakeList, newValue)
      nextWake = newValue.next
    }
  }

  /// The last input of each client: the saved activity is the one that it has led to.
  var clients: ClientMemory {
    get { rest?.fields.clients ?? ClientMemory() }
    set { setRest(\.clients, newValue) }
  }

  /// Everything that is sealed.
  var state: SavedState {
    get {
      SavedState(
        activity: savedActivity, userInfo: userInfo, snapshots: snapshots, wakeList: wakeList,
        clients: clients)
    }
    set {
      activity = newValue.activity.map { .value($0) } ?? .none
      let fields = Rest.Fields(
        userInfo: newValue.userInfo, snapshots: newValue.snapshots, wakeList: newValue.wakeList,
        clients: newValue.clients)
      rest = fields == Rest.Fields() ? nil : Rest(fields)
      nextWake = newValue.wakeList.next
    }
  }

  /// Adds what the store has: all of it, unless something was set while it was withheld.
  mutating func takeStored(_ stored: RestoredState) {
    if hasState { return state = state.over(stored.state) }
    state = stored.rest
    activity = stored.activity
  }

  /// Whether there is anything to be sealed.
  var hasState: Bool { !activity.isNone || rest != nil }

  // MARK: - Comparing

  /// Tells what differs from other details.
  func differences(from other: SessionDetails) -> Parts {
    var parts = Parts()
    // The activities come last: they may have to be decoded.
    if rest !== other.rest && rest?.fields != other.rest?.fields || activity != other.activity {
      parts.insert(.state)
    }
    if open !== other.open && open?.fields != other.open?.fields { parts.insert(.row) }
    return parts
  }

  /// What a store keeps apart.
  struct Parts: OptionSet {
    let rawValue: UInt8
    /// What is in the open.
    static let row = Parts(rawValue: 1)
    /// What is sealed.
    static let state = Parts(rawValue: 2)
  }

  /// Tells whether two details are the same objects; false does not mean that they differ.
  func isIdentical(to other: SessionDetails) -> Bool {
    isIdentical(exceptForState: other) && rest === other.rest
      && activity.isIdentical(to: other.activity)
  }

  /// Tells whether only the saved states can differ; false does not mean that more does.
  func isIdentical(exceptForState other: SessionDetails) -> Bool {
    open === other.open && isLocked == other.isLocked
  }
}
