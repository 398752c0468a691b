// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// How a log spells what callbacks are given.
enum LogText {
  /// A text as it is, or in quotes if it could be mistaken for something else.
  static func atom(_ text: String) -> String {
    TimelineText.isPlain(text) ? text : quoted(text)
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// Texts in the order of their bytes.
  static func list(_ texts: [String]) -> String {
    texts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map(atom).joined(separator: ", ")
  }

  /// The label of an activity, which is its title.
  static func label(_ activity: UserActivity?) -> String {
    activity?.title ?? "nil"
  }

  /// What a scene is connected for.
  static func options(_ options: Scene.ConnectionOptions) -> String {
    TimelineText.options(
      options, atom: atom, urls: list, activities: { list($0.map { label($0) }) })
  }
}
