// SPDX-License-Identifier: Apache-2.0

import Testing

/// Each rule reports a violation that was planted for it, and is silent about tidy files.
@Suite struct RuleTests {
  struct Planted: Sendable, CustomTestStringConvertible {
    let rule: Rule
    let path: String
    let text: String
    /// The line that the rule has to name; nil where it has to be silent.
    let line: Int?

    init(_ rule: Rule, _ path: String, _ text: String, line: Int?) {
      self.rule = rule
      self.path = path
      self.text = text
      self.line = line
    }

    var testDescription: String { "\(rule.name) in \(path), line \(line ?? 0)" }
  }

  static let source = "Sources/Proscenium/Stage.swift"
  static let article = "Sources/Proscenium/Documentation.docc/Stage.md"
  static let error = "Sources/Proscenium/StageError.swift"
  static let licence = "// SPDX-License-Identifier: Apache-2.0\n"
  static let glossary = """
    # Glossary

    ## Words that are not used

    | never | instead |
    |---|---|
    | hydrate, attach | restore, connect |

    ## Words of another style

    | never | instead |
    |---|---|
    | nobody, once more | no one, again |

    """

  /// The neighbours of a planted file: what its links and examples may name.
  static func tree(with planted: Planted) -> SourceTree {
    let neighbours = [
      SourceFile(path: "Docs/GLOSSARY.md", text: glossary),
      SourceFile(
        path: "Docs/ERRORS.md",
        text: "# Errors\n## StageError\n| `noStage` | | |\n## Other\n| `dark` | |\n"),
      SourceFile(
        path: "Docs/SEMANTICS.md", text: "# Semantics\n## Launch\n### R-ID-1\n### SEQ-LAUNCH\n"),
      SourceFile(path: "Docs/STYLE.md", text: "# Style\n\n## Why, and how\n"),
      SourceFile(
        path: "Docs/Examples/Notepad/Notepad.swift",
        text: "struct Notepad {\n    func open() {\n      print(1)\n    }\n}\n"),
    ]
    return SourceTree(
      files: [SourceFile(path: planted.path, text: planted.text)]
        + neighbours.filter { $0.path != planted.path },
      otherPaths: ["Docs/Pictures/stage.svg"])
  }

  static func body(lines: Int) -> String {
    String(repeating: "    print(1)\n", count: lines)
  }

  static let sizes: [Planted] = [
    Planted(.fileLength, source, String(repeating: "\n", count: 401), line: 401),
    Planted(.fileLength, source, String(repeating: "\n", count: 400), line: nil),
    Planted(.lineLength, source, "\n" + String(repeating: "é", count: 101) + "\n", line: 2),
    Planted(.lineLength, source, "\n" + String(repeating: "é", count: 100) + "\n", line: nil),
    Planted(.lineLength, source, "// https://\(String(repeating: "a", count: 100))\n", line: nil),
    Planted(.functionLength, source, "\n  func f() {\n\(body(lines: 69))  }\n", line: 2),
    Planted(.functionLength, source, "\n  func f() {\n\(body(lines: 68))  }\n", line: nil),
    Planted(
      .functionLength, source,
      "  init(\n    _ f: () -> Void = {}\n  ) where A: B\n  {\n\(body(lines: 70))  }\n",
      line: 1),
    Planted(
      .functionLength, source,
      "protocol P {\n  func f()\n  func g()\n}\nlet x = [\n\(body(lines: 90))]\n", line: nil),
    Planted(.functionLength, source, "  func f() {\n  // }\n\(body(lines: 69))  }\n", line: 1),
  ]

  static let texts: [Planted] = [
    Planted(.licenceLine, source, "struct Stage {}\n", line: 1),
    Planted(.licenceLine, source, licence, line: nil),
    Planted(.licenceLine, "scripts/run", "#!/usr/bin/env bash\nset -e\n", line: 2),
    Planted(.licenceLine, "Package.swift", "// swift-tools-version: 6.2\n" + licence, line: nil),
    Planted(.trailingSpace, "Makefile", "all:\n\ttrue \n", line: 2),
    Planted(.trailingSpace, "README.md", "# Title\r\n", line: 1),
    Planted(.trailingSpace, "Makefile", "all:\n\ttrue\n", line: nil),
    Planted(.lastNewline, source, "struct Stage {}", line: 1),
    Planted(.lastNewline, source, "struct Stage {}\n\n", line: 2),
    Planted(.lastNewline, source, "struct Stage {}\n", line: nil),
    Planted(.unfinishedWork, source, "\n// TODO: light\n", line: 2),
    Planted(.unfinishedWork, "Docs/STYLE.md", "# S\nFIXME later\n", line: 2),
    Planted(.unfinishedWork, source, "let TODOs = 1\n", line: nil),
    Planted(.errors, error, "\n  static let noCurtain = Code(\"noCurtain\")\n", line: 2),
    Planted(.errors, error, "  static let noCurtain = Code(name: .noCurtain)\n", line: 1),
    Planted(.errors, error, "  static let dark = Code(rawValue: \"dark\")\n", line: 1),
    Planted(.errors, error, "  static let noStage = Code(\"noStage\", number: 1)\n", line: nil),
    Planted(.fileName, source, licence + "struct Curtain {}\n", line: 1),
    Planted(.fileName, source, "// struct Stage {}\n", line: 1),
    Planted(.fileName, source, "public enum Stage {}\n", line: nil),
    Planted(.fileName, "Sources/A/StageDoor.swift", "extension Stage {\n}\n", line: 1),
    Planted(
      .fileName, "Sources/A/StageDoor.swift", "extension Stage {\n  enum Door {}\n}\n", line: nil),
    Planted(.fileName, "Sources/A/StageDoor+a.swift", "extension Stage.Door {}\n", line: nil),
    Planted(.fileName, "Sources/A/Stage+light.swift", "extension Theatre.Stage {}\n", line: nil),
    Planted(.fileName, "Sources/A/main.swift", "print(1)\n", line: nil),
  ]

  static let markdown: [Planted] = [
    Planted(.title, "README.md", "# One\n\n```sh\n# a comment\n```\n\n# Two\n", line: 7),
    Planted(.title, "README.md", "Text\n", line: 1),
    Planted(.title, "README.md", "# One\n\n```sh\n# a comment\n```\n", line: nil),
    Planted(.links, "README.md", "# T\n[style](Docs/STYLES.md)\n", line: 2),
    Planted(.links, "README.md", "# T\n[style](Docs/STYLE.md#what)\n", line: 2),
    Planted(.links, "Docs/README.md", "# T\n[out](../../elsewhere)\n", line: 2),
    Planted(.links, "Docs/README.md", "# T\n[top](#other)\n", line: 2),
    Planted(
      .links, "Docs/README.md",
      "# T\n[a](STYLE.md#why-and-how) [b](../Docs) [c](#t) [d](https://swift.org) "
        + "![e](Pictures/stage.svg)\n",
      line: nil),
    Planted(.examples, "README.md", "# T\n```swift\nfunc close() {}\n```\n", line: 3),
    Planted(.examples, "README.md", "# T\n```swift\nfunc open() {\n  print(2)\n```\n", line: 3),
    Planted(
      .examples, "README.md", "# T\n```swift\nfunc open() {\n  print(1)\n}\n```\n", line: nil),
    Planted(.examples, article, "# ``T``\n```swift\nopen()\n```\n", line: 3),
    Planted(.examples, article, "# ``T``\n```swift\n  print(1)\n```\n", line: nil),
    Planted(.glossary, article, "# ``T``\nThe scene is attached.\n", line: 2),
    Planted(.glossary, "README.md", "# T\nThe scene is attached.\n", line: 2),
    Planted(.glossary, "README.md", "# T\nSee scene.attach.\n", line: 2),
    Planted(.glossary, source, "/// Hydrates a scene.\n", line: 1),
    Planted(.glossary, "README.md", "# T\nCalls `attach` and `scene.attach`.\n", line: nil),
    Planted(.glossary, source, "/// An unattached scene.\nfunc attach() {}\n", line: nil),
    Planted(.words, source, "\nlet a = 1  // Nobody waits.\n", line: 2),
    Planted(.words, source, "let a = \"try it once more\"\n", line: 1),
    Planted(.words, "Tests/StageTests.swift", "  @Test func `nobody waits`() {}\n", line: 1),
    Planted(.words, "README.md", "# T\nNobody waits.\n", line: 2),
    Planted(.words, "scripts/stage", "#!/bin/sh\n# Nobody waits.\n", line: 2),
    Planted(.words, source, "let nobody = 1  // Nobodys\n", line: nil),
    Planted(.semantics, source, "\n/// It waits (R-ID-2).\n", line: 2),
    Planted(.semantics, source, "/// It waits (semantics#exit).\n", line: 1),
    Planted(.semantics, source, "/// It waits (semantics#launch).\n", line: nil),
    Planted(.semantics, "Tests/StageTests.swift", "/// SEQ-CONNECT\n", line: 1),
    Planted(.semantics, "Docs/SEMANTICS.md", "# T\n### R-ID-1\n", line: 2),
    Planted(.semantics, "Docs/SEMANTICS.md", "# T\n### R-RT-5\n### R-RT-5\n", line: 3),
    Planted(.semantics, source, "/// It waits (R-ID-1, SEQ-LAUNCH).\n", line: nil),
    Planted(.sections, source, "/// It waits (section 2.6).\n", line: 1),
    Planted(.sections, source, "/// As RFC 5869 says in section 3.3.\n", line: nil),
  ]

  static let callSamples = [
    "Task { f() }", "Task(priority: nil) {", "Task.detached {", "try await Task.sleep(for: x)",
    "final class A: @unchecked Sendable {}", "nonisolated(unsafe) var a = 1", "fatalError(\"no\")",
    "let a = try! f()", "let a = ContinuousClock.now", "let a = ContinuousClock().now",
    "let a = Date()", "let a = Int.random(in: 0..<2)", "let a = list.shuffled()", "let a = UUID()",
    "print(1)", "debugPrint(a, to: &b)", "FileHandle.standardOutput.write(data)",
    "internal import Dispatch", "let a = \"\\(Int.random(in: 0..<2))\"",
  ]

  static let calls: [Planted] =
    callSamples.map { Planted(.calls, source, "\n\($0)\n", line: 2) } + [
      Planted(.calls, "Tests/StageTests.swift", "Task {}\n", line: nil),
      Planted(.calls, source, "// Task { }\nlet a = \"Task { }\" /* try! */\n", line: nil),
      Planted(.calls, source, "let a = Int.random(in: 0..<2, using: &generator)\n", line: nil),
      Planted(.calls, source, "page.print(1)\nfootprint(1)\nfunc f() -> Print {}\n", line: nil),
      Planted(.calls, source, "let a = #\"say \"Date()\" \"#\nSubTask()\n", line: nil),
      Planted(.calls, source, "let a = \"\"\"\n  \"Date()\"\n  \"\"\"\n", line: nil),
    ]

  @Test(arguments: sizes + texts + markdown + calls)
  func `a planted violation is reported with its line, a tidy file is not`(_ planted: Planted)
    throws
  {
    let violations = try planted.rule.violations(in: Self.tree(with: planted))
      .filter { $0.path == planted.path }
    #expect(violations.map(\.line) == (planted.line.map { [$0] } ?? []))
  }

  @Test(arguments: BannedCall.all)
  func `every banned call has a sample that plants it`(_ call: BannedCall) throws {
    let found = try Self.callSamples.filter { sample in
      let planted = Planted(.calls, Self.source, sample + "\n", line: 1)
      let violations = try Rule.calls.violations(in: Self.tree(with: planted))
      return violations.contains { $0.subject == call.subject }
    }
    #expect(!found.isEmpty)
  }

  @Test(arguments: Rule.all)
  func `every rule has a planted violation and a tidy file`(_ rule: Rule) {
    let samples = (Self.sizes + Self.texts + Self.markdown + Self.calls)
      .filter { $0.rule.name == rule.name }
    #expect(samples.contains { $0.line != nil })
    #expect(samples.contains { $0.line == nil })
  }

  @Test func `an allowance covers its own subject in its own place only`() {
    let folder = Allowance(path: "Sources/A/", subject: "Date()", reason: "The edge.")
    func violation(_ path: String, _ subject: String) -> Violation {
      Violation(path: path, line: 1, subject: subject, message: "")
    }
    #expect(folder.covers(violation("Sources/A/B.swift", "Date()")))
    #expect(!folder.covers(violation("Sources/A/B.swift", "try!")))
    #expect(!folder.covers(violation("Sources/AB/B.swift", "Date()")))
    let file = Allowance(path: "Sources/A", subject: "Date()", reason: "The edge.")
    #expect(!file.covers(violation("Sources/A/B.swift", "Date()")))
  }
}
