// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
import ProsceniumPredicate

/// A predicate as a suite writes it, not parsed yet: that is part of what is tested.
enum PredicateText: Sendable {
  case format(String, arguments: [SuiteArgument])
  /// A predicate that is code, which the type system keeps from being made.
  case block

  /// Reads a format, one with arguments, or a block.
  init(_ node: JSONNode) throws(JSONFileError) {
    if case .text(let format) = node.value {
      self = .format(format, arguments: [])
    } else if let block = try node.optional("block") {
      try node.checkKeys("block")
      guard try block.bool() else { throw block.failure(.unknownValue, "true") }
      self = .block
    } else {
      try node.checkKeys("format", "arguments")
      self = try Self.formatWithArguments(node)
    }
  }

  /// Reads the keys `format` and `arguments` of an object.
  static func formatWithArguments(_ node: JSONNode) throws(JSONFileError) -> PredicateText {
    var arguments: [SuiteArgument] = []
    for argument in try node.optional("arguments")?.elements() ?? [] {
      arguments.append(try SuiteArgument(argument))
    }
    return .format(try node.member("format").text(), arguments: arguments)
  }

  /// Makes the predicate.
  ///
  /// - Throws: The name of the error code, as a log has it.
  func parse() throws(PredicateRefusal) -> ContentPredicate {
    switch self {
    case .block: throw PredicateRefusal(code: "blockNotAllowed")
    case .format(let format, let arguments):
      do throws(PredicateFormatError) {
        return try ContentPredicate(format: format, arguments: arguments.map(\.value))
      } catch {
        throw PredicateRefusal(code: error.code.description)
      }
    }
  }
}

/// The code of a predicate that cannot be made.
struct PredicateRefusal: Error, Hashable {
  let code: String
}
