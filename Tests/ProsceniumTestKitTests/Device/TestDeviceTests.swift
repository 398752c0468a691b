// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPrimitives
import ProsceniumTestKit
import Testing

@Suite(.timeLimit(.minutes(10))) struct TestDeviceTests {
  private let session = SessionIdentifier.number(1)

  @Test func `a launch brings a new session to the foreground`() async throws {
    let device = TestDevice(manifest: .pads)
    let application = try await device.launch()
    #expect(application.applicationState == .active)
    #expect(device.sessions.map(\.persistentIdentifier) == [session])
    #expect(device.isRunning)
    try await device.terminate()
    #expect(!device.isRunning)
  }

  @Test func `what was captured is restored after the process was killed`() async throws {
    let device = TestDevice(manifest: .pads)
    try await device.launch()
    try device.application.send("kept", to: session)
    try await device.host.perform(.background(session))
    try device.application.send(" lost", to: session)
    await device.settle()
    await device.kill()
    try await device.launch()
    let text = try await device.visit(session, Pad.self) { pad, _ in pad.text }
    #expect(text == "kept")
  }

  /// Asks its device for the application as soon as it is made, and at its first callback.
  private final class EarlyDelegate: ApplicationDelegate {
    static let device = Guarded<TestDevice?>(nil)
    static let found = Guarded<[Int?]>([])

    init() { Self.look() }

    func applicationWillFinishLaunching(_ application: isolated Application) { Self.look() }

    private static func look() {
      let application = try? device.withLock { $0 }?.application
      found.withLock { $0.append(application?.openSessions.count) }
    }
  }

  @Test func `a device has no application before its sessions are restored`() async throws {
    let kept = StoredSession(persistentIdentifier: .number(3), configurationName: "Pad")
    let device = TestDevice(
      manifest: .pads, store: InMemorySessionStore([kept]), delegate: { EarlyDelegate() })
    EarlyDelegate.device.withLock { $0 = device }
    try await device.launch()
    EarlyDelegate.device.withLock { $0 = nil }
    #expect(EarlyDelegate.found.withLock { $0 } == [nil, 1])
    await device.kill()
  }

  @Test(arguments: [1, 64])
  func `each launch makes a new process`(shards: Int) async throws {
    let device = TestDevice(manifest: .pads, settings: { $0.shards = shards })
    let first = try await device.relaunch()
    let second = try await device.relaunch()
    #expect(first !== second)
    #expect(second.applicationState == .active)
    await #expect(throws: SceneError.self) { try await first.host.newSession() }
    #expect(
      device.timeline.lines.filter { $0.hasPrefix("process") } == [
        "process.launch(icon)", "process.kill", "process.launch(icon)",
      ])
  }

  @Test func `a process that is terminated captures its scenes first`() async throws {
    let device = TestDevice(manifest: .pads)
    try await device.launch()
    try device.application.send("all", to: session)
    try await device.terminate()
    let saved = device.sessions.first?.stateRestorationActivity
    #expect(saved?.userInfo["text"] == "all")
  }

  @Test func `a killed process makes no calls any more`() async throws {
    let device = TestDevice(manifest: .pads, delegate: { PadDelegate() })
    try await device.launch()
    _ = device.takeTimeline()
    await device.kill()
    let difference = device.takeTimeline().difference(from: "process.kill")
    #expect(difference == nil)
  }

  @Test func `identifiers go on where the last process stopped`() async throws {
    let device = TestDevice(
      manifest: .pads,
      store: InMemorySessionStore([
        StoredSession(persistentIdentifier: .number(3), configurationName: "Pad")
      ]))
    try await device.launch(.background)
    try await device.host.newSession()
    await device.kill()
    try await device.launch(.background)
    try await device.host.newSession()
    #expect(device.sessions.compactMap(\.persistentIdentifier.number) == [3, 4, 5])
  }

  @Test func `a session that is discarded while nothing runs is reported at the launch`()
    async throws
  {
    let device = TestDevice(manifest: .pads, delegate: { PadDelegate() })
    try await device.launch()
    #expect(throws: TestDeviceError.self) { try device.discardWhileDown(session) }
    try await device.terminate()
    try device.discardWhileDown(session)
    _ = device.takeTimeline()
    try await device.launch(.background)
    let difference = device.takeTimeline().difference(
      from: """
        process.launch(background)
        app.willFinishLaunching
        app.didFinishLaunching
        app.didDiscardSceneSessions{S1}
        """)
    #expect(difference == nil)
    #expect(device.sessions.isEmpty)
  }

  @Test func `a second process is refused while one runs`() async throws {
    let device = TestDevice(manifest: .pads)
    try await device.launch()
    let error = await #expect(throws: TestDeviceError.self) { try await device.launch() }
    #expect(error?.code == .alreadyRunning)
  }

  @Test func `without a process there is no application`() async throws {
    let device = TestDevice(manifest: .pads)
    #expect(throws: TestDeviceError.self) { try device.host }
    await #expect(throws: TestDeviceError.self) { try await device.terminate() }
    await device.kill()
    try await device.waitForExit()
  }

  @Test func `a launch that fails throws what run throws`() async throws {
    let device = TestDevice(manifest: [])
    let error = await #expect(throws: SceneError.self) { try await device.launch() }
    #expect(error?.code == .sceneLifecycleRequired)
    #expect(!device.isRunning)
  }

  @Test func `a process that ends by itself is awaited`() async throws {
    let device = TestDevice(
      manifest: .pads, settings: { $0.lastSessionClose = .uikitCompat })
    try await device.launch()
    try await device.host.perform(.close(session))
    try await device.waitForExit()
    #expect(device.timeline.lines.suffix(2) == ["S1#1.didDisconnect", "process.exit"])
    try await device.launch()
    #expect(device.sessions.map(\.persistentIdentifier) == [session])
  }

  @Test func `a process ends with its device`() async throws {
    var device: TestDevice? = TestDevice(manifest: .pads)
    let application = try await #require(device).launch()
    device = nil
    await #expect(throws: SceneError.self) { try await application.host.newSession() }
  }
}
