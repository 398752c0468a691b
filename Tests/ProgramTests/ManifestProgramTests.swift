// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// `proscenium manifest`, as its users meet it.
@Suite(.timeLimit(.minutes(20))) struct ManifestProgramTests {
  private let folder: TemporaryFolder
  private let page: ManifestPage

  init() throws {
    folder = try TemporaryFolder()
    page = try ManifestPage()
  }

  private static let bare = "<plist><dict><key>CFBundleVersion</key><real>1</real></dict></plist>"
  private static let wrong = """
    <plist><dict><key>UIApplicationSceneManifest</key><dict>
    <key>UISceneConfigurations</key><dict><key>A</key><array><dict>
    <key>UISceneConfigurationName</key><true/></dict></array></dict></dict></dict></plist>
    """
  private static let wrongPath =
    "UIApplicationSceneManifest.UISceneConfigurations.A[0].UISceneConfigurationName"

  @Test func `a manifest is the table that its page shows`() async throws {
    let file = try folder.file("Info.plist", page.file)
    let run = try await ProgramRun(["manifest", file])
    #expect(run.status == 0)
    #expect(run.output == page.table(at: file))
    #expect(run.errors.isEmpty)
  }

  @Test func `a manifest is the JSON that its page shows`() async throws {
    let file = try folder.file("Info.plist", page.file)
    let run = try await ProgramRun(["manifest", "--json", file])
    #expect(run.status == 0)
    #expect(run.output == page.json(at: file))
    #expect(run.errors.isEmpty)
  }

  @Test func `the binary form shows the same`() async throws {
    let properties = try unsafe PropertyListSerialization.propertyList(
      from: Data(page.file.utf8), format: nil)
    let binary = try PropertyListSerialization.data(
      fromPropertyList: properties, format: .binary, options: 0)
    let run = try await ProgramRun(["manifest", folder.file("Info.plist", binary)])
    #expect(run.status == 0)
    // Foundation writes the roles in any order.
    let lines = { (text: String) in text.split(separator: "\n").sorted() }
    #expect(
      lines(run.output).filter { $0.hasPrefix(" ") }
        == lines(page.table).filter { $0.hasPrefix(" ") })
  }

  @Test func `a file without a scene manifest says so`() async throws {
    let file = try folder.file("Info.plist", Self.bare)
    #expect(try await ProgramRun(["manifest", file]).output == "\(file)\n  no scene manifest\n")
    #expect(
      try await ProgramRun(["manifest", file, "--json"]).output
        == "[{\"file\": \"\(file)\", \"manifest\": null, \"activityTypes\": []}]\n")
  }

  @Test func `build settings have the values that are given`() async throws {
    let file = try folder.file("Info.plist", page.file)
    for flags in [[], ["--json"]] {
      let run = try await ProgramRun(
        ["manifest", file, "--set", "PRODUCT_MODULE_NAME=My=Notes", "--set", "A="] + flags)
      #expect(run.status == 0)
      #expect(run.output.contains("My=Notes.EditorDelegate"))
    }
  }

  @Test func `a broken file is left out, and the others are shown`() async throws {
    let one = try folder.file("one.plist", Self.bare)
    let two = try folder.file("two.plist", Self.wrong)
    let three = try folder.file("three.plist", String(page.file.dropLast(100)))
    let none = folder.path + "/none.plist"
    let run = try await ProgramRun(["manifest", one, two, none, three, one])
    #expect(run.status == 2)
    #expect(run.output == "\(one)\n  no scene manifest\n\n\(one)\n  no scene manifest\n")
    let errors = run.errors.split(separator: "\n")
    try #require(errors.count == 3)
    let sentence = "expected a string, found true (line 3, column 36)."
    #expect(errors[0] == "proscenium: \(two): \(Self.wrongPath): \(sentence)")
    #expect(errors[1] == "proscenium: \(none): expected a file, found none.")
    #expect(errors[2].hasPrefix("proscenium: \(three): expected "))

    let json = try await ProgramRun(["manifest", two, one, "--json"])
    #expect(json.status == 2)
    #expect(
      json.output == "[{\"file\": \"\(one)\", \"manifest\": null, \"activityTypes\": []}]\n")
    #expect(json.errorLines == 1)
    #expect(try await ProgramRun(["manifest", two, "--json"]).output == "[]\n")
  }

  @Test func `a manifest is read from standard input`() async throws {
    let good = try folder.file("Info.plist", Self.bare)
    let run = try await ProgramRun(shell: "\"$program\" manifest --json - < '\(good)'")
    #expect(run.output == "[{\"file\": \"-\", \"manifest\": null, \"activityTypes\": []}]\n")
    let bad = try folder.file("Bad.plist", Self.wrong)
    let refused = try await ProgramRun(shell: "\"$program\" manifest - < '\(bad)'")
    #expect(refused.status == 2)
    #expect(refused.errors.hasPrefix("proscenium: standard input: \(Self.wrongPath): "))
  }

  @Test func `a file cannot drive the terminal`() async throws {
    let text = page.file.replacing("Editor<", with: "a\u{9B}31m\u{7}<")
      .replacing("UIApplicationSupportsTabbedSceneCollection", with: "b\u{9B}31m\n\u{7F}")
    let file = try folder.file("Info.plist", text)
    let broken = try folder.file(
      "Bad.plist", Self.wrong.replacing("<key>A</key>", with: "<key>A\u{9B}\n\u{1B}[31m</key>"))
    let run = try await ProgramRun(["manifest", file, broken])
    #expect(run.status == 2)
    #expect(run.errorLines == 1)
    for text in [run.output, run.errors] {
      #expect(
        !text.unicodeScalars.contains { "\u{1B}\u{9B}\u{7}\u{7F}".unicodeScalars.contains($0) })
    }
  }

  @Test(
    arguments: [
      ["manifest"], ["manifest", "/"], ["manifest", "/no/such/file"],
      ["manifest", "--set", "A", "/"], ["manifest", "--set", "=a", "/"],
      ["manifest", "/", "--verbose"],
    ])
  func `what cannot be used is refused in one line`(arguments: [String]) async throws {
    let run = try await ProgramRun(arguments)
    #expect(run.isExit)
    #expect(run.status == 2)
    #expect(run.output.isEmpty)
    #expect(run.errors.hasPrefix("proscenium: "))
    #expect(run.errorLines == 1, "\(run.errors)")
  }

  @Test func `the help has examples`() async throws {
    let run = try await ProgramRun(["manifest", "--help"])
    #expect(run.status == 0)
    #expect(run.output.contains("EXAMPLES"))
  }
}
