// SPDX-License-Identifier: Apache-2.0

import Foundation
import Proscenium
import ProsceniumTestKit
import Testing

@testable import Jotter

/// The tests that Docs/TESTING.md shows.
@Suite(.timeLimit(.minutes(10))) struct NoteLifeCycleTests {
  let device = TestDevice(manifest: .jotter)

  /// Looks into the note of a window, or changes it.
  private func note<Result: Sendable>(
    of session: SceneSession, _ body: @Sendable (NoteWindow) -> Result
  ) async throws -> Result {
    try await device.visit(session.id, NoteSceneDelegate.self) { delegate, _ in
      body(delegate.note)
    }
  }

  @Test func `a note is there again after the process was killed`() async throws {
    try await device.launch(.event(.url(OpenURLContext("note:shopping"))))
    let session = device.sessions[0]
    try await note(of: session) { $0.type("milk") }

    try await device.host.perform(.backgroundAll)
    await device.kill()
    try await device.launch()

    let text = try await note(of: session) { $0.text }
    #expect(text == "milk")
  }

  @Test func `a reminder comes although the process was killed before it`() async throws {
    try await device.launch(.event(.url(OpenURLContext("note:shopping"))))
    let reminder = UserActivity("note", title: "Buy milk")
    let session = device.sessions[0]
    _ = try await device.application.wake(session.id, at: device.date + 3_600, reminder)

    await device.kill()
    await device.advance(by: .seconds(7_200))
    _ = device.takeTimeline()
    try await device.launch(.background)

    #expect(device.takeTimeline().lines.contains { $0.contains("willConnect") })
    #expect(device.sessions[0].wakes.isEmpty)
  }

  @Test(arguments: [ApplicationSettings.Launch.icon, .background])
  func `a URL is shown, whether or not the program runs`(
    launch: ApplicationSettings.Launch
  ) async throws {
    try await device.launch(launch)
    let session = try await device.application.deliver(.url(OpenURLContext("note:shopping")))
    #expect(session.title == "shopping")
  }

  @Test func `a URL goes to the window that shows its note`() async throws {
    try await device.launch(.background)
    for note in ["shopping", "garden"] {
      try await device.host.drop(OpenURLContext("note:\(note)"))
    }
    let session = try await device.application.deliver(.url(OpenURLContext("note:shopping")))
    #expect(session.persistentIdentifier.label == "S1")
    #expect(device.sessions.count == 2)
  }

  @Test func `the callbacks come in UIKit's order`() async throws {
    try await device.launch()
    try await device.host.newSession()
    _ = device.takeTimeline()

    try await device.host.perform(.backgroundAll)

    let difference = device.takeTimeline().difference(
      from: """
        {
          S1#1.willResignActive
          S1#1.didEnterBackground
          S1#1.stateRestorationActivity -> jotter.note(note:untitled)
        |
          S2#1.willResignActive
          S2#1.didEnterBackground
          S2#1.stateRestorationActivity -> jotter.note(note:untitled)
        }
        """)
    #expect(difference == nil)
  }

  @Test func `nothing is lost on a device that keeps no scenes`() async throws {
    let device = TestDevice(manifest: .jotter, keepsScenes: false)
    try await device.launch()
    let session = device.sessions[0]
    for word in ["eggs", ", ", "milk"] {
      try await device.visit(session.id, NoteSceneDelegate.self) { delegate, _ in
        delegate.note.type(word)
      }
      try await device.host.perform(.background(session.id))
      try await device.host.perform(.open(session.id))
    }
    let text = try await device.visit(session.id, NoteSceneDelegate.self) { delegate, _ in
      delegate.note.text
    }
    #expect(text == "eggs, milk")
    #expect(device.timeline.lines.contains("S1#4.willConnect({})"))
  }

  @Test func `a note is read while its window is active`() async throws {
    try await device.launch()
    let session = device.sessions[0]
    try await device.host.perform(.interrupt(session.id))
    var isBeingRead = try await note(of: session) { $0.isBeingRead }
    #expect(!isBeingRead)
    try await device.host.perform(.resume(session.id))
    isBeingRead = try await note(of: session) { $0.isBeingRead }
    #expect(isBeingRead)
  }

  @Test func `one method can be called by itself`() async throws {
    try await device.launch()
    let title = try await device.visit(device.sessions[0].id, NoteSceneDelegate.self) {
      delegate, scene in
      delegate.scene(scene, openURLContexts: [OpenURLContext("note:a"), OpenURLContext("note:b")])
      return scene.title
    }
    #expect(title == "b")
  }

  @Test func `connection options can be made`() {
    let options = Scene.ConnectionOptions(.url(OpenURLContext("note:shopping")))
    #expect(options.opening == Opening("note:shopping"))
    #expect(Scene.ConnectionOptions().opening == nil)
  }

  @Test func `a device can have been used before`() async throws {
    let row = StoredSession(
      persistentIdentifier: .number(7), configurationName: "Note",
      stateRestorationActivity: UserActivity("jotter.note", userInfo: ["name": "old"]))
    let device = TestDevice(manifest: .jotter, store: InMemorySessionStore([row]))
    try await device.launch()
    #expect(device.sessions.map(\.title) == ["old"])
  }

  @Test func `a quick action clears the note`() async throws {
    try await device.launch()
    let session = device.sessions[0]
    try await note(of: session) { $0.type("milk") }
    try await device.application.deliver(
      .shortcut(ShortcutItem("clear", targetContentIdentifier: "note:untitled")))
    let text = try await note(of: session) { $0.text }
    #expect(text.isEmpty)
  }
}
