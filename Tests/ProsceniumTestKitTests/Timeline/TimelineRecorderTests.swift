// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumTestKit
import Testing

@Suite(.timeLimit(.minutes(10))) struct TimelineRecorderTests {
  private let session = SessionIdentifier.number(1)

  @Test func `everything is written down in its order`() async throws {
    let device = TestDevice(
      manifest: .pads, delegate: { PadDelegate() }, recording: .all)
    try await device.launch()
    try await device.host.perform(.background(session))
    try await device.application.requestSceneSessionDestruction(session)
    try await device.terminate()
    let difference = device.timeline.difference(
      from: """
        process.launch(icon)
        app.willFinishLaunching
        app.didFinishLaunching
        app.note(didFinishLaunching)
        app.configurationForConnecting(S1, {})
        S1.configured(Pad)
        S1#1.connected(new)
        S1#1.willConnect({})
        S1#1.note(willConnect)
        S1#1.willEnterForeground
        S1#1.note(willEnterForeground)
        app.note(willEnterForeground)
        S1#1.didBecomeActive
        S1#1.note(didActivate)
        app.note(didBecomeActive)
        S1#1.willResignActive
        S1#1.note(willDeactivate)
        app.note(willResignActive)
        S1#1.didEnterBackground
        S1#1.note(didEnterBackground)
        app.note(didEnterBackground)
        S1#1.stateRestorationActivity -> pad
        S1#1.snapshot
        S1#1.didDisconnect
        S1#1.note(didDisconnect)
        S1#1.disconnected(dismissed)
        app.didDiscardSceneSessions{S1}
        S1.discarded(dismissed)
        app.willTerminate
        app.note(willTerminate)
        process.exit
        """)
    #expect(difference == nil)
  }

  private static let events: [(SceneEvent, whenNew: String, whenActive: [String])] = [
    (
      .url(OpenURLContext("app://1")), "{url:[app://1]}",
      ["S1#1.openURLContexts{app://1}", "S1.log(unhandledEvent)"]
    ),
    (
      .activity(UserActivity("a b", targetContentIdentifier: "c")), "{act:[\"a b\"(c)]}",
      ["S1#1.continue(\"a b\"(c))", "S1.log(unhandledEvent)"]
    ),
    (
      .shortcut(ShortcutItem("add")), "{shortcut:add}",
      ["S1#1.performAction(add)", "S1.log(unhandledEvent)"]
    ),
    (
      .notification(NotificationResponse("n1")), "{notif:n1}",
      ["app.didReceiveNotification(n1, S1#1)", "S1.log(unhandledEvent)"]
    ),
    (
      .share(ShareMetadata("s1")), "{share:s1}",
      ["S1#1.userDidAcceptShare(s1)", "S1.log(unhandledEvent)"]
    ),
    (.handoff(activityType: "h"), "{handoff:h}", ["S1#1.willContinue(h)"]),
  ]

  @Test(arguments: events.indices)
  func `an event is written down with what it brings`(index: Int) async throws {
    let (event, whenNew, whenActive) = Self.events[index]
    let device = TestDevice(manifest: .pads, delegate: { PadDelegate() })
    try await device.launch(.event(event))
    #expect(device.takeTimeline().lines.contains("S1#1.willConnect(\(whenNew))"))
    try await device.application.deliver(event)
    #expect(device.takeTimeline().lines == whenActive)
  }

  @Test func `what a delegate does not answer is not written down`() async throws {
    let device = TestDevice(manifest: .pads, delegate: { PadDelegate() })
    try await device.launch(.event(.activity(UserActivity("blank"))))
    try await device.host.perform(.background(session))
    #expect(device.timeline.lines.last == "S1#1.didEnterBackground")
    await #expect(throws: SceneError.self) { try await device.application.call("?", to: session) }
    #expect(device.timeline.lines.suffix(2) == ["S1#1.replyTo(?)", "S1.log(unhandledEvent)"])
  }

  @Test func `a recorder is invisible to the program`() async throws {
    let device = TestDevice(manifest: .pads)
    let application = try await device.launch()
    let scene = try #require(application.scene(for: session))
    let isPad = await isPad(scene)
    #expect(isPad)
    try await device.visit(session, Pad.self) { _, scene in
      scene.addTask(Pad.self, { "done" }, then: { pad, _, result in pad.text = result })
    }
    var text = ""
    while text.isEmpty {
      text = try await device.visit(session, Pad.self) { pad, _ in pad.text }
      await Task.yield()
    }
    #expect(text == "done")
  }

  private func isPad(_ scene: isolated Scene) -> Bool { scene.delegate is Pad }

  @Test func `a delegate that takes another's place is recorded as well`() async throws {
    let device = TestDevice(manifest: .pads)
    try await device.launch()
    try await device.visit(session, Pad.self) { _, scene in scene.delegate = BlankPad() }
    try device.application.send("a b", to: session)
    await device.settle()
    let isBlank = try await device.visit(session, BlankPad.self) { _, _ in true }
    #expect(isBlank)
    #expect(device.timeline.lines.contains("S1#1.didReceive(\"a b\")"))
  }

  @Test func `an observer of the program is told as well`() async throws {
    let events = EventCount()
    let device = TestDevice(
      manifest: .pads, recording: .processes,
      settings: { $0.observer = { _ in events.add() } })
    try await device.launch()
    #expect(events.count > 0)
    #expect(device.timeline.lines == ["process.launch(icon)"])
  }

  @Test func `texts that are not plain are in quotes`() async throws {
    let device = TestDevice(manifest: .pads)
    try await device.launch()
    _ = device.takeTimeline()
    let texts = ["", "nil", "a\nb", "\"\\\t", "é\u{2028}", String(repeating: "x", count: 130)]
    for text in texts { try device.application.send(SceneMessage(text), to: session) }
    await device.settle()
    #expect(
      device.takeTimeline().lines.map { $0.dropFirst("S1#1.didReceive".count) } == [
        #"("")"#, #"("nil")"#, #"("a\nb")"#, #"("\"\\\t")"#, #"("é\u{2028}")"#,
        "(\(String(repeating: "x", count: 120))…)",
      ])
  }
}
