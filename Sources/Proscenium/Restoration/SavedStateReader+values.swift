// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension SavedStateReader {
  /// How many entries of a container there is room for at first.
  ///
  /// The count may be a lie, and containers that stand within one another may all tell it.
  private static var reservedCount: Int { 256 }

  /// Reads a value that stands in so many dictionaries, arrays and sets.
  mutating func value(
    depth: Int
  ) throws(SavedStateError) -> UserInfoValue {
    let start = offset
    let (kind, number) = try head()
    switch kind {
    case .string:
      return .string(try text(try count(number, "bytes of a text", ofSize: 1, from: start)))
    case .integer: return .integer(SavedStateForm.halved(number))
    case .boolean:
      try checkNumber(number, atMost: 1, start)
      return .boolean(number == 1)
    case .real:
      try checkNumber(number, atMost: 0, start)
      return .real(Double(bitPattern: try bits()))
    case .date:
      try checkNumber(number, atMost: 0, start)
      return .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: try bits())))
    case .data: return .data(data(try count(number, "bytes", ofSize: 1, from: start)))
    case .array:
      try checkDepth(depth + 1, start)
      return .array(try values(number, from: start, depth: depth + 1))
    case .dictionary:
      try checkDepth(depth + 1, start)
      return .dictionary(try entries(number, from: start, depth: depth + 1))
    case .null, .set, .url:
      try checkPropertyList(kind, start)
      return try specialValue(kind, number, from: start, depth: depth)
    }
  }

  private mutating func specialValue(
    _ kind: SavedStateForm.Kind, _ number: UInt64, from start: Int, depth: Int
  ) throws(SavedStateError) -> UserInfoValue {
    switch kind {
    case .set:
      try checkDepth(depth + 1, start)
      return .set(try members(number, from: start, depth: depth + 1))
    case .url:
      return .url(try text(try count(number, "bytes of a URL", ofSize: 1, from: start)))
    default:
      try checkNumber(number, atMost: 0, start)
      return .null
    }
  }

  private mutating func values(
    _ number: UInt64, from start: Int, depth: Int
  ) throws(SavedStateError) -> [UserInfoValue] {
    let count = try count(number, "values", ofSize: 1, from: start)
    var values: [UserInfoValue] = []
    values.reserveCapacity(min(count, Self.reservedCount))
    for index in 0..<count {
      do throws(SavedStateError) {
        values.append(try value(depth: depth))
      } catch {
        throw error.under("[\(index)]")
      }
    }
    return values
  }

  private mutating func members(
    _ number: UInt64, from start: Int, depth: Int
  ) throws(SavedStateError) -> Set<UserInfoValue> {
    let count = try count(number, "members", ofSize: 1, from: start)
    var values = Set<UserInfoValue>(minimumCapacity: min(count, Self.reservedCount))
    var previous = 0..<0
    for index in 0..<count {
      let start = offset
      do throws(SavedStateError) {
        values.insert(try value(depth: depth))
        try checkOrder(of: previous, from: start, "members")
      } catch {
        throw error.under("[\(index)]")
      }
      previous = start..<offset
    }
    return values
  }

  /// Reads the entries of a dictionary.
  mutating func entries(
    _ number: UInt64, from start: Int, depth: Int
  ) throws(SavedStateError) -> [String: UserInfoValue] {
    let count = try count(number, "entries", ofSize: 2, from: start)
    var values = [String: UserInfoValue](minimumCapacity: min(count, Self.reservedCount))
    var previous = 0..<0
    for _ in 0..<count {
      let key = try name(after: &previous)
      do throws(SavedStateError) {
        values[key] = try value(depth: depth)
      } catch {
        throw error.under(key)
      }
    }
    return values
  }

  /// Reads a name, which has to come after the one before.
  mutating func name(after previous: inout Range<Int>) throws(SavedStateError) -> String {
    let start = offset
    let name = try text(try count("bytes of a name", ofSize: 1))
    try checkOrder(of: previous, from: start, "names")
    previous = start..<offset
    return name
  }

  // MARK: - Checks

  func checkNumber(
    _ number: UInt64, atMost limit: UInt64, _ start: Int
  ) throws(SavedStateError) {
    guard number <= limit else {
      throw failure(at: start, "a number of at most \(limit) in the value", "\(number)")
    }
  }

  func checkDepth(_ depth: Int, _ start: Int) throws(SavedStateError) {
    guard depth <= SavedStateLimits.greatestDepth else {
      throw failure(
        at: start,
        "arrays, dictionaries and sets at most \(SavedStateLimits.greatestDepth) deep", "one more")
    }
  }

  /// Checks that a value is not in a property list, which has no place for its kind.
  func checkPropertyList(
    _ kind: SavedStateForm.Kind, _ start: Int
  ) throws(SavedStateError) {
    if isPropertyList { throw failure(at: start, "a value of a property list", "a \(kind)") }
  }
}
