// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumJSON

/// A text of a suite; long ones are written as `{"concat": ["a", {"repeat": "b", "times": 9}]}`.
///
/// It is put together when its case runs, so that a short file cannot fill the memory.
struct SuiteText: Decodable, Sendable {
  /// The largest length in UTF-8 bytes.
  static let byteLimit = 1 << 20

  private let parts: [(text: String, times: Int)]

  init(from decoder: any Decoder) throws {
    let node = decoder.json
    if case .text(let text) = node.value {
      parts = [(text, 1)]
    } else if case .object = node.value {
      parts = try Self.parts(node)
    } else {
      throw node.failure(.wrongType, "a string or an object with \"concat\"")
    }
  }

  var string: String {
    parts.map { String(repeating: $0.text, count: $0.times) }.joined()
  }

  private static func parts(
    _ node: JSONNode
  ) throws(JSONFileError) -> [(text: String, times: Int)] {
    try node.checkKeys("concat")
    var parts: [(text: String, times: Int)] = []
    var byteCount = 0
    for element in try node.member("concat").elements() {
      let part = try part(element)
      parts.append(part)
      // Both factors are at most the limit, so that nothing overflows.
      byteCount += min(part.text.utf8.count, byteLimit) * part.times
      guard byteCount <= byteLimit else {
        throw node.failure(
          .outOfRange, "a text of at most \(byteLimit) bytes", found: "a longer one")
      }
    }
    return parts
  }

  private static func part(_ node: JSONNode) throws(JSONFileError) -> (text: String, times: Int) {
    if case .text(let text) = node.value { return (text, 1) }
    guard case .object = node.value else {
      throw node.failure(.wrongType, "a string or an object with \"repeat\" and \"times\"")
    }
    try node.checkKeys("repeat", "times")
    let text = try node.member("repeat").text()
    return (text, try node.member("times").integer(in: 0...byteLimit))
  }
}

/// An argument of a predicate's format; any JSON value, since the parser has to refuse most.
enum SuiteArgument: Decodable, Sendable {
  case text(SuiteText)
  case list([SuiteArgument])
  case other(JSONValue)

  init(from decoder: any Decoder) throws {
    let node = decoder.json
    switch node.value {
    case .text: self = .text(try SuiteText(from: decoder))
    case .object where try node.optional("concat") != nil:
      self = .text(try SuiteText(from: decoder))
    case .list: self = .list(try [SuiteArgument](from: decoder))
    default: self = .other(node.value)
    }
  }

  /// The value as a program would pass it: a string, a list of strings, or what is neither.
  var value: any Sendable {
    switch self {
    case .text(let text): return text.string
    case .list(let elements):
      let values = elements.map(\.value)
      return values as? [String] ?? values
    case .other(let value): return value.plain
    }
  }
}

/// A number of things, or a position among them.
struct SuiteCount: Decodable, Sendable {
  let value: Int

  init(_ value: Int) {
    self.value = value
  }

  init(from decoder: any Decoder) throws {
    value = try decoder.json.integer(in: 0...Int(UInt32.max))
  }
}

/// The roles that a suite knows.
enum SuiteRole: String, JSONWord {
  case windowApplication, windowExternalDisplay, windowExternalDisplayNonInteractive

  var role: SceneSession.Role { SceneSession.Role(rawValue: rawValue) }
}

/// What a session can be like.
enum SuiteState: String, JSONWord {
  case active, inactive, background, archived

  var isForeground: Bool { self == .inactive || self == .active }

  var activationState: Scene.ActivationState? {
    switch self {
    case .archived: nil
    case .background: .background
    case .inactive: .foregroundInactive
    case .active: .foregroundActive
    }
  }
}
