// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumInfoPlist
import Testing

/// Applications whose manifest comes from an Info.plist.
@Suite struct InfoPropertyListManifestTests {
  /// A delegate that tells which way it was made.
  private final class KindDelegate: SceneDelegate {
    let log: CallLog
    let kind: String

    init(_ log: CallLog, _ kind: String) {
      self.log = log
      self.kind = kind
    }

    func scene(
      _ scene: isolated Scene, willConnectTo session: SceneSession,
      options: Scene.ConnectionOptions
    ) {
      log.append("\(kind), \(session.configuration.delegateClass ?? "no class")")
    }
  }

  private final class EditorDelegate: SceneDelegate {}

  private static let notes = SamplePropertyList.xml(
    """
    <dict><key>NSUserActivityTypes</key><array><string>edit</string></array>
    <key>UIApplicationSceneManifest</key><dict>
    <key>UIApplicationSupportsMultipleScenes</key><true/>
    <key>UISceneConfigurations</key><dict>
    <key>UIWindowSceneSessionRoleApplication</key><array>
    <dict><key>UISceneConfigurationName</key><string>Editor</string>
    <key>UISceneDelegateClassName</key><string>$(MODULE).Editor</string>
    <key>UISceneStoryboardFile</key><string>Main</string></dict>
    <dict><key>UISceneClassName</key><string>Notes.Scene</string></dict></array>
    <key>UIWindowSceneSessionRoleExternalDisplay</key><array>
    <dict><key>UISceneConfigurationName</key><string>Screen</string>
    <key>UISceneDelegateClassName</key><string>Screen</string></dict></array>
    </dict></dict></dict>
    """)

  private static func manifest(
    _ delegates: [String: @Sendable () -> any SceneDelegate] = [:]
  ) throws -> SceneManifest {
    SceneManifest(try InfoPropertyList(notes, variables: ["MODULE": "Notes"]), delegates: delegates)
  }

  @Test func `a manifest has what the file says`() throws {
    let manifest = try Self.manifest()
    #expect(manifest.supportsMultipleScenes)
    #expect(manifest.activityTypes == ["edit"])
    #expect(manifest.revision == nil)
    let all = manifest.configurations
    #expect(all.map(\.name) == ["Editor", "", "Screen"])
    #expect(
      all.map(\.role) == [.windowApplication, .windowApplication, .windowExternalDisplay])
    #expect(all.map(\.delegateClass) == ["Notes.Editor", nil, "Screen"])
    #expect(all.map(\.sceneClass) == ["WindowScene", "Notes.Scene", "WindowScene"])
    #expect(manifest.defaultConfiguration(for: .windowApplication)?.name == "Editor")
  }

  @Test func `a file without a scene manifest has no configurations`() throws {
    let manifest = SceneManifest(try InfoPropertyList(SamplePropertyList.xml("<dict/>")))
    #expect(manifest.configurations.isEmpty)
    #expect(!manifest.supportsMultipleScenes)
    #expect(manifest.activityTypes == nil)
  }

  @Test(
    arguments: [
      (["Notes.Editor"], "Notes.Editor"), (["Editor"], "Editor"),
      (["Editor", "Notes.Editor"], "Notes.Editor"), (["Other.Editor", "Editor"], "Editor"),
    ])
  func `a delegate is made by the class's name, with or without its module`(
    registered: [String], made: String
  ) async throws {
    let log = CallLog()
    var delegates: [String: @Sendable () -> any SceneDelegate] = [:]
    for name in registered { delegates[name] = { KindDelegate(log, name) } }
    let application = Application(manifest: try Self.manifest(delegates), settings: .counted)
    try await application.whileRunning {
      try await application.host.newSession()
      #expect(log.take() == ["\(made), Notes.Editor"])
    }
  }

  @Test func `an application runs with a manifest from a file`() async throws {
    let bytes = Self.notes.replacing(
      "$(MODULE).Editor".utf8, with: "$(PRODUCT_MODULE_NAME).EditorDelegate".utf8)
    let properties = try InfoPropertyList(bytes, variables: ["PRODUCT_MODULE_NAME": "Notes"])
    let manifest = SceneManifest(properties, delegates: ["EditorDelegate": EditorDelegate.init])
    try await Application.withRunning(manifest: manifest) { application in
      let session = try await application.host.newSession()
      #expect(session.configuration.delegateClass == "Notes.EditorDelegate")
    }
  }

  @Test func `a class can be registered later`() async throws {
    let log = CallLog()
    var manifest = try Self.manifest()
    manifest.register("Editor") { KindDelegate(log, "later") }
    let application = Application(manifest: manifest, settings: .counted)
    try await application.whileRunning {
      try await application.host.newSession()
      #expect(log.take() == ["later, Notes.Editor"])
    }
  }

  @Test func `a class that is not registered is diagnosed (R-CFG-3)`() async throws {
    let log = CallLog()
    let delegates: [String: @Sendable () -> any SceneDelegate] = [
      "editor": EditorDelegate.init, "Notes": EditorDelegate.init, "Edit": EditorDelegate.init,
    ]
    let application = Application(
      manifest: try Self.manifest(delegates), settings: .counted,
      log: DiagnosticsLog.logger(log))
    try await application.whileRunning {
      let session = try await application.host.newSession()
      #expect(session.configuration.delegateClass == "Notes.Editor")
      let lines = log.take()
      #expect(lines.contains { $0.contains("configurationNotFound") }, "\(lines)")
    }
  }
}
