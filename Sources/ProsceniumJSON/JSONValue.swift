// SPDX-License-Identifier: Apache-2.0

/// A JSON value; numbers without fraction and exponent are integers.
package indirect enum JSONValue: Sendable, Hashable {
  case null
  case bool(Bool)
  case integer(Int)
  case real(Double)
  case text(String)
  case list([JSONValue])
  case object([JSONMember])
}

/// A member of a JSON object.
package struct JSONMember: Sendable, Hashable {
  package let key: String
  package let value: JSONValue

  package init(_ key: String, _ value: JSONValue) {
    self.key = key
    self.value = value
  }
}

extension JSONValue {
  /// The value in Swift's own types; null and objects stay as they are.
  package var plain: any Sendable {
    switch self {
    case .bool(let value): return value
    case .integer(let value): return value
    case .real(let value): return value
    case .text(let value): return value
    case .list(let values):
      let elements = values.map(\.plain)
      return elements as? [String] ?? elements
    case .null, .object: return self
    }
  }
}

extension JSONValue: CustomStringConvertible {
  /// The value as JSON in one line, with control characters escaped.
  package var description: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .real(let value): value.isFinite ? "\(value)" : "null"
    case .text(let value): Self.quote(value)
    case .list(let values): "[" + values.map(\.description).joined(separator: ", ") + "]"
    case .object(let members):
      "{"
        + members.map { "\(Self.quote($0.key)): \($0.value)" }.joined(separator: ", ")
        + "}"
    }
  }

  /// The value in at most about 60 characters, for a message.
  package var summary: String {
    switch self {
    case .null, .bool, .integer, .real: description
    case .text(let value): Self.excerpt(value)
    case .list(let values): values.isEmpty ? "an empty list" : "a list"
    case .object(let members): members.isEmpty ? "an empty object" : "an object"
    }
  }

  /// A text in quotes for a message; of a long one the beginning, and its length.
  ///
  /// Combining marks are escaped: a composed and a decomposed letter look the same.
  package static func excerpt(_ text: String) -> String {
    let limit = 60
    let scalars = text.unicodeScalars
    guard let end = scalars.index(scalars.startIndex, offsetBy: limit, limitedBy: scalars.endIndex),
      end != scalars.endIndex
    else { return quote(text, escapesMarks: true) }
    return quote(String(scalars[..<end]), escapesMarks: true) + "… (\(text.utf8.count) bytes)"
  }

  private static func quote(_ text: String, escapesMarks: Bool = false) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      // The C1 controls could drive a terminal as the C0 controls do.
      case _
      where scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
        || escapesMarks && (0x300..<0x370).contains(scalar.value):
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
