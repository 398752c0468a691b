// SPDX-License-Identifier: Apache-2.0

/// What a session holds beside identifier and configuration.
///
/// Most sessions of a large program hold none of it, or a captured state alone, so that the whole
/// is one reference; changing a field of what few hold makes a new box. A box never changes, and is
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
    /// Nothing or one element: one word for the many sessions that are never woken.
    var waking: [Waking] = []

    var hasState: Bool {
      !savedActivity.isNone || userInfo != nil || !snapshots.isEmpty
        || waking.first.map { $0.list != WakeList() } ?? false
    }

    /// Whether everything but the saved activity has its default value.
    ///
    /// In the order in which something else is likely to be there.
    var isDefaultBesideActivity: Bool {
      userInfo == nil && title == nil && snapshots.isEmpty && waking.isEmpty && !isLocked
        && group == nil && subtitle == nil && destructionConditions == 0
        && activationConditions == SceneActivationConditions()
    }
  }

  /// The wakes, and when the next one is due; this is known also while they are in the store only.
  private struct Waking: Sendable, Equatable {
    var list = WakeList()
    var next: Int64?
  }

  private final class Box: Sendable {
    let fields: Fields

    init(_ fields: Fields) {
      self.fields = fields
    }
  }

  private enum Content: Sendable {
    /// Everything has its default value.
    case nothing
    /// The encoding of the whole saved state, and default values.
    case encoded([UInt8])
    case box(Box)
  }

  private var content = Content.nothing

  /// All fields, or nil if everything has its default value.
  private var fields: Fields? {
    get {
      switch content {
      case .nothing: return nil
      case .encoded(let bytes):
        var fields = Fields()
        fields.savedActivity = .encoded(bytes)
        return fields
      case .box(let box): return box.fields
      }
    }
    set {
      guard let newValue else { return content = .nothing }
      guard newValue.isDefaultBesideActivity else { return content = .box(Box(newValue)) }
      switch newValue.savedActivity {
      case .none: content = .nothing
      case .encoded(let bytes): content = .encoded(bytes)
      case .value: content = .box(Box(newValue))
      }
    }
  }

  private var box: Box? {
    if case .box(let box) = content { box } else { nil }
  }

  /// The details of a session in which everything has its default value.
  static let none = SessionDetails()

  private subscript<Value: Equatable>(_ path: WritableKeyPath<Fields, Value>) -> Value {
    @inline(__always) get { (fields ?? Fields())[keyPath: path] }
    @inline(__always) set {
      var changed = fields ?? Fields()
      guard changed[keyPath: path] != newValue else { return }
      changed[keyPath: path] = newValue
      fields = changed
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
    get {
      switch content {
      case .nothing: nil
      case .encoded(let bytes): SavedActivity.encoded(bytes).value
      case .box(let box): box.fields.savedActivity.value
      }
    }
    set { self[\.savedActivity] = newValue.map { .value($0) } ?? .none }
  }

  /// The encoding of the whole saved state, if it was captured and nothing of it was set since.
  ///
  /// Most captured states are never looked at: as bytes they are one object, which is compared with
  /// the next one and given back in one step.
  var encodedState: [UInt8]? {
    get {
      if case .encoded(let bytes) = content { bytes } else { box?.fields.savedActivity.encoded }
    }
    set {
      guard var changed = box?.fields else {
        return content = newValue.map { .encoded($0) } ?? .nothing
      }
      changed.savedActivity = newValue.map { .encoded($0) } ?? .none
      changed.isLocked = false
      fields = changed
    }
  }

  /// Whether the saved activity is withheld until protected data is available (R-SR-6).
  var isLocked: Bool {
    get { box?.fields.isLocked ?? false }
    set { self[\.isLocked] = newValue }
  }

  var userInfo: [String: PropertyListValue]? {
    get { box?.fields.userInfo }
    set { setPart(\.userInfo, newValue) }
  }

  /// The conditions; `nil` if everything has its default value.
  var ownConditions: SceneActivationConditions? { box?.fields.activationConditions }

  var activationConditions: SceneActivationConditions {
    get { ownConditions ?? SceneActivationConditions() }
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
    set { setPart(\.snapshots, newValue) }
  }

  /// The wakes; none while the saved state is not in memory.
  var wakeList: WakeList {
    get { box?.fields.waking.first?.list ?? WakeList() }
    set { setPart(\.waking, Self.waking(Waking(list: newValue, next: newValue.next))) }
  }

  /// When the next wake is due, in milliseconds since 1970.
  var nextWake: Int64? {
    get { box?.fields.waking.first?.next }
    set { self[\.waking] = Self.waking(Waking(list: wakeList, next: newValue)) }
  }

  private static func waking(_ waking: Waking) -> [Waking] {
    waking == Waking() ? [] : [waking]
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
      SavedState(
        activity: savedActivity, userInfo: userInfo, snapshots: snapshots, wakeList: wakeList)
    }
    set {
      var changed = box?.fields ?? Fields()
      changed.savedActivity = newValue.activity.map { .value($0) } ?? .none
      changed.userInfo = newValue.userInfo
      changed.snapshots = newValue.snapshots
      let list = newValue.wakeList
      changed.waking = Self.waking(Waking(list: list, next: list.next))
      fields = changed
    }
  }

  /// Adds what the store has: all of it, unless something was set while it was withheld.
  mutating func takeStored(_ stored: SavedState) {
    state = hasState ? state.over(stored) : stored
  }

  /// Sets a part of the saved state: its encoding is that of another one as soon as it is set.
  @inline(__always)
  private mutating func setPart<Value: Equatable>(
    _ path: WritableKeyPath<Fields, Value>, _ value: Value
  ) {
    var changed = fields ?? Fields()
    guard changed[keyPath: path] != value else { return }
    changed[keyPath: path] = value
    changed.savedActivity = changed.savedActivity.decoded
    fields = changed
  }

  /// The same without what is sealed at rest.
  var withoutState: SessionDetails {
    guard case .box(let box) = content else { return .none }
    guard box.fields.hasState || box.fields.isLocked else { return self }
    var open = box.fields
    open.savedActivity = .none
    open.userInfo = nil
    open.snapshots = [:]
    open.isLocked = false
    open.waking = Self.waking(Waking(next: nextWake))
    var details = SessionDetails()
    details.fields = open
    return details
  }

  /// Whether there is anything to be sealed.
  var hasState: Bool {
    switch content {
    case .nothing: false
    case .encoded: true
    case .box(let box): box.fields.hasState
    }
  }

  /// Tells what differs from other details.
  func differences(from other: SessionDetails) -> Parts {
    if isIdentical(to: other) { return [] }
    let mine = fields ?? Fields()
    let others = other.fields ?? Fields()
    var parts = Parts()
    // The activities come last: they may have to be decoded.
    if mine.snapshots != others.snapshots || mine.userInfo != others.userInfo
      || wakeList != other.wakeList || mine.savedActivity != others.savedActivity
    {
      parts.insert(.state)
    }
    if mine.title != others.title || mine.subtitle != others.subtitle
      || mine.activationConditions != others.activationConditions
      || mine.destructionConditions != others.destructionConditions || mine.group != others.group
      || nextWake != other.nextWake
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

  /// Tells whether two details are the same object; false does not mean that they differ.
  func isIdentical(to other: SessionDetails) -> Bool {
    switch (content, other.content) {
    case (.nothing, .nothing): true
    case (.encoded(let bytes), .encoded(let others)): bytes.isIdentical(to: others)
    case (.box(let box), .box(let other)): box === other
    default: false
    }
  }

  /// Tells whether only the captured states can differ; false does not mean that more does.
  func isIdentical(exceptForState other: SessionDetails) -> Bool {
    box == nil && other.box == nil || isIdentical(to: other)
  }
}

extension [UInt8] {
  /// Tells whether two arrays are the same object.
  fileprivate func isIdentical(to other: [UInt8]) -> Bool {
    unsafe withUnsafeBufferPointer { bytes in
      unsafe other.withUnsafeBufferPointer { unsafe bytes.baseAddress == $0.baseAddress }
    }
  }
}
