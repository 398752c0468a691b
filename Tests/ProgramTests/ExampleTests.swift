// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The programs of Docs/Examples, which pages quote.
@Suite(.timeLimit(.minutes(20))) struct ExampleTests {
  private static let pages = [
    ("ClownTown", "Docs/FIRST-STEPS.md"),
    ("SharedModel", "Docs/SHARED-DATA.md"),
    ("OrderDesk", "Docs/DURABILITY.md"),
    ("JobAgent", "Docs/CLIENTS.md"),
    ("Notepad", "README.md"),
    ("Routing", "Sources/Proscenium/Documentation.docc/TargetingContent.md"),
    ("Predicates", "Sources/ProsceniumPredicate/Documentation.docc/PredicateLanguage.md"),
  ]

  @Test(arguments: pages)
  func `an example prints what its page shows`(example: String, page: String) async throws {
    let run = try await ProgramRun(product: example)
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
    let shown = try Self.plainBlocks(of: page).joined()
    #expect(!run.output.isEmpty && shown.contains(run.output), "\(run.output)")
  }

  /// The fenced blocks of a page that name no language, without their fences.
  private static func plainBlocks(
    of page: String, filePath: String = #filePath
  ) throws -> [Substring] {
    let tests = URL(fileURLWithPath: filePath).deletingLastPathComponent()
    let root = tests.deletingLastPathComponent().deletingLastPathComponent()
    let text = try String(contentsOf: root.appendingPathComponent(page), encoding: .utf8)
    return text.split(separator: "```", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 && $0.element.hasPrefix("\n") }
      .map { $0.element.dropFirst() }
  }
}
