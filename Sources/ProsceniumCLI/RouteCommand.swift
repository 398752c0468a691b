// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
import ArgumentParser
import Proscenium
import ProsceniumLoad
import ProsceniumPredicate
import ProsceniumTerminal
import ProsceniumTestKit

/// `proscenium route`: which session would get the content of an identifier, and why.
struct RouteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "route",
    abstract: "Says which session gets an identifier's content, and why.",
    discussion: """
      FILE is a JSON list of sessions. Only "id" is required, any unique text:

        [{"id": "inbox"},
         {"id": "tab-1", "prefers": "SELF == 'news/1'", "state": "background"},
         {"id": "tab-2", "can": "SELF BEGINSWITH 'notes/'", "lastActivated": 7}]

      "can" (TRUEPREDICATE) and "prefers" (FALSEPREDICATE) are predicates on the identifier, \
      "role" is windowApplication unless given, "lastActivated" (0) grows with each activation, \
      and "state" is active, inactive, background or archived (archived). Docs/ROUTING.md says \
      how routing decides.

      Each identifier gives one line: the identifier, the rule that decided, and the session, or \
      '-' for a new one. With --json each is an object on a line of its own.

      EXAMPLES
        proscenium route --conditions sessions.json --identifier news/1 notes/4
        proscenium route --conditions - --identifier news/1 --explain < sessions.json
        proscenium route --conditions sessions.json --identifier news/1 --json --explain
      """)

  @Option(
    help: ArgumentHelp(
      "The sessions and their conditions; '-' is standard input.", valueName: "file"))
  var conditions: String

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "The target content identifiers; write --identifier=-x for one that begins with a dash.",
      valueName: "id"))
  var identifier: [String]

  @Flag(help: "Also show the candidates, what matched, and what decided among them.")
  var explain = false

  @Flag(help: "Write JSON.")
  var json = false

  func run() throws {
    let file = try ConditionsFile(FileContents.read(conditions), name: conditions)
    // All are decided before anything is written: an identifier that is refused leaves no half.
    let choices = try identifier.map { (identifier: $0, choice: try file.route($0)) }
    if json {
      for (identifier, choice) in choices {
        var members = [
          JSONMember("identifier", .text(identifier)),
          JSONMember("rule", .text(choice.rule.rawValue)),
          JSONMember("session", choice.session.map { .text($0.description) } ?? .null),
        ]
        if explain { members += file.explain(identifier).members }
        try Terminal.writeOutput("\(JSONValue.object(members))\n")
      }
    } else if explain {
      let texts = identifier.map { file.explain($0).description }
      try Terminal.writeOutput(texts.joined(separator: "\n\n") + "\n")
    } else {
      var table = TextTable([.left, .left, .left])
      for (identifier, choice) in choices {
        table.add(
          Terminal.printable(identifier), choice.rule.rawValue,
          choice.session.map { Terminal.printable($0.description) } ?? "-")
      }
      try Terminal.writeOutput(table.description)
    }
  }
}

extension RoutingExplanation {
  /// What an explanation adds to the decision, as members of its JSON object.
  fileprivate var members: [JSONMember] {
    [
      JSONMember("candidateCount", .integer(candidateCount)),
      JSONMember("decidedBy", decidedBy.map { .text($0.rawValue) } ?? .null),
      JSONMember(
        "candidates",
        .list(
          candidates.map { candidate in
            .object(
              [
                JSONMember("session", .text(candidate.session.description)),
                JSONMember("state", .text(candidate.stateName)),
                JSONMember("lastActivated", .integer(Int(clamping: candidate.lastActivated))),
              ] + (candidate.match?.members ?? []))
          })),
    ]
  }
}

extension RoutingExplanation.Match {
  fileprivate var members: [JSONMember] {
    [
      JSONMember("condition", .text(condition.rawValue)),
      JSONMember("predicate", .text(predicate.description)),
      JSONMember("matched", .text(part.description)),
    ]
  }
}
