// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
import Proscenium
import ProsceniumPredicate

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A value of a `userInfo`.
///
/// What JSON has no type for is an object with one of the keys `$date`, `$data`, `$url`, `$set`.
struct VectorValue: Decodable, Sendable {
  let value: UserInfoValue

  init(from decoder: any Decoder) throws {
    value = try Self.value(decoder.json)
  }

  private static func value(_ node: JSONNode) throws(JSONFileError) -> UserInfoValue {
    switch node.value {
    case .null: return .null
    case .bool(let value): return .boolean(value)
    case .integer(let value): return .integer(Int64(value))
    case .real(let value): return .real(value)
    case .text(let value): return .string(value)
    case .list: return .array(try values(node))
    case .object:
      if let special = try special(node) { return special }
      return .dictionary(try dictionary(node))
    }
  }

  private static func values(_ node: JSONNode) throws(JSONFileError) -> [UserInfoValue] {
    var values: [UserInfoValue] = []
    for element in try node.elements() { values.append(try value(element)) }
    return values
  }

  fileprivate static func dictionary(
    _ node: JSONNode
  ) throws(JSONFileError) -> [String: UserInfoValue] {
    var dictionary: [String: UserInfoValue] = [:]
    for (key, node) in try node.members() { dictionary[key] = try value(node) }
    return dictionary
  }

  private static func special(_ node: JSONNode) throws(JSONFileError) -> UserInfoValue? {
    for (key, member) in try node.members() {
      let special: UserInfoValue
      switch key {
      case "$date":
        guard let date = try? Date(try member.text(), strategy: .iso8601) else {
          throw member.failure(.unknownValue, "a date such as 2026-01-02T03:04:05Z")
        }
        special = .date(date)
      case "$data":
        guard let data = Data(base64Encoded: try member.text()) else {
          throw member.failure(.unknownValue, "bytes in base64")
        }
        special = .data(Array(data))
      case "$url": special = .url(try member.text())
      case "$set": special = .set(Set(try values(member)))
      default: continue
      }
      try node.checkKeys(key)
      return special
    }
    return nil
  }
}

/// The values of a `userInfo` by name.
struct VectorValues: Decodable, Sendable {
  let values: [String: UserInfoValue]

  init(from decoder: any Decoder) throws {
    values = try VectorValue.dictionary(decoder.json)
  }
}

extension UserInfoValue {
  /// The value as a suite writes it; names and elements of sets in order.
  var json: JSONValue {
    switch self {
    case .null: .null
    case .string(let value): .text(value)
    case .integer(let value): .integer(Int(value))
    case .real(let value): .real(value)
    case .boolean(let value): .bool(value)
    case .date(let value): .object([JSONMember("$date", .text(value.formatted(.iso8601)))])
    case .data(let value):
      .object([JSONMember("$data", .text(Data(value).base64EncodedString()))])
    case .url(let value): .object([JSONMember("$url", .text(value))])
    case .array(let values): .list(values.map(\.json))
    case .set(let values):
      .object([
        JSONMember("$set", .list(values.map(\.json).sorted { $0.description < $1.description }))
      ])
    case .dictionary(let values):
      .object(values.sorted { $0.key < $1.key }.map { JSONMember($0.key, $0.value.json) })
    }
  }

  /// The value as a session's `userInfo`; null is none.
  func sessionUserInfo() throws(Refusal) -> [String: UserInfoValue]? {
    if self == .null { return nil }
    guard isPropertyList, let dictionary else {
      throw Refusal(op: "userInfo", code: "notPropertyList")
    }
    return dictionary
  }
}

/// A predicate as a suite writes it, not parsed yet: that is part of what is tested.
struct PredicateText: Decodable, Sendable {
  private struct Fields: Decodable {
    let format: String
    let arguments: [SuiteArgument]?
  }

  /// The format; nil for a predicate that is code, which the type system keeps from being made.
  let format: String?
  let arguments: [SuiteArgument]

  init(_ format: String?, arguments: [SuiteArgument]) {
    self.format = format
    self.arguments = arguments
  }

  /// Reads a format, one with arguments, or a block.
  init(from decoder: any Decoder) throws {
    if case .text(let format) = decoder.json.value {
      self.init(format, arguments: [])
    } else if let block = try decoder.json.optional("block") {
      try decoder.json.checkKeys("block")
      guard try block.bool() else { throw block.failure(.unknownValue, "true") }
      self.init(nil, arguments: [])
    } else {
      let fields = try Fields(from: decoder)
      self.init(fields.format, arguments: fields.arguments ?? [])
    }
  }

  /// Makes the predicate.
  func parse() throws(Refusal) -> ContentPredicate {
    guard let format else { throw Refusal(op: "predicate", code: "blockNotAllowed") }
    do throws(PredicateFormatError) {
      return try ContentPredicate(format: format, arguments: arguments.map(\.value))
    } catch {
      throw Refusal(op: "predicate", code: error.code.description)
    }
  }
}

/// What is to be set of a scene's activation conditions.
struct ConditionsChange: Sendable {
  let can: PredicateText?
  let prefers: PredicateText?

  /// Makes both predicates, so that nothing is changed if one of them cannot be made.
  func parse() throws(Refusal) -> @Sendable (inout SceneActivationConditions) -> Void {
    let can = try can?.parse()
    let prefers = try prefers?.parse()
    return { conditions in
      if let can { conditions.can = can }
      if let prefers { conditions.prefers = prefers }
    }
  }
}

/// What is refused before the runtime sees it: its types keep the value from being made.
struct Refusal: Error, Hashable {
  let op: String
  let code: String
}

/// A number from 1.
struct VectorNumber: Decodable, Sendable {
  let value: Int

  init(from decoder: any Decoder) throws {
    value = try decoder.json.integer(in: 1...1_000_000)
  }
}

/// A time.
struct VectorSeconds: Decodable, Sendable {
  let duration: Duration

  init(from decoder: any Decoder) throws {
    duration = .seconds(try decoder.json.number(in: 0...1_000_000_000))
  }
}

/// The label of an activity that the setup declares; everything else names it by that.
struct ActivityLabel: Decodable, Sendable, CustomStringConvertible {
  /// A label where it is declared: letters and digits.
  struct New: JSONName {
    static let expected = "a label of letters and digits"
    let description: String

    init?(_ text: String) {
      let isLabel = text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: false
        }
      }
      guard isLabel, !text.isEmpty else { return nil }
      description = text
    }
  }

  /// The labels that the vector declares, for its parts while they are read.
  static let declared = CodingUserInfoKey(rawValue: "activities")

  let description: String

  init(from decoder: any Decoder) throws {
    description = try decoder.json.text()
    let declared = Self.declared.flatMap { decoder.userInfo[$0] } as? Set<String>
    guard declared?.contains(description) == true else {
      throw decoder.json.failure(.unknownValue, "the label of an activity of the setup")
    }
  }
}

/// How a session is dismissed.
enum VectorAnimation: String, JSONWord {
  case standard, commit, decline

  var reason: Scene.DestructionReason {
    switch self {
    case .standard: .standard
    case .commit: .commit
    case .decline: .decline
    }
  }
}
