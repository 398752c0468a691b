// SPDX-License-Identifier: Apache-2.0

/// What a session holds besides identifier and configuration.
///
/// Most sessions of a large program hold none of it, or a captured state alone, so that the whole
/// is one reference; changing a field of what few hold makes a new box. A box never changes, and is
/// read from any thread.
struct SessionDetails: Sendable {
  private struct Fields: Sendable {
    /// `nil` if everything in it has its default value.
    var open: Open?
    var savedActivity = SavedActivity.none
    var userInfo: [String: UserInfoValue]?
    var snapshots: [String: [UInt8]] = [:]
    var isLocked = false
    /// Nothing or one element: one word for the many sessions that are never woken.
    var waking: [Waking] = []

    var hasState: Bool {
      !savedActivity.isNone || userInfo != nil || !snapshots.isEmpty
        || waking.first.map { $0.list != WakeList() } ?? false
    }

    /// Whether nothing is there but the saved activity and what is in the open.
    var isActivityAlone: Bool {
      userInfo == nil && snapshots.isEmpty && waking.isEmpty && !isLocked
    }
  }

  /// What is in the open, without the saved state.
  private struct OpenFields: Sendable, Equatable {
    var group: SceneGroup?
    var activationConditions = SceneActivationConditions()
    var title: String?
    var subtitle: String?
    var destructionConditions: UInt8 = 0
  }

  /// What is in the open, as one reference: states come and go, and it stays.
  private final class Open: Sendable {
    let fields: OpenFields

    init(_ fields: OpenFields) {
      self.fields = fields
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
    /// What is in the open, and default values.
    case open(Open)
    case box(Box)
  }

  private var content = Content.nothing

  /// All fields, or nil if everything has its default value.
  private var fields: Fields? {
    get {
      switch content {
      case .nothing: nil
      case .encoded(let bytes): Fields(savedActivity: .encoded(bytes))
      case .open(let open): Fields(open: open)
      case .box(let box): box.fields
      }
    }
    set {
      guard let newValue else { return content = .nothing }
      guard newValue.isActivityAlone else { return content = .box(Box(newValue)) }
      switch (newValue.savedActivity, newValue.open) {
      case (.none, nil): content = .nothing
      case (.none, let open?): content = .open(open)
      case (.encoded(let bytes), nil): content = .encoded(bytes)
      case (.encoded, _?), (.value, _): content = .box(Box(newValue))
      }
    }
  }

  private var box: Box? {
    if case .box(let box) = content { box } else { nil }
  }

  private var open: Open? {
    switch content {
    case .nothing, .encoded: nil
    case .open(let open): open
    case .box(let box): box.fields.open
    }
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

  /// Sets something that is in the open.
  @inline(__always)
  private mutating func setOpen<Value: Equatable>(
    _ path: WritableKeyPath<OpenFields, Value>, _ value: Value
  ) {
    var changed = open?.fields ?? OpenFields()
    guard changed[keyPath: path] != value else { return }
    changed[keyPath: path] = value
    var all = fields ?? Fields()
    all.open = changed == OpenFields() ? nil : Open(changed)
    fields = all
  }

  var group: SceneGroup? {
    get { open?.fields.group }
    set { setOpen(\.group, newValue) }
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
      case .nothing, .open: nil
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
      var changed = Fields()
      switch content {
      case .nothing, .encoded: return content = newValue.map { .encoded($0) } ?? .nothing
      case .open(let open): changed.open = open
      case .box(let box): changed = box.fields
      }
      changed.savedActivity = newValue.map { .encoded($0) } ?? .none
      changed.isLocked = false
      fields = changed
    }
  }

  /// Decodes the saved activity if it is there as bytes and may be read: several are about to ask.
  mutating func decodeActivity() {
    guard encodedState != nil, !isLocked, var changed = fields else { return }
    changed.savedActivity = changed.savedActivity.decoded
    fields = changed
  }

  /// Whether the saved activity is withheld until protected data is available (R-SR-6).
  var isLocked: Bool {
    get { box?.fields.isLocked ?? false }
    set { self[\.isLocked] = newValue }
  }

  var userInfo: [String: UserInfoValue]? {
    get { box?.fields.userInfo }
    set { setPart(\.userInfo, newValue) }
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

  /// The switcher's snapshots by variant; the one without a variant has the empty name.
  var snapshots: [String: [UInt8]] {
    get { box?.fields.snapshots ?? [:] }
    set { setPart(\.snapshots, newValue) }
  }

  /// Sets a snapshot.
  ///
  /// - Parameters:
  ///   - bytes: The snapshot.
  ///   - variant: Its name.
  ///   - activity: The saved activity, if it is at hand: otherwise it is decoded.
  mutating func setSnapshot(_ bytes: [UInt8], of variant: String, beside activity: UserActivity?) {
    if let activity, encodedState != nil {
      var changed = fields ?? Fields()
      guard changed.snapshots.updateValue(bytes, forKey: variant) != bytes else { return }
      changed.savedActivity = .value(activity)
      fields = changed
    } else {
      snapshots[variant] = bytes
    }
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

  var destructionConditions: Set<SceneDestructionCondition> {
    get {
      let bits = open?.fields.destructionConditions ?? 0
      if bits == 0 { return [] }
      let all: Set<SceneDestructionCondition> = [.userInitiatedDismissal, .systemDisconnection]
      return all.filter { bits & $0.bit != 0 }
    }
    set { setOpen(\.destructionConditions, newValue.reduce(0) { $0 | $1.bit }) }
  }

  /// Whether any condition is set that ends the session.
  var hasDestructionConditions: Bool {
    switch content {
    case .nothing, .encoded: false
    case .open(let open): open.fields.destructionConditions != 0
    case .box(let box): box.fields.open.map { $0.fields.destructionConditions != 0 } ?? false
    }
  }

  /// Whether a condition is set that ends the session.
  func isDestroyed(by condition: SceneDestructionCondition) -> Bool {
    (open?.fields.destructionConditions ?? 0) & condition.bit != 0
  }

  // MARK: - The saved state

  /// What is sealed at rest.
  var state: SavedState {
    get {
      SavedState(
        activity: savedActivity, userInfo: userInfo, snapshots: snapshots, wakeList: wakeList)
    }
    set {
      var changed = Fields(open: open, isLocked: isLocked)
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
    var details = SessionDetails()
    details.fields = Fields(open: open, waking: Self.waking(Waking(next: nextWake)))
    return details
  }

  /// Whether there is anything to be sealed.
  var hasState: Bool {
    switch content {
    case .nothing, .open: false
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
    if mine.open !== others.open && mine.open?.fields != others.open?.fields
      || nextWake != other.nextWake
    {
      parts.insert(.row)
    }
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

  /// Tells whether two details are the same object; false does not mean that they differ.
  func isIdentical(to other: SessionDetails) -> Bool {
    switch (content, other.content) {
    case (.nothing, .nothing): true
    case (.encoded(let bytes), .encoded(let others)): bytes.isIdentical(to: others)
    case (.open(let open), .open(let other)): open === other
    case (.box(let box), .box(let other)): box === other
    default: false
    }
  }

  /// Tells whether only the captured states can differ; false does not mean that more does.
  func isIdentical(exceptForState other: SessionDetails) -> Bool {
    isPlain && other.isPlain || isIdentical(to: other)
  }

  /// Whether nothing is there but a captured state.
  private var isPlain: Bool {
    switch content {
    case .nothing, .encoded: true
    case .open, .box: false
    }
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
