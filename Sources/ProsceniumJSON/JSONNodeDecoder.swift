// SPDX-License-Identifier: Apache-2.0

/// Reads the `Decodable` types of a format whose keys and words are closed.
///
/// An object may have no other keys than those of its type's `CodingKeys`. An optional property
/// may be left out and may not be `null`; ``Nullable`` may be `null`. A type with a form of its
/// own reads ``Decoder/json``.
package struct JSONNodeDecoder: Decoder {
  let node: JSONNode
  package let userInfo: [CodingUserInfoKey: Any]

  package var codingPath: [any CodingKey] { [] }

  package func container<Key: CodingKey>(
    keyedBy type: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    for (key, member) in try node.members() where Key(stringValue: key) == nil {
      throw member.failure(
        .unknownKey, "no other keys here" + Self.list(of: type),
        found: JSONValue.excerpt(key))
    }
    return KeyedDecodingContainer(Members<Key>(decoder: self))
  }

  package func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try Elements(self)
  }

  package func singleValueContainer() -> any SingleValueDecodingContainer {
    Scalar(decoder: self)
  }

  private static func list<Key: CodingKey>(of type: Key.Type) -> String {
    guard let type = type as? any (CodingKey & CaseIterable).Type else { return "" }
    func names<Cases: CodingKey & CaseIterable>(_: Cases.Type) -> String {
      Cases.allCases.map(\.stringValue).joined(separator: ", ")
    }
    return " than " + names(type)
  }

  /// A decoder of a part of the value.
  package func at(_ node: JSONNode) -> JSONNodeDecoder {
    JSONNodeDecoder(node: node, userInfo: userInfo)
  }

  fileprivate func read<Value: Decodable>() throws -> Value { try Value(from: self) }
}

extension Decoder {
  /// The JSON value that is read, by a ``JSONNodeDecoder``.
  package var json: JSONNode {
    guard let decoder = self as? JSONNodeDecoder else {
      preconditionFailure("\(Self.self) does not read JSON with places")
    }
    return decoder.node
  }
}

extension JSONNode {
  /// Reads the value here.
  ///
  /// - Parameters:
  ///   - type: What it is read as.
  ///   - userInfo: What its parts can look up while they are read.
  /// - Returns: The value.
  /// - Throws: `JSONFileError` if it does not fit.
  package func decode<Value: Decodable>(
    _ type: Value.Type = Value.self, userInfo: [CodingUserInfoKey: Any] = [:]
  ) throws(JSONFileError) -> Value {
    do {
      return try Value(from: JSONNodeDecoder(node: self, userInfo: userInfo))
    } catch let error as JSONFileError {
      throw error
    } catch {
      throw failure(.wrongType, "\(type)")
    }
  }
}

// MARK: - Containers

// One generic function is the witness of the requirements for each of Swift's own types.

private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: JSONNodeDecoder

  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { [] }

  func contains(_ key: Key) -> Bool { (try? decoder.node.optional(key.stringValue)) != nil }

  /// What is there is never left out: `null` is a value that a type has to know.
  func decodeNil(forKey key: Key) -> Bool { false }

  func decode<Value: Decodable>(_: Value.Type, forKey key: Key) throws -> Value {
    try member(key).read()
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try member(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try member(key).unkeyedContainer()
  }

  func superDecoder() -> any Decoder { decoder }

  func superDecoder(forKey key: Key) throws -> any Decoder { try member(key) }

  private func member(_ key: Key) throws -> JSONNodeDecoder {
    decoder.at(try decoder.node.member(key.stringValue))
  }
}

private struct Elements: UnkeyedDecodingContainer {
  let decoder: JSONNodeDecoder
  let nodes: [JSONNode]
  private(set) var currentIndex = 0

  init(_ decoder: JSONNodeDecoder) throws {
    self.decoder = decoder
    nodes = try decoder.node.elements()
  }

  var codingPath: [any CodingKey] { [] }
  var count: Int? { nodes.count }
  var isAtEnd: Bool { currentIndex == nodes.count }

  mutating func decodeNil() -> Bool { false }

  mutating func decode<Value: Decodable>(_: Value.Type) throws -> Value { try next().read() }

  mutating func nestedContainer<Key: CodingKey>(
    keyedBy type: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    try next().container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try next().unkeyedContainer()
  }

  mutating func superDecoder() -> any Decoder { next() }

  private mutating func next() -> JSONNodeDecoder {
    defer { currentIndex += 1 }
    return decoder.at(nodes[currentIndex])
  }
}

private struct Scalar: SingleValueDecodingContainer {
  let decoder: JSONNodeDecoder

  var codingPath: [any CodingKey] { [] }

  func decodeNil() -> Bool { decoder.node.value == .null }

  func decode(_: Bool.Type) throws -> Bool { try decoder.node.bool() }

  func decode(_: String.Type) throws -> String { try decoder.node.text() }

  func decode<Value: Decodable>(_: Value.Type) throws -> Value {
    precondition(!(Value.self is any Numeric.Type), "a number has a range: read it from `json`")
    return try decoder.read()
  }
}
