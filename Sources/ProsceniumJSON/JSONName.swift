// SPDX-License-Identifier: Apache-2.0

/// A name that a format defines: a text that is read as a whole, or refused.
package protocol JSONName: LosslessStringConvertible, Decodable, Hashable, Sendable {
  /// What a text has to be, as part of a sentence.
  static var expected: String { get }
}

extension JSONName {
  package init(from decoder: any Decoder) throws {
    self = try Self.read(decoder.json)
  }

  fileprivate static func read(_ node: JSONNode) throws(JSONFileError) -> Self {
    guard let name = Self(try node.text()) else { throw node.failure(.unknownValue, expected) }
    return name
  }
}

/// One of the words that a format lists.
package protocol JSONWord: JSONName, RawRepresentable, CaseIterable where RawValue == String {}

extension JSONWord {
  package static var expected: String {
    "one of " + allCases.map(\.rawValue).joined(separator: ", ")
  }

  package var description: String { rawValue }

  package init?(_ text: String) { self.init(rawValue: text) }

  package init(from decoder: any Decoder) throws { self = try Self.read(decoder.json) }
}

/// A value that has to be there and may be `null`.
package struct Nullable<Value: Decodable & Sendable>: Decodable, Sendable {
  package let value: Value?

  package init(from decoder: any Decoder) throws {
    value = decoder.json.value == .null ? nil : try Value(from: decoder)
  }
}

/// An object whose keys are names, in the order of the file.
package struct Named<Name: JSONName, Value: Decodable & Sendable>: Decodable, Sendable {
  package let members: [(name: Name, value: Value)]

  package init(from decoder: any Decoder) throws {
    members = try decoder.json.members().map { key, node in
      guard let name = Name(key) else {
        throw node.failure(.unknownKey, Name.expected, found: JSONValue.excerpt(key))
      }
      return (name, try node.decode(userInfo: decoder.userInfo))
    }
  }
}
