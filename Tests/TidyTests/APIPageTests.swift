// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// `Docs/API.md` shows the whole public surface of the core, which stays small enough to learn.
@Suite struct APIPageTests {
  private static let path = "Docs/API.md"
  private static let core = "Sources/Proscenium/"
  private static let tree = TidyTests.tree
  private static let surface = Result { try PublicSurface(of: core, in: tree.get()) }

  @Test func `the page shows what the sources declare`() throws {
    let page = try Self.surface.get().page
    if ProcessInfo.processInfo.environment["PROSCENIUM_WRITE_API"] != nil {
      let file = SourceTree.root().appendingPathComponent(Self.path)
      return try page.write(to: file, atomically: true, encoding: .utf8)
    }
    let shown = try Self.tree.get().file(at: Self.path)?.lines ?? []
    let right = SourceFile(path: Self.path, text: page).lines
    let change = right.difference(from: shown)
    let first = change.prefix(5).map { "\($0)" }.joined(separator: "\n")
    #expect(
      change.isEmpty,
      "PROSCENIUM_WRITE_API=1 swift test --filter APIPage writes the page again:\n\(first)")
  }

  @Test func `there are at most 99 types and 140 functions`() throws {
    let surface = try Self.surface.get()
    #expect(surface.typeCount <= 99)
    #expect(surface.functionCount <= 140)
  }

  @Test func `each type is used by a page, an example or the kit`() throws {
    let users = try Self.tree.get().files.filter { file in
      if file.path == Self.path || file.path == "Docs/CHANGELOG.md" { return false }
      return ["Docs/", "Sources/Proscenium/Documentation.docc/", "Sources/ProsceniumTestKit/"]
        .contains { file.path.hasPrefix($0) }
    }
    let words = users.reduce(into: Set<Substring>()) { words, file in
      words.formUnion(file.text.split { !$0.isLetter })
    }
    let unused = try Self.surface.get().names.filter { name in
      !words.contains(name.split(separator: ".").last ?? "")
    }
    #expect(unused == [])
  }

  @Test func `a declaration is read with its comment, a requirement and its default once`() throws {
    let text = """
      /// A stage. It has more.
      public struct Stage: Sendable {
        /// The light, see ``Lamp/isOn``.
        public private(set) var light = Lamp(1)
        let hidden = 1
        /// Opens it.
        ///
        /// Once.
        @discardableResult
        public nonisolated func open(
          _ curtain: Curtain, at speed: [Int] = []
        ) async throws(StageError) -> Bool {
          let public = 1
        }
        /// Kinds.
        public enum Kind {
          /// A big one.
          case big(Int)
        }
      }
      /// Plays.
      public protocol Play {
        /// Begins.
        func begin(on stage: Stage)
      }
      extension Play {
        /// Does nothing.
        public func begin(on stage: Stage) {}
      }

      """
    let tree = SourceTree(files: [SourceFile(path: Self.core + "Stage.swift", text: text)])
    let surface = try PublicSurface(of: Self.core, in: tree)
    #expect(surface.typeCount == 3)
    #expect(surface.functionCount == 2)
    let lines = surface.page.split(separator: "\n").drop { !$0.hasPrefix("## ") }
    #expect(
      lines == [
        "## Play", "`protocol Play`: Plays.", "- `func begin(on stage: Stage)`: Begins.",
        "## Stage", "`struct Stage: Sendable`: A stage.",
        "- `var light = Lamp(1)`: The light, see `Lamp.isOn`.",
        "- `func open(_ curtain: Curtain, at speed: [Int] = []) async throws(StageError) -> Bool`: "
          + "Opens it.",
        "## Stage.Kind", "`enum Kind`: Kinds.", "- `case big(Int)`: A big one.",
      ])
  }
}
