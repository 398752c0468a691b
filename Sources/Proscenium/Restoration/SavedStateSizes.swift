// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// How large the parts of a state are; for the error about one that is too large.
struct SavedStateSizes {
  /// Everything that stands in the encoding by itself: fields, and entries of a `userInfo`.
  private(set) var parts: [SavedStateError.Part] = []

  /// What the encoding has without the snapshots.
  private(set) var byteCount = 1

  /// How many values there are.
  var valueCount: Int { parts.reduce(0) { $0 + $1.valueCount } }

  /// The keys that lead to the first value that is refused for a reason, by the order of keys.
  private(set) var refused: [SavedStateLimits.Excess: String] = [:]

  private let limits: SavedStateLimits

  init(_ state: SavedState, _ version: StateVersion, _ limits: SavedStateLimits) {
    self.limits = limits
    if version != .unstamped {
      byteCount += Self.fieldSize(SavedStateForm.size(ofNumber: UInt64(version.rawValue)))
    }
    if let activity = state.activity { add(activity) }
    if let userInfo = state.userInfo {
      add(userInfo, under: "userInfo", isPropertyList: true)
    }
    add(state.wakeList)
  }

  private init(_ activity: UserActivity, _ limits: SavedStateLimits) {
    self.limits = limits
    byteCount = 0
    add(activity)
  }

  /// Each wake is one part, since it is added and removed as one.
  private mutating func add(_ list: WakeList) {
    if list == WakeList() { return }
    var total =
      SavedStateForm.size(ofNumber: list.last)
      + SavedStateForm.size(ofNumber: UInt64(list.wakes.count))
    for (index, wake) in list.numbered.enumerated() {
      let activity = SavedStateSizes(wake.activity, limits)
      let size =
        SavedStateForm.size(ofNumber: wake.id.rawValue)
        + SavedStateForm.size(ofNumber: SavedStateForm.doubled(wake.time))
        + SavedStateForm.size(ofNumber: UInt64(activity.byteCount)) + activity.byteCount
      let keyPath = "wakes[\(index)]"
      refused.merge(activity.refused.mapValues { "\(keyPath).\($0)" }) { first, _ in first }
      parts.append(
        SavedStateError.Part(
          keyPath: keyPath, byteCount: size, valueCount: 1 + activity.valueCount))
      total += size
    }
    byteCount += Self.fieldSize(total)
  }

  /// The largest parts, by bytes or by their number of values.
  func largest(
    by size: KeyPath<SavedStateError.Part, Int>
  ) -> [SavedStateError.Part] {
    let sorted = parts.sorted {
      ($1[keyPath: size], $0.keyPath) < ($0[keyPath: size], $1.keyPath)
    }
    return Array(sorted.prefix(SavedStateError.partCountLimit))
  }

  private mutating func add(_ activity: UserActivity) {
    add(activity.activityType, "activityType")
    add(activity.title, "title")
    add(activity.targetContentIdentifier, "targetContentIdentifier")
    add(activity.webpageURL, "webpageURL")
    add(activity.persistentIdentifier, "persistentIdentifier")
    let keys = activity.requiredUserInfoKeys
    if !keys.isEmpty {
      let size = keys.reduce(SavedStateForm.size(ofNumber: UInt64(keys.count))) {
        $0 + Self.textSize($1)
      }
      add("activity.requiredUserInfoKeys", Self.fieldSize(size), keys.count)
    }
    if activity.expirationDate != nil { add("activity.expirationDate", Self.fieldSize(8), 0) }
    if !activity.userInfo.isEmpty { add(activity.userInfo, under: "activity.userInfo") }
  }

  private mutating func add(_ text: String?, _ name: String) {
    guard let text else { return }
    add("activity." + name, 1 + Self.textSize(text), 0)
  }

  private mutating func add(_ keyPath: String, _ byteCount: Int, _ valueCount: Int) {
    parts.append(
      SavedStateError.Part(keyPath: keyPath, byteCount: byteCount, valueCount: valueCount))
    self.byteCount += byteCount
  }

  private mutating func add(
    _ userInfo: [String: UserInfoValue], under name: String, isPropertyList: Bool = false
  ) {
    var total = SavedStateForm.size(ofNumber: UInt64(userInfo.count))
    for (key, value) in userInfo.sorted(by: { $0.key < $1.key }) {
      var size = ValueSize(depthLimit: limits.depth, isPropertyList: isPropertyList)
      let keyPath = name + "." + SavedStateError.shortened(key)
      do throws(SavedStateLimits.Excess) {
        try value.write(to: &size, depth: 1)
      } catch {
        refused[error] = refused[error] ?? keyPath + size.path
      }
      total += Self.textSize(key) + size.byteCount
      parts.append(
        SavedStateError.Part(
          keyPath: keyPath, byteCount: Self.textSize(key) + size.byteCount,
          valueCount: 1 + size.valueCount))
    }
    byteCount += Self.fieldSize(total)
  }

  static func textSize(_ text: String) -> Int {
    SavedStateForm.size(ofNumber: UInt64(text.utf8.count)) + text.utf8.count
  }

  private static func fieldSize(_ content: Int) -> Int {
    1 + SavedStateForm.size(ofNumber: UInt64(content)) + content
  }
}

/// Counts the bytes that a value takes, and the values within it.
struct ValueSize: SavedValueSink {
  let depthLimit: Int
  let isPropertyList: Bool
  private(set) var byteCount = 0
  private(set) var valueCount = 0
  /// The keys from the value to what is refused, each with a separator before it.
  private(set) var path = ""

  init(depthLimit: Int, isPropertyList: Bool) {
    self.depthLimit = depthLimit
    self.isPropertyList = isPropertyList
  }

  private mutating func add(_ number: UInt64, _ content: Int) {
    let isShort = number < UInt64(SavedStateForm.numberFollows)
    byteCount += 1 + (isShort ? 0 : SavedStateForm.size(ofNumber: number)) + content
  }

  mutating func boolean(_ value: Bool) { add(0, 0) }
  mutating func integer(_ value: Int64) { add(SavedStateForm.doubled(value), 0) }
  mutating func real(_ value: Double) { add(0, 8) }
  mutating func date(_ value: Date) { add(0, 8) }
  mutating func string(_ value: String) { add(UInt64(value.utf8.count), value.utf8.count) }
  mutating func data(_ value: [UInt8]) { add(UInt64(value.count), value.count) }

  mutating func null() throws(SavedStateLimits.Excess) {
    guard !isPropertyList else { throw .propertyList }
    add(0, 0)
  }

  mutating func url(_ value: String) throws(SavedStateLimits.Excess) {
    guard !isPropertyList else { throw .propertyList }
    string(value)
  }

  mutating func array(
    _ values: [UserInfoValue], depth: Int
  ) throws(SavedStateLimits.Excess) {
    try begin(values.count, depth)
    for (index, value) in values.enumerated() { try add(value, depth) { "[\(index)]" } }
  }

  mutating func set(
    _ values: Set<UserInfoValue>, depth: Int
  ) throws(SavedStateLimits.Excess) {
    guard !isPropertyList else { throw .propertyList }
    try begin(values.count, depth)
    for value in values { try add(value, depth) { "[…]" } }
  }

  mutating func dictionary(
    _ values: [String: UserInfoValue], depth: Int
  ) throws(SavedStateLimits.Excess) {
    try begin(values.count, depth)
    for (key, value) in values.sorted(by: { $0.key < $1.key }) {
      byteCount += SavedStateSizes.textSize(key)
      try add(value, depth) { "." + SavedStateError.shortened(key) }
    }
  }

  private mutating func begin(_ count: Int, _ depth: Int) throws(SavedStateLimits.Excess) {
    add(UInt64(count), 0)
    valueCount += count
    guard depth <= depthLimit else { throw .depth }
  }

  private mutating func add(
    _ value: UserInfoValue, _ depth: Int, _ key: () -> String
  ) throws(SavedStateLimits.Excess) {
    do throws(SavedStateLimits.Excess) {
      try value.write(to: &self, depth: depth)
    } catch {
      path = key() + path
      throw error
    }
  }
}
