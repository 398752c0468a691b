// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON

/// An argument of a predicate's format; any JSON value, since the parser has to refuse most.
enum SuiteArgument: Sendable {
  case text(SuiteText)
  case list([SuiteArgument])
  case other(JSONValue)

  init(_ node: JSONNode) throws(JSONFileError) {
    switch node.value {
    case .text: self = .text(try SuiteText(node))
    case .object where try node.optional("concat") != nil: self = .text(try SuiteText(node))
    case .list:
      var elements: [SuiteArgument] = []
      for element in try node.elements() { elements.append(try SuiteArgument(element)) }
      self = .list(elements)
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
