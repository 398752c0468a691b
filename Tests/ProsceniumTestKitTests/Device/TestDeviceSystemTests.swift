// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumTestKit
import Testing

@Suite(.timeLimit(.minutes(10))) struct TestDeviceSystemTests {
  private let session = SessionIdentifier.number(1)

  @Test func `a scene that is not kept is restored at each return`() async throws {
    let device = TestDevice(manifest: .pads, keepsScenes: false)
    try await device.launch()
    try device.application.send("text", to: session)
    try await device.host.perform(.backgroundAll)
    await device.settle()
    #expect(try device.application.connectedScenes.isEmpty)
    try await device.host.perform(.open(session))
    let text = try await device.visit(session, Pad.self) { pad, _ in pad.text }
    #expect(text == "text")
    let difference = device.timeline.lines(of: session).difference(
      from: """
        S1#1.willConnect({})
        S1#1.willEnterForeground
        S1#1.didBecomeActive
        S1#1.didReceive(text)
        S1#1.willResignActive
        S1#1.didEnterBackground
        S1#1.stateRestorationActivity -> pad
        S1#1.didDisconnect
        S1#2.willConnect({})
        S1#2.restoreInteractionState(pad)
        S1#2.willEnterForeground
        S1#2.didBecomeActive
        """)
    #expect(difference == nil)
  }

  @Test func `a scene that is kept stays`() async throws {
    let device = TestDevice(manifest: .pads)
    try await device.launch()
    try await device.host.perform(.backgroundAll)
    await device.settle()
    #expect(try device.application.connectedSceneCount == 1)
  }

  @Test func `a refresh waits for the tick`() async throws {
    let device = TestDevice(manifest: .pads)
    try await device.launch()
    try await device.host.perform(.backgroundAll)
    try device.application.submit(.refresh(session))
    await device.settle()
    _ = device.takeTimeline()
    #expect(device.sessions.first?.hasPendingRefresh == true)
    try await device.tick()
    #expect(device.takeTimeline().lines == ["S1#1.stateRestorationActivity -> pad"])
    #expect(device.sessions.first?.hasPendingRefresh == false)
  }

  @Test func `a restoration that takes too long ends when the clock says so`() async throws {
    let device = TestDevice(
      manifest: [.init("Slow", SlowPad.init)],
      settings: { $0.restorationLimit = .seconds(10) })
    try await device.launch()
    await device.advance(by: .seconds(9))
    #expect(try device.application.connectedSceneCount == 1)
    await device.advance(by: .seconds(1))
    #expect(try device.application.connectedSceneCount == 0)
    #expect(
      device.timeline.lines.suffix(2) == ["S1.failed(restorationTimedOut)", "S1#1.didDisconnect"])
  }

  @Test func `a locked device withholds what was captured`() async throws {
    let device = TestDevice(manifest: .pads)
    try await device.launch()
    try await device.terminate()
    device.lock()
    try await device.launch(.background)
    #expect(device.sessions.first?.stateRestorationActivity == nil)
    await device.unlock()
    #expect(device.sessions.first?.stateRestorationActivity?.activityType == "pad")
  }

  @Test func `a device that was used before has its sessions`() async throws {
    let activity = UserActivity("pad", userInfo: ["text": "old"])
    let row = StoredSession(
      persistentIdentifier: session, configurationName: "Pad", stateRestorationActivity: activity)
    let device = TestDevice(manifest: .pads, store: InMemorySessionStore([row]))
    #expect(device.sessions.map(\.stateRestorationActivity) == [activity])
    try await device.launch()
    let text = try await device.visit(session, Pad.self) { pad, _ in pad.text }
    #expect(text == "old")
  }

  @Test func `a visit needs a scene and the right class`() async throws {
    let device = TestDevice(manifest: .pads)
    try await device.launch(.background)
    let none = await #expect(throws: TestDeviceError.self) {
      try await device.visit(session, Pad.self) { _, _ in }
    }
    #expect(none?.code == .noScene)
    try await device.host.newSession()
    let other = await #expect(throws: TestDeviceError.self) {
      try await device.visit(session, BlankPad.self) { _, _ in }
    }
    #expect(
      other?.description
        == "otherDelegate: expected a delegate of class BlankPad at S1, found one of class Pad")
  }
}
