// SPDX-License-Identifier: Apache-2.0

package import ProsceniumJSON

extension JSONValue {
  /// Whether a value of a session's `userInfo` is a property list (R-SR-9).
  var isPropertyList: Bool {
    switch self {
    case .null: false
    case .bool, .integer, .real, .text: true
    case .list(let values): values.allSatisfy(\.isPropertyList)
    case .object(let members):
      switch members.first?.key {
      case "$url", "$set": false
      case "$date", "$data": true
      default: members.allSatisfy(\.value.isPropertyList)
      }
    }
  }

  /// The value with members and sets in a fixed order, for comparing.
  var normalized: JSONValue {
    switch self {
    case .null, .bool, .integer, .real, .text: return self
    case .list(let values): return .list(values.map(\.normalized))
    case .object(let members):
      if let first = members.first, first.key == "$set", case .list(let values) = first.value {
        let sorted = values.map(\.normalized).sorted { $0.description < $1.description }
        return .object([JSONMember("$set", .list(sorted))])
      }
      let sorted = members.sorted { $0.key < $1.key }
      return .object(sorted.map { JSONMember($0.key, $0.value.normalized) })
    }
  }

  /// A member of an object.
  subscript(_ key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key == key }?.value
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  package init(stringLiteral value: String) { self = .text(value) }
  package init(integerLiteral value: Int) { self = .integer(value) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(arrayLiteral elements: JSONValue...) { self = .list(elements) }
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(elements.map { JSONMember($0.0, $0.1) })
  }
}
