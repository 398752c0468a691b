// SPDX-License-Identifier: Apache-2.0

/// A JSON value that knows its place, for reading a format and naming what does not fit.
package struct JSONNode: Sendable {
  package let value: JSONValue
  package let path: JSONPath
  package let file: String

  package init(_ value: JSONValue, path: JSONPath, file: String) {
    self.value = value
    self.path = path
    self.file = file
  }

  /// The error that something else was expected here.
  package func failure(
    _ code: FileError.Code, _ expected: String, found: String? = nil
  ) -> FileError {
    FileError(
      code, file: file, place: "\(path)",
      "expected \(expected), found \(found ?? value.summary).")
  }

  // MARK: - Scalars

  /// The text here.
  package func text() throws(FileError) -> String {
    guard case .text(let text) = value else { throw failure(.wrongType, "a string") }
    return text
  }

  /// The truth value here.
  package func bool() throws(FileError) -> Bool {
    guard case .bool(let bool) = value else { throw failure(.wrongType, "true or false") }
    return bool
  }

  /// The integer here, within a range.
  package func integer(in range: ClosedRange<Int>) throws(FileError) -> Int {
    let expected = "an integer from \(range.lowerBound) to \(range.upperBound)"
    guard case .integer(let integer) = value else { throw failure(.wrongType, expected) }
    guard range.contains(integer) else { throw failure(.outOfRange, expected) }
    return integer
  }

  /// The number here, with or without a fraction, within a range.
  package func number(in range: ClosedRange<Double>) throws(FileError) -> Double {
    let expected = "a number from \(range.lowerBound) to \(range.upperBound)"
    let number: Double
    switch value {
    case .integer(let integer): number = Double(integer)
    case .real(let real): number = real
    default: throw failure(.wrongType, expected)
    }
    guard range.contains(number) else { throw failure(.outOfRange, expected) }
    return number
  }

  /// The one of a format's words here.
  package func word<Word: RawRepresentable & CaseIterable>(
    _: Word.Type
  ) throws(FileError) -> Word where Word.RawValue == String {
    guard let word = Word(rawValue: try text()) else {
      let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
      throw failure(.unknownValue, "one of \(words)")
    }
    return word
  }

  // MARK: - Lists and objects

  /// The elements of the list here.
  package func elements() throws(FileError) -> [JSONNode] {
    guard case .list(let values) = value else { throw failure(.wrongType, "a list") }
    return values.enumerated().map { index, value in
      JSONNode(value, path: .element(path, index), file: file)
    }
  }

  /// The members of the object here, in the order of the file.
  package func members() throws(FileError) -> [(key: String, node: JSONNode)] {
    guard case .object(let members) = value else { throw failure(.wrongType, "an object") }
    return members.map { member in
      (member.key, JSONNode(member.value, path: .member(path, member.key), file: file))
    }
  }

  /// Checks that the object here has no other keys than these.
  package func checkKeys(_ keys: String...) throws(FileError) {
    try checkKeys(keys)
  }

  /// Checks that the object here has no other keys than these.
  package func checkKeys(_ keys: [String]) throws(FileError) {
    guard case .object(let members) = value else { throw failure(.wrongType, "an object") }
    for member in members where !keys.contains(member.key) {
      throw JSONNode(member.value, path: .member(path, member.key), file: file).failure(
        .unknownKey, "no other keys here than \(keys.joined(separator: ", "))",
        found: JSONValue.excerpt(member.key))
    }
  }

  /// The member with a key that the format requires.
  package func member(_ key: String) throws(FileError) -> JSONNode {
    guard let member = try optional(key) else {
      throw failure(.missingKey, "the key \"\(key)\"", found: "an object without it")
    }
    return member
  }

  /// The member with a key, if the object has it.
  package func optional(_ key: String) throws(FileError) -> JSONNode? {
    guard case .object(let members) = value else { throw failure(.wrongType, "an object") }
    guard let member = members.first(where: { $0.key == key }) else { return nil }
    return JSONNode(member.value, path: .member(path, key), file: file)
  }

  /// The node itself, or nil if it is `null`.
  package var unlessNull: JSONNode? { value == .null ? nil : self }
}
