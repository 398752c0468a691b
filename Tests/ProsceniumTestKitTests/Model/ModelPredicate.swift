// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
import ProsceniumPredicate

@testable import ProsceniumTestKit

/// A predicate of a vector, or the code with which it is refused.
enum ModelPredicate: Hashable {
  case predicate(ContentPredicate)
  case refused(code: String)

  /// Reads a format, a format with arguments, or `{"block": true}`.
  init(_ node: JSONNode) throws(JSONFileError) {
    if case .text(let format) = node.value {
      self.init(format: format, [])
      return
    }
    try node.checkKeys("format", "arguments", "block")
    if try node.optional("block") != nil {
      self = .refused(code: "blockNotAllowed")
      return
    }
    self.init(
      format: try node.member("format").text(), try Self.arguments(node.optional("arguments")))
  }

  init(format: String, _ arguments: [any Sendable]) {
    do {
      self = .predicate(try ContentPredicate(format: format, arguments: arguments))
    } catch {
      self = .refused(code: "\(error.code)")
    }
  }

  static func arguments(_ node: JSONNode?) throws(JSONFileError) -> [any Sendable] {
    try node?.elements().map(\.value.plain) ?? []
  }
}

/// The conditions of a session: which content it can show, and which it prefers.
struct ModelConditions: Hashable {
  var can = ContentPredicate.true
  var prefers = ContentPredicate.false

  init() {}

  /// Reads what a setup says; refuses predicates that cannot be made.
  init(_ node: JSONNode) throws(JSONFileError) {
    try node.checkKeys("can", "prefers")
    try apply(node.optional("can"), to: \.can)
    try apply(node.optional("prefers"), to: \.prefers)
  }

  private mutating func apply(
    _ node: JSONNode?, to field: WritableKeyPath<Self, ContentPredicate>
  ) throws(JSONFileError) {
    guard let node else { return }
    guard case .predicate(let predicate) = try ModelPredicate(node) else {
      throw node.failure(.unknownValue, "a legal predicate")
    }
    self[keyPath: field] = predicate
  }
}
