// SPDX-License-Identifier: Apache-2.0

// The same walk as that which decodes, without making anything of what it reads.
extension SavedStateReader {
  /// Checks all fields, and returns the application's version of the state.
  mutating func check() throws(SavedStateError) -> StateVersion {
    var version = StateVersion.unstamped
    try fields { (reader, field) throws(SavedStateError) in
      switch field {
      case .stateVersion: version = try reader.stateVersion()
      case .userInfo:
        let start = reader.offset
        try reader.checkEntries(try reader.number(), from: start, depth: 1)
      case .snapshots: try reader.checkSnapshots()
      case .wakes: try reader.checkWakes()
      default: try reader.checkActivity(field)
      }
    }
    return version
  }

  /// Checks a field of an activity.
  private mutating func checkActivity(
    _ field: SavedStateForm.Field
  ) throws(SavedStateError) {
    switch field {
    case .requiredUserInfoKeys: try checkNames()
    case .expirationDate: _ = try bits()
    case .activityUserInfo:
      let start = offset
      try checkEntries(try someNumber(), from: start, depth: 1)
    default: try checkText(end - offset)
    }
  }

  private mutating func checkWakes() throws(SavedStateError) {
    _ = try wakes { (reader, _, _, limit) throws(SavedStateError) in
      let start = reader.offset
      var hasType = false
      try reader.activityFields(before: limit) { (reader, field) throws(SavedStateError) in
        if field == .activityType { hasType = true }
        try reader.checkActivity(field)
      }
      guard hasType else {
        throw reader.failure(at: start, "the type of an activity", "none")
      }
    }
  }

  private mutating func checkNames() throws(SavedStateError) {
    let start = offset
    let count = try count(try someNumber(), "names", ofSize: 1, from: start)
    var previous = 0..<0
    for _ in 0..<count { _ = try checkName(after: &previous) }
  }

  private mutating func checkSnapshots() throws(SavedStateError) {
    let start = offset
    let count = try count(try someNumber(), "snapshots", ofSize: 2, from: start)
    var previous = 0..<0
    for _ in 0..<count {
      let name = try checkName(after: &previous)
      do throws(SavedStateError) {
        _ = pass(try self.count("bytes of a snapshot", ofSize: 1))
      } catch {
        throw error.under(shown(name))
      }
    }
  }

  private mutating func checkEntries(
    _ number: UInt64, from start: Int, depth: Int
  ) throws(SavedStateError) {
    let count = try count(number, "entries", ofSize: 2, from: start)
    var previous = 0..<0
    for _ in 0..<count {
      let name = try checkName(after: &previous)
      do throws(SavedStateError) {
        try checkValue(depth: depth)
      } catch {
        throw error.under(shown(name))
      }
    }
  }

  /// Checks a name, which has to come after the one before, and returns where its text is.
  private mutating func checkName(
    after previous: inout Range<Int>
  ) throws(SavedStateError) -> Range<Int> {
    let start = offset
    let length = try count("bytes of a name", ofSize: 1)
    try checkText(length)
    try checkOrder(of: previous, from: start, "names")
    previous = start..<offset
    return offset - length..<offset
  }

  private mutating func checkValue(depth: Int) throws(SavedStateError) {
    let start = offset
    let (kind, number) = try head()
    switch kind {
    case .null:
      try checkPropertyList(kind, start)
      try checkNumber(number, atMost: 0, start)
    case .set:
      try checkPropertyList(kind, start)
      try checkDepth(depth + 1, start)
      try checkMembers(number, from: start, depth: depth + 1)
    case .url:
      try checkPropertyList(kind, start)
      try checkText(try count(number, "bytes of a URL", ofSize: 1, from: start))
    case .integer: break
    case .boolean: try checkNumber(number, atMost: 1, start)
    case .real, .date:
      try checkNumber(number, atMost: 0, start)
      _ = try bits()
    case .string: try checkText(try count(number, "bytes of a text", ofSize: 1, from: start))
    case .data: _ = pass(try count(number, "bytes", ofSize: 1, from: start))
    case .array:
      try checkDepth(depth + 1, start)
      try checkValues(number, from: start, depth: depth + 1)
    case .dictionary:
      try checkDepth(depth + 1, start)
      try checkEntries(number, from: start, depth: depth + 1)
    }
  }

  private mutating func checkValues(
    _ number: UInt64, from start: Int, depth: Int
  ) throws(SavedStateError) {
    let count = try count(number, "values", ofSize: 1, from: start)
    for index in 0..<count {
      do throws(SavedStateError) {
        try checkValue(depth: depth)
      } catch {
        throw error.under("[\(index)]")
      }
    }
  }

  private mutating func checkMembers(
    _ number: UInt64, from start: Int, depth: Int
  ) throws(SavedStateError) {
    let count = try count(number, "members", ofSize: 1, from: start)
    var previous = 0..<0
    for index in 0..<count {
      let start = offset
      do throws(SavedStateError) {
        try checkValue(depth: depth)
        try checkOrder(of: previous, from: start, "members")
      } catch {
        throw error.under("[\(index)]")
      }
      previous = start..<offset
    }
  }
}
