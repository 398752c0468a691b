// SPDX-License-Identifier: Apache-2.0

import Foundation
import Proscenium
import ProsceniumInfoPlist
import Testing

/// What is read from an Info.plist.
@Suite struct InfoPropertyListTests {
  private static let window = "UIWindowSceneSessionRoleApplication"

  /// Notes with two kinds of windows and a presentation, among keys that are no manifest's.
  private static var notes: [String: Any] {
    [
      "CFBundleIdentifier": "com.example.notes", "CFBundleVersion": 7, "Made": Date.distantPast,
      "Icon": Data([1, 2, 3]), "Ratio": 1.5, "LSRequiresIPhoneOS": true,
      "CFBundleURLTypes": [["CFBundleURLSchemes": ["notes", "nötes"], "Deep": [[[[1]]]]]],
      "NSUserActivityTypes": ["com.example.notes.edit", "com.example.notes.list"],
      "UIApplicationSceneManifest": [
        "UIApplicationSupportsMultipleScenes": true,
        "UIApplicationSupportsTabbedSceneCollection": false,
        "CPSupportsDashboardNavigationScene": ["not": "looked at"],
        "UISceneConfigurations": [
          window: [
            [
              "UISceneConfigurationName": "Editor", "UISceneClassName": "UIWindowScene",
              "UISceneDelegateClassName": "Notes.EditorDelegate", "UISceneStoryboardFile": "Main",
            ],
            ["UISceneConfigurationName": "Übersicht 👓", "UISceneInitialImmersionStyle": "Full"],
          ],
          "CPTemplateApplicationSceneSessionRoleApplication": [[:]],
          "UIWindowSceneSessionRoleExternalDisplay": [],
        ],
      ],
    ]
  }

  @Test(arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
  func `a file has its manifest and its activity types`(
    format: PropertyListSerialization.PropertyListFormat
  ) throws {
    let properties = try InfoPropertyList(SamplePropertyList.written(Self.notes, format))
    #expect(properties.activityTypes == ["com.example.notes.edit", "com.example.notes.list"])
    let manifest = try #require(properties.manifest)
    #expect(manifest.supportsMultipleScenes)
    #expect(
      manifest.unknownKeys == [
        "UIApplicationSceneManifest.CPSupportsDashboardNavigationScene",
        "UIApplicationSceneManifest.UIApplicationSupportsTabbedSceneCollection",
        "UIApplicationSceneManifest.UISceneConfigurations.\(Self.window)[1]"
          + ".UISceneInitialImmersionStyle",
      ])
    let roles = manifest.roles.sorted { $0.name < $1.name }
    #expect(
      roles.map(\.role) == [
        "CPTemplateApplicationSceneSessionRoleApplication", .windowApplication,
        .windowExternalDisplay,
      ])
    #expect(roles[0].configurations.map(\.name) == [nil])
    #expect(roles[2].configurations.isEmpty)
    let windows = roles[1].configurations
    #expect(windows.map(\.name) == ["Editor", "Übersicht 👓"])
    #expect(windows.map(\.delegateClass) == ["Notes.EditorDelegate", nil])
    #expect(windows.map(\.sceneClass) == ["UIWindowScene", nil])
    #expect(windows.map(\.storyboard) == ["Main", nil])
  }

  @Test func `roles are in the order of the file`() throws {
    let roles = ["C", "A", "D", "B"]
    let entries = roles.map { "<key>\($0)</key><array/>" }.joined()
    let xml = SamplePropertyList.manifest("<key>UISceneConfigurations</key><dict>\(entries)</dict>")
    #expect(try InfoPropertyList(xml).manifest?.roles.map(\.name) == roles)

    let binary = SamplePropertyList.binary(
      [0xD1, 1, 2], SamplePropertyList.text("UIApplicationSceneManifest"),
      [0xD1, 3, 4], SamplePropertyList.text("UISceneConfigurations"),
      [0xD4, 6, 7, 8, 9, 5, 5, 5, 5], [0xA0], [0x51, 0x43], [0x51, 0x41], [0x51, 0x44],
      [0x51, 0x42])
    #expect(try InfoPropertyList(binary).manifest?.roles.map(\.name) == roles)
  }

  @Test func `what is absent is absent`() throws {
    let empty = try InfoPropertyList(SamplePropertyList.xml("<dict/>"))
    #expect(empty.manifest == nil)
    #expect(empty.activityTypes == nil)
    let manifest = try InfoPropertyList(SamplePropertyList.manifest("")).manifest
    #expect(manifest?.supportsMultipleScenes == false)
    #expect(manifest?.roles == [])
    #expect(manifest?.unknownKeys == [])
  }

  @Test(
    arguments: [
      ("UIWindowSceneSessionRoleApplication", SceneSession.Role.windowApplication),
      ("UIWindowSceneSessionRoleExternalDisplay", .windowExternalDisplay),
      (
        "UIWindowSceneSessionRoleExternalDisplayNonInteractive",
        .windowExternalDisplayNonInteractive
      ),
      (
        "UISceneSessionRoleImmersiveSpaceApplication", "UISceneSessionRoleImmersiveSpaceApplication"
      ),
    ])
  func `a role has the runtime's name, or keeps its own`(
    name: String, role: SceneSession.Role
  ) throws {
    let entries = "<key>UISceneConfigurations</key><dict><key>\(name)</key><array/></dict>"
    let manifest = try InfoPropertyList(SamplePropertyList.manifest(entries)).manifest
    #expect(manifest?.roles.map(\.role) == [role])
  }

  // MARK: - Build settings

  @Test(
    arguments: [
      ("$(MODULE).SceneDelegate", "Notes.SceneDelegate"), ("${MODULE}.A", "Notes.A"),
      ("$(MODULE)$(MODULE)", "NotesNotes"), ("$(OTHER).A", "$(OTHER).A"),
      ("$(NAME:c99extidentifier)", "My_Notes"), ("$(MODULE:lower)", "$(MODULE:lower)"),
      ("$(LOOP)", "$(LOOP)"), ("$(A_$(MODULE))", "$(A_Notes)"), ("$(MODULE", "$(MODULE"),
      ("$(MODULE}", "$(MODULE}"), ("$", "$"), ("a$$(MODULE)$", "a$Notes$"), ("$MODULE", "$MODULE"),
      ("$()", "$()"), ("é$(É)", "é🤡"),
    ])
  func `build settings have their values, once`(written: String, resolved: String) throws {
    let file = SamplePropertyList.configurations(
      "<key>UISceneDelegateClassName</key><string>\(written)</string>")
    let plain = try InfoPropertyList(file).manifest
    #expect(plain?.roles.first?.configurations.first?.delegateClass == written)
    let settings = ["MODULE": "Notes", "NAME:c99extidentifier": "My_Notes", "LOOP": "$(LOOP)"]
    let manifest = try InfoPropertyList(
      file, variables: settings.merging(["É": "🤡"]) { $1 }
    ).manifest
    #expect(manifest?.roles.first?.configurations.first?.delegateClass == resolved)
  }

  @Test func `every text of a configuration has its build settings, and no key`() throws {
    let file = SamplePropertyList.xml(
      """
      <dict><key>NSUserActivityTypes</key><array><string>$(A).edit</string></array>
      <key>UIApplicationSceneManifest</key><dict><key>$(A)</key><true/>
      <key>UISceneConfigurations</key><dict><key>$(A)</key><array><dict>
      <key>UISceneConfigurationName</key><string>$(A)1</string>
      <key>UISceneDelegateClassName</key><string>$(A)2</string>
      <key>UISceneClassName</key><string>$(A)3</string>
      <key>UISceneStoryboardFile</key><string>$(A)4</string></dict></array></dict></dict></dict>
      """)
    let properties = try InfoPropertyList(file, variables: ["A": "x"])
    #expect(properties.activityTypes == ["x.edit"])
    let role = try #require(properties.manifest?.roles.first)
    #expect(role.name == "$(A)")
    #expect(properties.manifest?.unknownKeys == ["UIApplicationSceneManifest.$(A)"])
    let configuration = try #require(role.configurations.first)
    let texts = [
      configuration.name, configuration.delegateClass, configuration.sceneClass,
      configuration.storyboard,
    ]
    #expect(texts == ["x1", "x2", "x3", "x4"])
  }

  // MARK: - XML

  @Test(
    arguments: [
      ("<string>a</string>", "a"), ("<string/>", ""), ("<string></string>", ""),
      ("<string> a\n</string >", " a\n"), ("<string a='>' b=\"/\">é</string>", "é"),
      ("<string>&lt;&gt;&amp;&quot;&apos;&#65;&#x1F921;</string>", "<>&\"'A🤡"),
      ("<string>a<![CDATA[<b>&amp;]]]>c</string>", "a<b>&amp;]c"),
      ("<string>a<!-- <b> -->c</string>", "ac"),
      ("<!-- a --><?b <string> ?>\r\n\t<string>c</string>", "c"),
    ])
  func `a text is what its XML says`(xml: String, text: String) throws {
    let file = SamplePropertyList.configurations("<key>UISceneStoryboardFile</key>\(xml)")
    let storyboard = try InfoPropertyList(file).manifest?.roles.first?.configurations.first?
      .storyboard
    #expect(storyboard == text)
  }

  @Test(
    arguments: [
      "<plist><dict/></plist>", "\u{FEFF}<plist><dict/></plist>",
      "\n <plist><dict></dict></plist>\n<!-- end -->\n", "<!-- a --><plist a='b'><dict/></plist >",
      "<?xml version='1.0'?><!-- a --><!DOCTYPE plist SYSTEM 'x'><!-- b --><plist><dict/></plist>",
      "<plist><dict><key>a</key><true></true><key>a</key><integer>x</integer></dict></plist>",
      "<plist><dict><key></key><data>\nAA\n</data><key/><date/><key>a</key><real/></dict></plist>",
    ])
  func `a file in XML can be written in several ways`(text: String) throws {
    let properties = try InfoPropertyList(Array(text.utf8))
    #expect(properties.manifest == nil)
  }
}
