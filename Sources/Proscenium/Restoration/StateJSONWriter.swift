// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension SavedState {
  /// The state as JSON for people, in lines, with keys in the order of their bytes.
  ///
  /// Equal states have the same text if their texts have the same bytes. What JSON has no word for
  /// is an object with a tag: `{"$data": "AQI=", "$bytes": 2}`, `{"$date": "2026-05-01T12:00:00Z"}`
  /// with up to nine digits of a fraction, `{"$url": "…"}`, `{"$set": […]}` and
  /// `{"$real": "nan"}`. An object in which one key of the state begins with `$` has the tag
  /// `$dictionary`. A date before March of the year 0 or after 9999 is given in seconds since the
  /// reference date.
  /// Characters that a terminal would obey are escaped.
  ///
  /// - Parameters:
  ///   - version: The application's version of the state.
  ///   - dataLimit: How many bytes data may have to be shown; of more there is only `$bytes`.
  /// - Returns: The text, with a line feed at its end.
  public func json(version: StateVersion = .unstamped, dataLimit: Int = .max) -> String {
    StateJSONWriter(dataLimit: dataLimit).json(self, version) + "\n"
  }
}

/// Writes a state as JSON for people; what it writes begins at a level of indentation.
private struct StateJSONWriter {
  let dataLimit: Int

  func json(_ state: SavedState, _ version: StateVersion) -> String {
    let wakes = state.wakeList
    return object(
      [
        ("version", "\(version)"),
        ("activity", state.activity.map { json($0, level: 1) }),
        ("userInfo", state.userInfo.map { json(.dictionary($0), level: 1) }),
        (
          "snapshots",
          state.snapshots.isEmpty
            ? nil : json(.dictionary(state.snapshots.mapValues { .data($0) }), level: 1)
        ),
        ("lastWake", wakes == WakeList() ? nil : "\(wakes.last)"),
        (
          "wakes",
          wakes.wakes.isEmpty
            ? nil : lines("[", wakes.wakes.map { json($0, level: 2) }, "]", level: 1)
        ),
        (
          "lastInputs",
          state.clients.clients.isEmpty
            ? nil
            : object(state.clients.clients.map { ("\($0.identifier)", "\($0.last)") }, level: 1)
        ),
      ], level: 0)
  }

  private func json(_ wake: Wake, level: Int) -> String {
    object(
      [
        ("id", "\(wake.id)"), ("date", json(.date(wake.date), level: level)),
        ("activity", json(wake.activity, level: level + 1)),
      ], level: level)
  }

  private func json(_ activity: UserActivity, level: Int) -> String {
    let keys = activity.requiredUserInfoKeys.sorted(by: Self.precedes)
    func field(_ value: UserInfoValue?) -> String? { value.map { json($0, level: level + 1) } }
    return object(
      [
        ("activityType", string(activity.activityType)),
        ("title", activity.title.map(string)),
        ("targetContentIdentifier", activity.targetContentIdentifier.map(string)),
        ("webpageURL", activity.webpageURL.map(string)),
        ("persistentIdentifier", activity.persistentIdentifier.map(string)),
        ("requiredUserInfoKeys", keys.isEmpty ? nil : field(.array(keys.map { .string($0) }))),
        ("expirationDate", field(activity.expirationDate.map { .date($0) })),
        ("userInfo", activity.userInfo.isEmpty ? nil : field(.dictionary(activity.userInfo))),
      ], level: level)
  }

  /// An object with those of some members that there are.
  private func object(_ members: [(name: String, json: String?)], level: Int) -> String {
    let present = members.compactMap { name, json in json.map { "\"\(name)\": \($0)" } }
    return lines("{", present, "}", level: level)
  }

  /// Elements on lines of their own, between brackets.
  private func lines(
    _ opening: String, _ elements: [String], _ closing: String, level: Int
  ) -> String {
    if elements.isEmpty { return opening + closing }
    let line = "\n" + String(repeating: "  ", count: level)
    return opening + elements.map { "\(line)  \($0)" }.joined(separator: ",") + line + closing
  }

  private static func precedes(_ left: String, _ right: String) -> Bool {
    left.utf8.lexicographicallyPrecedes(right.utf8)
  }

  // MARK: - Values

  private func json(_ value: UserInfoValue, level: Int, depth: Int = 1) -> String {
    // What no decoded state has could be so deep that the stack does not suffice.
    let limit = SavedStateLimits.greatestDepth
    if depth > limit, value.array != nil || value.dictionary != nil || value.set != nil {
      return "{\"$omitted\": \"deeper than \(limit)\"}"
    }
    func inner(_ value: UserInfoValue) -> String {
      json(value, level: level + 1, depth: depth + 1)
    }
    switch value {
    case .null: return "null"
    case .boolean(let value): return "\(value)"
    case .integer(let value): return "\(value)"
    case .real(let value): return json(value)
    case .date(let date): return "{\"$date\": \(json(date))}"
    case .string(let text): return string(text)
    case .url(let text): return "{\"$url\": \(string(text))}"
    case .data(let data):
      let size = "\"$bytes\": \(data.count)"
      if data.count > dataLimit { return "{\(size)}" }
      return "{\"$data\": \"\(Data(data).base64EncodedString())\", \(size)}"
    case .array(let values): return lines("[", values.map(inner), "]", level: level)
    case .set(let values):
      // Members have no order but that of their texts.
      let members = values.map(inner).sorted(by: Self.precedes)
      return "{\"$set\": \(lines("[", members, "]", level: level))}"
    case .dictionary(let values):
      let entries = values.sorted { Self.precedes($0.key, $1.key) }
      let text = lines(
        "{", entries.map { "\(string($0.key)): \(inner($0.value))" }, "}", level: level)
      let isTagged = values.keys.contains { $0.utf8.first == UInt8(ascii: "$") }
      return isTagged ? "{\"$dictionary\": \(text)}" : text
    }
  }

  private func json(_ real: Double) -> String {
    real.isFinite ? "\(real)" : "{\"$real\": \"\(real.isNaN ? "nan" : "\(real)")\"}"
  }

  private func json(_ date: Date) -> String {
    let seconds = date.timeIntervalSinceReferenceDate
    guard (-63_140_342_400..<252_423_993_600).contains(seconds) else { return json(seconds) }
    let whole = seconds.rounded(.down)
    let nanoseconds = Int64(((seconds - whole) * 1e9).rounded())
    let (carry, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    let time = CivilTime(secondsSince1970: Int64(whole) + carry + 978_307_200)
    // Nine digits behind a one, without the zeros at the end.
    var fraction = "\(1_000_000_000 + rest)".dropFirst()
    while fraction.last == "0" { fraction.removeLast() }
    return "\"\(time.text())\(fraction.isEmpty ? "" : "." + fraction)Z\""
  }

  private func string(_ value: String) -> String {
    var text = "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\t": text += "\\t"
      // Controls, line separators, and what turns the direction of the text that follows.
      case "\0"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}"..."\u{202E}", "\u{2066}"..."\u{2069}",
        "\u{FEFF}":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }
}
