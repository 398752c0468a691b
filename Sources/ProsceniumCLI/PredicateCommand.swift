// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Proscenium
import ProsceniumJSON
import ProsceniumLoad
import ProsceniumPredicate
import ProsceniumTerminal
import ProsceniumTestKit

/// `proscenium predicate`: what a predicate means to the runtime.
struct PredicateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "predicate",
    abstract: "Shows how a predicate is read, how the router finds it, and what it matches.",
    discussion: """
      The format is a condition on a target content identifier, SELF, as a scene sets it. \
      Docs/ROUTING.md has the language. Arguments fill %@ in their order; an argument that is a \
      JSON list of strings is a list.

      With --match it also says for each text whether the predicate holds, and which part of it. \
      The exit code is 0, or 1 if one of the texts does not match, or 2 if the format is refused; \
      then a caret shows the place.

      EXAMPLES
        proscenium predicate 'SELF BEGINSWITH "news/"'
        proscenium predicate 'SELF IN %@ OR SELF LIKE[c] %@' '["a","b"]' 'notes/*' --match a
      """)

  @Argument(help: "The predicate's format.")
  var format: String

  @Argument(help: "The values of the format's placeholders.")
  var arguments: [String] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("An identifier to evaluate; may be repeated.", valueName: "text"))
  var match: [String] = []

  func run() throws {
    let predicate = try PredicateRefusal.predicate(format, arguments.map(Self.argument))
    var table = TextTable([.left, .left, .left, .left])
    table.add("canonical", predicate.description)
    try Terminal.writeOutput(table.description + Self.indexLines(predicate))
    guard !match.isEmpty else { return }
    var matches = TextTable([.left, .left, .left])
    var isEachMatching = true
    for subject in match {
      let part = predicate.matchedPart(for: subject)
      isEachMatching = isEachMatching && part != nil
      matches.add(
        part == nil ? "no match" : "match", Terminal.printable(subject), part?.description ?? "")
    }
    try Terminal.writeOutput("\n" + matches.description)
    guard isEachMatching else { throw ExitCode(1) }
  }

  /// How the router keeps the predicate, and what asking it costs.
  private static func indexLines(_ predicate: ContentPredicate) -> String {
    let lines = RoutingPlan(predicate).explanation.split(separator: "\n")
    return "index      " + lines.joined(separator: "\n           ") + "\n"
  }

  private static func argument(_ text: String) -> any Sendable {
    guard text.hasPrefix("["),
      let node = try? JSONParser.parse(Array(text.utf8), file: ""), case .list = node.value
    else { return text }
    return node.value.plain
  }
}

/// A format from outside that is refused: where it is, why, and a caret under the place.
struct PredicateRefusal: Error, CustomStringConvertible {
  /// The file and the JSON path, or nil for an argument of the program.
  let place: String?
  let format: String
  let error: PredicateFormatError

  /// Makes the predicate of a format.
  static func predicate(
    _ format: String, _ arguments: [any Sendable] = [], place: @autoclosure () -> String? = nil
  ) throws(PredicateRefusal) -> ContentPredicate {
    do {
      return try ContentPredicate(format: format, arguments: arguments)
    } catch {
      throw PredicateRefusal(place: place(), format: format, error: error)
    }
  }

  var description: String {
    Terminal.oneLine((place.map { "\($0): " } ?? "") + "\(error)") + caret
  }

  // MARK: - The caret

  /// Two lines: the format around the position, and a caret under it.
  private var caret: String {
    guard let position = error.position, (0...format.utf8.count).contains(position) else {
      return ""
    }
    let bytes = Array(format.utf8)
    let isLineEnd = { (byte: UInt8) in byte == 0x0A || byte == 0x0D }
    let start = bytes[..<position].lastIndex(where: isLineEnd).map { $0 + 1 } ?? 0
    let end = bytes[position...].firstIndex(where: isLineEnd) ?? bytes.count
    // A long line is cut on both sides, so that the caret stays under its character.
    let before = Self.shown(bytes[start..<position])
    let after = Self.shown(bytes[position..<end])
    let left = before.count > Self.reach ? "…" + before.suffix(Self.reach) : before
    let right = after.count > Self.reach ? after.prefix(Self.reach) + "…" : after
    return "\n  \(left)\(right)\n  \(String(repeating: " ", count: left.count))^"
  }

  private static let reach = 36

  private static func shown(_ bytes: ArraySlice<UInt8>) -> String {
    Terminal.oneLine(String(decoding: bytes, as: UTF8.self))
  }
}
