// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// How a log spells what callbacks are given.
enum LogText {
  private static let plainCharacters = Set("_.~:/?#@!$&'*+;=%|-".utf8)

  /// A text as it is, or in quotes if it could be mistaken for something else.
  static func atom(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: plainCharacters.contains(byte)
      }
    }
    return isPlain && !text.isEmpty && text != "nil" ? text : quoted(text)
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
    var parts: [String] = []
    if !options.urlContexts.isEmpty {
      parts.append("url:[\(list(options.urlContexts.map(\.url)))]")
    }
    if let type = options.handoffUserActivityType { parts.append("handoff:\(atom(type))") }
    if !options.userActivities.isEmpty {
      parts.append("act:[\(list(options.userActivities.map { label($0) }))]")
    }
    if let response = options.notificationResponse {
      parts.append("notif:\(atom(response.identifier))")
    }
    if let item = options.shortcutItem { parts.append("shortcut:\(atom(item.type))") }
    if let share = options.shareMetadata { parts.append("share:\(atom(share.identifier))") }
    return "{\(parts.joined(separator: ", "))}"
  }
}
