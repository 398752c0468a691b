// SPDX-License-Identifier: Apache-2.0

import Foundation
import Proscenium
import ProsceniumTestKit
import Testing

/// The code of Docs/SAVED-STATE.md: a pad of lines, of which version 1 saved one text.
@Suite struct SavedStateGuideTests {
  @Test func `a state of version 1 is restored by the program of version 2`() async throws {
    let store = InMemorySessionStore()
    try await run(
      [.init("Pad", TextPad.init)], over: store, migrations: StateMigrations(current: 1, steps: []))

    let migrations = try StateMigrations.pad
    let device = TestDevice(
      manifest: [.init("Pad", LinePad.init)], store: store,
      settings: { settings in
        settings.stateMigrations = migrations
        settings.savedStateLimits = SavedStateLimits(byteCount: 256 << 10)
      })
    try await device.launch()
    let session = device.sessions[0]
    let lines = try await device.visit(session.id, LinePad.self) { pad, _ in pad.lines }
    #expect(lines == ["milk", "eggs"])
    await device.kill()
  }

  @Test func `a program that is older than the state leaves it alone`() async throws {
    let store = InMemorySessionStore()
    try await run([.init("Pad", LinePad.init)], over: store, migrations: .pad)
    let older = TestDevice(manifest: [.init("Pad", TextPad.init)], store: store)
    // The session is not connected; the caller that wants it hears why.
    _ = try? await older.launch()
    await older.kill()
    let kept = store.savedState(of: store.sessions[0].persistentIdentifier)
    let version = try SavedState.version(of: kept ?? [])
    #expect(version == 2)
  }

  @Test func `states of earlier versions are restored`() throws {
    let corpus = SavedStateCorpus(folder: Self.folder())
    let failures = try corpus.verify(with: .pad)
    #expect(failures.isEmpty)
  }

  @Test func `a refusal names the largest parts`() {
    var activity = UserActivity("pad", title: "Pad", userInfo: ["lines": ["milk"]])
    activity.userInfo["picture"] = .data([UInt8](repeating: 0, count: 1_400_000))
    do throws(SavedStateError) {
      _ = try SavedState(activity: activity).encoded()
      Issue.record("It was taken.")
    } catch {
      #expect(
        error.description == """
          expected a state of at most 1,048,576 bytes, found 1,400,040; the largest parts: \
          activity.userInfo.picture 1,400,012, activity.userInfo.lines 12, \
          activity.activityType 5, activity.title 5.
          """)
    }
  }

  /// Launches a program, captures its state and ends it.
  private func run(
    _ manifest: SceneManifest, over store: InMemorySessionStore,
    migrations: StateMigrations
  ) async throws {
    let device = TestDevice(
      manifest: manifest, store: store, settings: { $0.stateMigrations = migrations })
    try await device.launch()
    try await device.host.perform(.backgroundAll)
    await device.kill()
  }

  private static func folder(filePath: String = #filePath) -> String {
    URL(fileURLWithPath: filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Suites/pad-states").path
  }
}

/// Version 1.
private final class TextPad: SceneDelegate {
  func stateRestorationActivity(for scene: isolated Scene) -> UserActivity? {
    UserActivity("pad", userInfo: ["text": "milk\neggs"])
  }
}

/// Version 2.
final class LinePad: StatefulSceneDelegate {
  var cursor = 0
  var lines: [String] = []

  func scene(_ scene: isolated Scene, captureStateInto state: inout StateWriter) {
    state.activityType = "pad"
    state.write("lines", lines)
    state.write("cursor", cursor)
  }

  func scene(_ scene: isolated Scene, restoreStateFrom state: inout StateReader) {
    lines = state.strings("lines") ?? []
    cursor = state.integer("cursor") ?? 0
  }
}

extension StateMigrations {
  /// How the states of earlier versions become those of today.
  static var pad: StateMigrations {
    get throws(SavedStateError) {
      try StateMigrations(
        current: 2,
        steps: [
          .init(from: 1, to: 2) { state in
            // Version 1 kept one text; a version 2 state has its lines.
            let text = state.activity?.userInfo.removeValue(forKey: "text")?.string ?? ""
            let lines = text.split(separator: "\n").map { UserInfoValue.string(String($0)) }
            state.activity?.userInfo["lines"] = .array(lines)
          }
        ])
    }
  }
}
