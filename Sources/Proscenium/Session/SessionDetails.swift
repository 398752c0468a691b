// SPDX-License-Identifier: Apache-2.0

/// What a session holds beside identifier and configuration.
///
/// Most sessions of a large program hold none of it, so that the whole is one reference, null while
/// everything has its default value; changing a field makes a new box. A box never changes, and is
/// read from any thread.
struct SessionDetails: Sendable {
  private struct Fields: Sendable, Equatable {
    var group: SceneGroup?
    var savedActivity = SavedActivity.none
    var userInfo: [String: PropertyListValue]?
    var activationConditions = SceneActivationConditions()
    var title: String?
    var subtitle: String?
    var snapshots: [String: [UInt8]] = [:]
    var destructionConditions: UInt8 = 0
    var isLocked = false

    var hasState: Bool { savedActivity != .none || userInfo != nil || !snapshots.isEmpty }
  }

  private final class Box: Sendable {
    let fields: Fields

    init(_ fields: Fields) {
      self.fields = fields
    }
  }

  private var box: Box?

  /// The details of a session in which everything has its default value.
  static let none = SessionDetails()

  private subscript<Value: Equatable>(_ path: WritableKeyPath<Fields, Value>) -> Value {
    get { box.map { $0.fields[keyPath: path] } ?? Fields()[keyPath: path] }
    set {
      var fields = box?.fields ?? Fields()
      guard fields[keyPath: path] != newValue else { return }
      fields[keyPath: path] = newValue
      box = fields == Fields() ? nil : Box(fields)
    }
  }

  var group: SceneGroup? {
    get { box?.fields.group }
    set { self[\.group] = newValue }
  }

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
    get { box?.fields.savedActivity.value }
    set { self[\.savedActivity] = newValue.map { .value($0) } ?? .none }
  }

  /// The encoding of the whole saved state, if it was captured and nothing of it was set since.
  ///
  /// Most captured states are never looked at: as bytes they are one object, which is compared with
  /// the next one and given back in one step.
  var encodedState: [UInt8]? {
    get { box?.fields.savedActivity.encoded }
    set {
      var fields = box?.fields ?? Fields()
      fields.savedActivity = newValue.map { .encoded($0) } ?? .none
      fields.isLocked = false
      box = fields == Fields() ? nil : Box(fields)
    }
  }

  /// Whether the saved activity is withheld until protected data is available (R-SR-6).
  var isLocked: Bool {
    get { box?.fields.isLocked ?? false }
    set { self[\.isLocked] = newValue }
  }

  var userInfo: [String: PropertyListValue]? {
    get { box?.fields.userInfo }
    set {
      decodeActivity()
      self[\.userInfo] = newValue
    }
  }

  var activationConditions: SceneActivationConditions {
    get { box?.fields.activationConditions ?? SceneActivationConditions() }
    set { self[\.activationConditions] = newValue }
  }

  var title: String? {
    get { box?.fields.title }
    set { self[\.title] = newValue }
  }

  var subtitle: String? {
    get { box?.fields.subtitle }
    set { self[\.subtitle] = newValue }
  }

  /// The switcher's snapshots by variant; the one without a variant has the empty name.
  var snapshots: [String: [UInt8]] {
    get { box?.fields.snapshots ?? [:] }
    set {
      decodeActivity()
      self[\.snapshots] = newValue
    }
  }

  var destructionConditions: Set<Scene.DestructionCondition> {
    get {
      let bits = box?.fields.destructionConditions ?? 0
      if bits == 0 { return [] }
      let all: Set<Scene.DestructionCondition> = [.userInitiatedDismissal, .systemDisconnection]
      return all.filter { bits & $0.bit != 0 }
    }
    set { self[\.destructionConditions] = newValue.reduce(0) { $0 | $1.bit } }
  }

  /// Whether a condition is set that ends the session.
  func isDestroyed(by condition: Scene.DestructionCondition) -> Bool {
    (box?.fields.destructionConditions ?? 0) & condition.bit != 0
  }

  // MARK: - The saved state

  /// What is sealed at rest.
  var state: SavedState {
    get {
      guard let fields = box?.fields else { return SavedState() }
      return SavedState(
        activity: fields.savedActivity.value, userInfo: fields.userInfo, snapshots: fields.snapshots
      )
    }
    set {
      var fields = box?.fields ?? Fields()
      fields.savedActivity = newValue.activity.map { .value($0) } ?? .none
      fields.userInfo = newValue.userInfo
      fields.snapshots = newValue.snapshots
      box = fields == Fields() ? nil : Box(fields)
    }
  }

  /// The encoding is that of another state as soon as a part of it is set.
  private mutating func decodeActivity() {
    if encodedState != nil { savedActivity = savedActivity }
  }

  /// The same without what is sealed at rest.
  var withoutState: SessionDetails {
    guard let fields = box?.fields, fields.hasState || fields.isLocked else { return self }
    var open = self
    open.isLocked = false
    open.state = SavedState()
    return open
  }

  /// Whether there is anything to be sealed.
  var hasState: Bool { box?.fields.hasState ?? false }

  /// Tells what differs from other details.
  func differences(from other: SessionDetails) -> Parts {
    if isIdentical(to: other) { return [] }
    let mine = box?.fields ?? Fields()
    let others = other.box?.fields ?? Fields()
    var parts = Parts()
    if mine.savedActivity != others.savedActivity || mine.userInfo != others.userInfo
      || mine.snapshots != others.snapshots
    {
      parts.insert(.state)
    }
    if mine.title != others.title || mine.subtitle != others.subtitle
      || mine.activationConditions != others.activationConditions
      || mine.destructionConditions != others.destructionConditions || mine.group != others.group
    {
      parts.insert(.row)
    }
    return parts
  }

  /// What a store keeps apart.
  struct Parts: OptionSet {
    let rawValue: UInt8
    /// What stands in the open.
    static let row = Parts(rawValue: 1)
    /// What is sealed.
    static let state = Parts(rawValue: 2)
  }

  /// Tells whether two details are the same box; false does not mean that they differ.
  func isIdentical(to other: SessionDetails) -> Bool {
    box === other.box
  }
}
