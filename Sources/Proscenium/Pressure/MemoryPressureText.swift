// SPDX-License-Identifier: Apache-2.0

/// Reads what Linux says of its memory; `nil` for a text that is missing or says something else.
enum MemoryPressureText {
  /// The number of `memory.current` or `memory.max`; `max` is none.
  static func bytes(_ text: String?) -> Int? {
    text.flatMap { words(of: $0[...]).first }.flatMap { Int($0) }.flatMap { $0 < 0 ? nil : $0 }
  }

  /// The bytes of files in `memory.stat` that were not used for a while.
  static func inactiveFile(_ text: String?) -> Int? {
    guard let text else { return nil }
    for line in text.split(separator: "\n") {
      let words = words(of: line)
      if words.count == 2, words[0] == "inactive_file" { return bytes(String(words[1])) }
    }
    return nil
  }

  /// In how many percent of ten seconds some task waited, as `memory.pressure` has it.
  static func someOfTenSeconds(_ text: String?) -> Double? {
    guard let text else { return nil }
    for line in text.split(separator: "\n") {
      let words = words(of: line)
      guard words.first == "some" else { continue }
      let value = words.first { $0.hasPrefix("avg10=") }?.dropFirst("avg10=".count)
      return value.flatMap { Double($0) }.flatMap { (0...100).contains($0) ? $0 : nil }
    }
    return nil
  }

  private static func words(of text: Substring) -> [Substring] {
    text.split { $0 == " " || $0 == "\n" || $0 == "\t" }
  }
}
