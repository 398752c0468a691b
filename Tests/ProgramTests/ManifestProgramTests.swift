// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// `proscenium manifest`, as its users meet it.
@Suite(.timeLimit(.minutes(2))) struct ManifestProgramTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private static let notes = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
    "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    <dict>
      <key>CFBundleVersion</key>
      <string>1</string>
      <key>NSUserActivityTypes</key>
      <array>
        <string>com.example.notes.edit</string>
        <string>com.example.notes.list</string>
      </array>
      <key>UIApplicationSceneManifest</key>
      <dict>
        <key>UIApplicationSupportsMultipleScenes</key>
        <true/>
        <key>UIApplicationSupportsTabbedSceneCollection</key>
        <true/>
        <key>UISceneConfigurations</key>
        <dict>
          <key>UIWindowSceneSessionRoleApplication</key>
          <array>
            <dict>
              <key>UISceneConfigurationName</key>
              <string>Editor</string>
              <key>UISceneDelegateClassName</key>
              <string>$(PRODUCT_MODULE_NAME).EditorDelegate</string>
              <key>UISceneStoryboardFile</key>
              <string>Main</string>
            </dict>
            <dict>
              <key>UISceneConfigurationName</key>
              <string>List</string>
              <key>UISceneClassName</key>
              <string>UIWindowScene</string>
            </dict>
          </array>
          <key>UIWindowSceneSessionRoleExternalDisplayNonInteractive</key>
          <array/>
        </dict>
      </dict>
    </dict>
    </plist>

    """

  private static let notesText = """
      multiple scenes  yes
      activity types   com.example.notes.edit
                       com.example.notes.list
      unknown keys     UIApplicationSceneManifest.UIApplicationSupportsTabbedSceneCollection

      UIWindowSceneSessionRoleApplication
                 configuration  delegate class                         scene class    storyboard
        default  Editor         $(PRODUCT_MODULE_NAME).EditorDelegate  -              Main
                 List           -                                      UIWindowScene  -

      UIWindowSceneSessionRoleExternalDisplayNonInteractive
        no configurations

    """

  private static let notesJSON = """
    "manifest": {"supportsMultipleScenes": true, "configurations": \
    {"UIWindowSceneSessionRoleApplication": [{"name": "Editor", "delegateClass": \
    "$(PRODUCT_MODULE_NAME).EditorDelegate", "sceneClass": null, "storyboard": "Main"}, \
    {"name": "List", "delegateClass": null, "sceneClass": "UIWindowScene", "storyboard": null}], \
    "UIWindowSceneSessionRoleExternalDisplayNonInteractive": []}, "unknownKeys": \
    ["UIApplicationSceneManifest.UIApplicationSupportsTabbedSceneCollection"]}, \
    "activityTypes": ["com.example.notes.edit", "com.example.notes.list"]
    """

  private static let bare = "<plist><dict><key>CFBundleVersion</key><real>1</real></dict></plist>"
  private static let wrong = """
    <plist><dict><key>UIApplicationSceneManifest</key><dict>
    <key>UISceneConfigurations</key><dict><key>A</key><array><dict>
    <key>UISceneConfigurationName</key><true/></dict></array></dict></dict></dict></plist>
    """
  private static let wrongPath =
    "UIApplicationSceneManifest.UISceneConfigurations.A[0].UISceneConfigurationName"

  @Test func `a manifest is a table`() throws {
    let file = try folder.file("Info.plist", Self.notes)
    let run = try ProgramRun(["manifest", file])
    #expect(run.status == 0)
    #expect(run.output == "\(file)\n\(Self.notesText)")
    #expect(run.errors.isEmpty)
  }

  @Test func `a manifest is JSON`() throws {
    let file = try folder.file("Info.plist", Self.notes)
    let run = try ProgramRun(["manifest", "--json", file])
    #expect(run.status == 0)
    #expect(run.output == "[{\"file\": \"\(file)\", \(Self.notesJSON)}]\n")
    #expect(run.errors.isEmpty)
  }

  @Test func `the binary form shows the same`() throws {
    let properties = try unsafe PropertyListSerialization.propertyList(
      from: Data(Self.notes.utf8), format: nil)
    let binary = try PropertyListSerialization.data(
      fromPropertyList: properties, format: .binary, options: 0)
    let run = try ProgramRun(["manifest", folder.file("Info.plist", binary)])
    #expect(run.status == 0)
    // Foundation writes the roles in any order.
    let lines = { (text: String) in text.split(separator: "\n").sorted() }
    #expect(lines(run.output).filter { $0.hasPrefix(" ") } == lines(Self.notesText))
  }

  @Test func `a file without a scene manifest says so`() throws {
    let file = try folder.file("Info.plist", Self.bare)
    #expect(try ProgramRun(["manifest", file]).output == "\(file)\n  no scene manifest\n")
    #expect(
      try ProgramRun(["manifest", file, "--json"]).output
        == "[{\"file\": \"\(file)\", \"manifest\": null, \"activityTypes\": []}]\n")
  }

  @Test func `build settings have the values that are given`() throws {
    let file = try folder.file("Info.plist", Self.notes)
    for flags in [[], ["--json"]] {
      let run = try ProgramRun(
        ["manifest", file, "--set", "PRODUCT_MODULE_NAME=My=Notes", "--set", "A="] + flags)
      #expect(run.status == 0)
      #expect(run.output.contains("My=Notes.EditorDelegate"))
    }
  }

  @Test func `a broken file is left out, and the others are shown`() throws {
    let one = try folder.file("one.plist", Self.bare)
    let two = try folder.file("two.plist", Self.wrong)
    let three = try folder.file("three.plist", String(Self.notes.dropLast(100)))
    let none = folder.path + "/none.plist"
    let run = try ProgramRun(["manifest", one, two, none, three, one])
    #expect(run.status == 2)
    #expect(run.output == "\(one)\n  no scene manifest\n\n\(one)\n  no scene manifest\n")
    let errors = run.errors.split(separator: "\n")
    try #require(errors.count == 3)
    #expect(
      errors[0]
        == "proscenium: \(two): \(Self.wrongPath): expected a string, found true (line 3, column 36)."
    )
    #expect(errors[1] == "proscenium: \(none): expected a file, found none.")
    #expect(errors[2].hasPrefix("proscenium: \(three): expected "))

    let json = try ProgramRun(["manifest", two, one, "--json"])
    #expect(json.status == 2)
    #expect(
      json.output == "[{\"file\": \"\(one)\", \"manifest\": null, \"activityTypes\": []}]\n")
    #expect(json.errorLines == 1)
    #expect(try ProgramRun(["manifest", two, "--json"]).output == "[]\n")
  }

  @Test func `a manifest is read from standard input`() throws {
    let good = try folder.file("Info.plist", Self.bare)
    let run = try ProgramRun(shell: "\"$program\" manifest --json - < '\(good)'")
    #expect(run.output == "[{\"file\": \"-\", \"manifest\": null, \"activityTypes\": []}]\n")
    let bad = try folder.file("Bad.plist", Self.wrong)
    let refused = try ProgramRun(shell: "\"$program\" manifest - < '\(bad)'")
    #expect(refused.status == 2)
    #expect(refused.errors.hasPrefix("proscenium: standard input: \(Self.wrongPath): "))
  }

  @Test func `a file cannot drive the terminal`() throws {
    let text = Self.notes.replacing("Editor<", with: "a\u{9B}31m\u{7}<")
      .replacing("UIApplicationSupportsTabbedSceneCollection", with: "b\u{9B}31m\n\u{7F}")
    let file = try folder.file("Info.plist", text)
    let broken = try folder.file(
      "Bad.plist", Self.wrong.replacing("<key>A</key>", with: "<key>A\u{9B}\n\u{1B}[31m</key>"))
    let run = try ProgramRun(["manifest", file, broken])
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
  func `what cannot be used is refused in one line`(arguments: [String]) throws {
    let run = try ProgramRun(arguments)
    #expect(run.isExit)
    #expect(run.status == 2)
    #expect(run.output.isEmpty)
    #expect(run.errors.hasPrefix("proscenium: "))
    #expect(run.errorLines == 1, "\(run.errors)")
  }

  @Test func `the help has examples`() throws {
    let run = try ProgramRun(["manifest", "--help"])
    #expect(run.status == 0)
    #expect(run.output.contains("EXAMPLES"))
  }
}
