// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Writes a state as JSON for people.
struct StateJSONWriter {
  private(set) var text = ""
  private var indentation = 0
  private let dataLimit: Int

  init(dataLimit: Int) {
    self.dataLimit = dataLimit
  }

  mutating func write(_ state: SavedState, _ version: StateVersion) {
    lines("{", "}", [state]) { writer, state in
      writer.text += "\"version\": \(version)"
      if let activity = state.activity {
        writer.next("activity")
        writer.write(activity)
      }
      if let userInfo = state.userInfo {
        writer.next("userInfo")
        writer.dictionary(userInfo, depth: 1)
      }
      if !state.snapshots.isEmpty {
        writer.next("snapshots")
        writer.dictionary(state.snapshots.mapValues { UserInfoValue.data($0) }, depth: 1)
      }
      if state.wakeList != WakeList() { writer.write(state.wakeList) }
    }
  }

  private mutating func write(_ list: WakeList) {
    next("lastWake")
    text += "\(list.last)"
    if list.wakes.isEmpty { return }
    next("wakes")
    lines("[", "]", list.wakes) { writer, wake in
      writer.lines("{", "}", [wake]) { writer, wake in
        writer.text += "\"id\": \(wake.id)"
        writer.next("date")
        writer.date(wake.date)
        writer.next("activity")
        writer.write(wake.activity)
      }
    }
  }

  private mutating func write(_ activity: UserActivity) {
    lines("{", "}", [activity]) { writer, activity in
      writer.text += "\"activityType\": "
      writer.string(activity.activityType)
      writer.next("title", activity.title)
      writer.next("targetContentIdentifier", activity.targetContentIdentifier)
      writer.next("webpageURL", activity.webpageURL)
      writer.next("persistentIdentifier", activity.persistentIdentifier)
      if !activity.requiredUserInfoKeys.isEmpty {
        writer.next("requiredUserInfoKeys")
        let keys = activity.requiredUserInfoKeys.sorted(by: Self.precedes)
        writer.array(keys.map { UserInfoValue.string($0) }, depth: 1)
      }
      if let date = activity.expirationDate {
        writer.next("expirationDate")
        writer.date(date)
      }
      if !activity.userInfo.isEmpty {
        writer.next("userInfo")
        writer.dictionary(activity.userInfo, depth: 1)
      }
    }
  }

  private mutating func next(_ name: String, _ value: String?) {
    guard let value else { return }
    next(name)
    string(value)
  }

  /// Begins another member of an object.
  private mutating func next(_ name: String) {
    text += ","
    newLine()
    text += "\"\(name)\": "
  }

  /// Writes elements on lines of their own, between brackets.
  private mutating func lines<Element>(
    _ opening: String, _ closing: String, _ elements: [Element],
    _ write: (inout StateJSONWriter, Element) -> Void
  ) {
    text += opening
    indentation += 1
    for (index, element) in elements.enumerated() {
      if index > 0 { text += "," }
      newLine()
      write(&self, element)
    }
    indentation -= 1
    if !elements.isEmpty { newLine() }
    text += closing
  }

  private mutating func newLine() {
    text += "\n" + String(repeating: "  ", count: indentation)
  }

  private static func precedes(_ left: String, _ right: String) -> Bool {
    left.utf8.lexicographicallyPrecedes(right.utf8)
  }
}

extension StateJSONWriter: SavedValueSink {
  mutating func null() { text += "null" }
  mutating func boolean(_ value: Bool) { text += "\(value)" }
  mutating func integer(_ value: Int64) { text += "\(value)" }

  mutating func real(_ value: Double) {
    text += value.isFinite ? "\(value)" : "{\"$real\": \"\(value.isNaN ? "nan" : "\(value)")\"}"
  }

  mutating func date(_ value: Date) {
    let seconds = value.timeIntervalSinceReferenceDate
    text += "{\"$date\": "
    if let moment = CivilTime(secondsSinceReferenceDate: seconds) {
      text += "\"\(moment)\""
    } else {
      real(seconds)
    }
    text += "}"
  }

  mutating func url(_ value: String) {
    text += "{\"$url\": "
    string(value)
    text += "}"
  }

  mutating func data(_ value: [UInt8]) {
    text += "{"
    if value.count <= dataLimit { text += "\"$data\": \"\(Data(value).base64EncodedString())\", " }
    text += "\"$bytes\": \(value.count)}"
  }

  mutating func string(_ value: String) {
    text += "\""
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
    text += "\""
  }

  mutating func array(_ values: [UserInfoValue], depth: Int) {
    if isTooDeep(depth) { return }
    lines("[", "]", values) { $0.value($1, depth) }
  }

  mutating func set(_ values: Set<UserInfoValue>, depth: Int) {
    if isTooDeep(depth) { return }
    text += "{\"$set\": "
    var member = self
    member.indentation += 1
    // Members have no order but that of their texts.
    let texts = values.map { value in
      member.text = ""
      member.value(value, depth)
      return member.text
    }
    lines("[", "]", texts.sorted(by: Self.precedes)) { $0.text += $1 }
    text += "}"
  }

  mutating func dictionary(_ values: [String: UserInfoValue], depth: Int) {
    if isTooDeep(depth) { return }
    let isTagged = values.keys.contains { $0.utf8.first == UInt8(ascii: "$") }
    if isTagged { text += "{\"$dictionary\": " }
    lines("{", "}", values.sorted { Self.precedes($0.key, $1.key) }) { writer, entry in
      writer.string(entry.key)
      writer.text += ": "
      writer.value(entry.value, depth)
    }
    if isTagged { text += "}" }
  }

  private mutating func value(_ value: UserInfoValue, _ depth: Int) {
    // The writer takes everything; what it is handed over by may throw for others.
    try? value.write(to: &self, depth: depth)
  }

  /// Replaces what no decoded state has: it could be so deep that the stack does not suffice.
  private mutating func isTooDeep(_ depth: Int) -> Bool {
    guard depth > SavedStateLimits.greatestDepth else { return false }
    text += "{\"$omitted\": \"deeper than \(SavedStateLimits.greatestDepth)\"}"
    return true
  }
}
