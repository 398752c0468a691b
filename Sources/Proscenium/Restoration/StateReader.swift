// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Gives back the fields of a scene's state, as a ``StateWriter`` took them.
///
/// A delegate is given one in ``StatefulSceneDelegate/scene(_:restoreStateFrom:)``:
/// ```swift
/// func scene(_ scene: isolated Scene, restoreStateFrom state: inout StateReader) {
///   row = state.integer("row") ?? 0
///   text = state.string("text") ?? ""
/// }
/// ```
/// A field that is not there, or holds a value of another kind, is `nil`. Fields that are read in
/// the order of their names, shorter ones first, are found without a search.
public struct StateReader: ~Copyable, Sendable {
  /// The type of the activity that the state is.
  public let activityType: String

  /// An encoding that was checked.
  private let encoding: [UInt8]
  /// Where the fields are in it.
  private let entries: Range<Int>
  /// Where the next field is.
  private var offset: Int
  /// The fields, if there is no encoding.
  private let values: [String: UserInfoValue]?

  /// Reads an activity.
  init(_ activity: UserActivity) {
    activityType = activity.activityType
    values = activity.userInfo
    (encoding, entries, offset) = ([], 0..<0, 0)
  }

  /// Reads the activity of an encoding that was checked; nil if it has none.
  init?(_ encoding: [UInt8]) {
    guard let parts = Self.parts(of: encoding) else { return nil }
    (activityType, entries) = parts
    self.encoding = encoding
    offset = entries.lowerBound
    values = nil
  }

  /// Whether an encoding that was checked has an activity.
  static func hasActivity(_ encoding: [UInt8]) -> Bool { parts(of: encoding) != nil }

  /// The type of the activity of an encoding that was checked, and where its fields are.
  private static func parts(of encoding: [UInt8]) -> (type: String, entries: Range<Int>)? {
    var reader = SavedStateReader(encoding)
    reader.offset = 1
    var type: String?
    while let field = reader.offset < encoding.count ? encoding[reader.offset] : nil,
      field <= SavedStateForm.Field.activityUserInfo.rawValue
    {
      reader.offset += 1
      guard let length = (try? reader.number()).map({ Int($0) }) else { return nil }
      let next = reader.offset + length
      if field == SavedStateForm.Field.activityType.rawValue { type = try? reader.text(length) }
      if field == SavedStateForm.Field.activityUserInfo.rawValue, let type,
        (try? reader.number()) != nil
      {
        return (type, reader.offset..<next)
      }
      reader.offset = next
    }
    return type.map { ($0, 0..<0) }
  }

  /// Reads an encoded state, of whatever version of the application.
  ///
  /// - Parameter bytes: What ``StateWriter/encoded(version:)`` returned, or
  ///   ``SavedState/encoded(version:limits:)``; a state without an activity has no fields.
  /// - Throws: `damaged`, with the offset and the keys that lead there, or `newerForm`.
  public init(decoding bytes: [UInt8]) throws(SavedStateError) {
    var reader = SavedStateReader(bytes)
    _ = try reader.stateBesideActivity()
    (activityType, entries) = Self.parts(of: bytes) ?? ("", 0..<0)
    encoding = bytes
    offset = entries.lowerBound
    values = nil
  }

  // MARK: - Fields

  /// Returns the text of a field.
  ///
  /// - Parameter name: The name of the field.
  /// - Returns: The text; `nil` if there is no such field, or one of another kind.
  public mutating func string(_ name: StaticString) -> String? {
    if let values { return values["\(name)"]?.string }
    return read(name, .string) { $0.text($1) }
  }

  /// Returns the whole number of a field.
  ///
  /// - Parameter name: The name of the field.
  /// - Returns: The number; `nil` if there is no such field, or one of another kind.
  public mutating func integer(_ name: StaticString) -> Int? {
    if let values { return values["\(name)"]?.integer.map { Int($0) } }
    return read(name, .integer) { Int(SavedStateForm.halved($1)) }
  }

  /// Returns the truth value of a field.
  ///
  /// - Parameter name: The name of the field.
  /// - Returns: The truth value; `nil` if there is no such field, or one of another kind.
  public mutating func boolean(_ name: StaticString) -> Bool? {
    if let values { return values["\(name)"]?.boolean }
    return read(name, .boolean) { $1 == 1 }
  }

  /// Returns the floating-point number of a field, to the bit.
  ///
  /// - Parameter name: The name of the field.
  /// - Returns: The number; `nil` if there is no such field, or one of another kind.
  public mutating func real(_ name: StaticString) -> Double? {
    if let values { return values["\(name)"]?.real }
    return read(name, .real) { cursor, _ in cursor.real() }
  }

  /// Returns the point in time of a field.
  ///
  /// - Parameter name: The name of the field.
  /// - Returns: The point in time; `nil` if there is no such field, or one of another kind.
  public mutating func date(_ name: StaticString) -> Date? {
    if let values { return values["\(name)"]?.date }
    let seconds = read(name, .date) { cursor, _ in cursor.real() }
    return seconds.map { Date(timeIntervalSinceReferenceDate: $0) }
  }

  /// Returns the bytes of a field.
  ///
  /// - Parameter name: The name of the field.
  /// - Returns: The bytes; `nil` if there is no such field, or one of another kind.
  public mutating func data(_ name: StaticString) -> [UInt8]? {
    if let values { return values["\(name)"]?.data }
    return read(name, .data) { $0.data($1) }
  }

  /// Returns the texts of a field that has nothing else.
  ///
  /// - Parameter name: The name of the field.
  /// - Returns: The texts; `nil` if there is no such field, or one of another kind.
  public mutating func strings(_ name: StaticString) -> [String]? {
    guard values == nil else { return values?["\(name)"]?.array?.strings }
    return read(name, .array) { $0.texts($1) }
  }

  /// Returns the value of a field, of whatever kind.
  ///
  /// - Parameter name: The name of the field.
  /// - Returns: The value; `nil` if there is no such field.
  public mutating func value(_ name: StaticString) -> UserInfoValue? {
    if let values { return values["\(name)"] }
    return read(name) { $0.takeValue() }
  }

  /// Returns a value of a type of the program's that was written by
  /// ``StateWriter/write(_:encoding:)``.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - name: The name of the field.
  /// - Returns: The value; `nil` if there is no such field.
  /// - Throws: What the type's decoding throws.
  public mutating func decode<Value: Decodable>(
    _ type: Value.Type, _ name: StaticString
  ) throws -> Value? {
    guard let text = string(name) else { return nil }
    return try JSONDecoder().decode(type, from: Data(text.utf8))
  }

  /// Reads the value of a field, if it is of a kind; the next field is looked for behind it.
  @inline(__always)
  private mutating func read<Value>(
    _ name: StaticString, _ kind: SavedStateForm.Kind,
    _ body: (inout FieldCursor, _ number: UInt64) -> Value?
  ) -> Value? {
    read(name) { cursor in
      guard let head = cursor.head(), head.kind == kind else { return nil }
      return body(&cursor, head.number)
    }
  }

  /// Goes to the value of a field, from the next one on and then from the first, and reads it.
  @inline(__always)
  private mutating func read<Value>(
    _ name: StaticString, _ body: (inout FieldCursor) -> Value?
  ) -> Value? {
    let (begin, entries) = (offset, entries)
    let result = unsafe encoding.withUnsafeBytes { bytes in
      name.withUTF8Buffer { name -> (Value, Int)? in
        var cursor = unsafe FieldCursor(bytes, from: begin, to: entries.upperBound)
        if unsafe !cursor.find(name) {
          unsafe cursor = FieldCursor(bytes, from: entries.lowerBound, to: begin)
          guard unsafe cursor.find(name) else { return nil }
        }
        return body(&cursor).map { ($0, cursor.offset) }
      }
    }
    guard let (value, next) = result else { return nil }
    offset = next
    return value
  }
}

extension [UserInfoValue] {
  /// The values, if all of them are texts.
  fileprivate var strings: [String]? {
    let texts = compactMap(\.string)
    return texts.count == count ? texts : nil
  }
}
