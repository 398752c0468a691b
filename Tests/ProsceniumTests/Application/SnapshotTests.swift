// SPDX-License-Identifier: Apache-2.0

import Proscenium
import Testing

/// The switcher's snapshots: when they are taken, and what is kept (R-BG-2, R-RF-4).
@Suite struct SnapshotTests {
  private static let one = SessionIdentifier.number(1)

  /// A delegate that gives what a test has put out for it.
  private final class Painter: SceneDelegate {
    private let log: CallLog
    private let paint: @Sendable (String?) -> [UInt8]?

    init(_ log: CallLog, _ paint: @escaping @Sendable (String?) -> [UInt8]?) {
      self.log = log
      self.paint = paint
    }

    func sceneWillEnterForeground(_ scene: isolated Scene) { log.append("willEnterForeground") }
    func sceneDidBecomeActive(_ scene: isolated Scene) { log.append("didBecomeActive") }
    func sceneDidEnterBackground(_ scene: isolated Scene) { log.append("didEnterBackground") }

    func stateRestorationActivity(for scene: isolated Scene) -> UserActivity? {
      log.append("capture")
      return nil
    }

    func snapshot(for scene: isolated Scene, variant: String?) -> [UInt8]? {
      log.append("snapshot(\(variant ?? "")) \(scene.activationState.letter)")
      return paint(variant)
    }
  }

  private static func stage(
    _ variants: [String] = [], store: InMemorySessionStore = InMemorySessionStore([.number(1)]),
    dances: Bool = false,
    paint: @escaping @Sendable (String?) -> [UInt8]? = { _ in nil }
  ) -> Stage {
    let log = CallLog()
    return Stage(
      log: log, store: store, manifest: [SceneConfiguration("Main") { Painter(log, paint) }]
    ) {
      $0.snapshotVariants = variants
      $0.refreshesInForeground = dances
    }
  }

  // MARK: - When

  @Test func `each variant is asked for in its order, after the capture`() async throws {
    let stage = Self.stage(["light", "dark"])
    try await stage.play { application in
      try await application.host.perform(.open(Self.one))
      _ = stage.log.take()
      try await application.host.perform(.background(Self.one))
      #expect(
        stage.log.take() == [
          "didEnterBackground", "capture", "snapshot(light) B", "snapshot(dark) B",
        ])
    }
  }

  @Test func `without variants there is one without a name`() async throws {
    let stage = Self.stage()
    try await stage.play { application in
      try await application.host.perform(.open(Self.one))
      try await application.host.perform(.background(Self.one))
      #expect(stage.log.take().suffix(2) == ["capture", "snapshot() B"])
    }
  }

  @Test func `of more than eight variants the first eight are taken`() async throws {
    let stage = Self.stage((1...9).map { "\($0)" })
    try await stage.play { application in
      try await application.requestSceneSessionRefresh(Self.one)
      #expect(stage.log.take() == ["capture"] + (1...8).map { "snapshot(\($0)) B" })
    }
  }

  @Test func `a disconnect and an end take none`() async throws {
    let stage = Self.stage()
    try await stage.play { application in
      try await application.host.perform(.connect(Self.one))
      try await application.host.perform(.disconnect(Self.one))
      try await application.host.perform(.open(Self.one))
      try await application.host.perform(.close(Self.one))
      #expect(!stage.log.take().contains { $0.hasPrefix("snapshot") })
    }
  }

  // MARK: - As UIKit does it

  @Test(arguments: [false, true])
  func `a refresh goes to the foreground and back before it captures`(isConnected: Bool)
    async throws
  {
    let stage = Self.stage(["light", "dark"], dances: true)
    let events = stage.application.lifecycleEvents()
    try await stage.play { application in
      if isConnected { try await application.host.perform(.connect(Self.one)) }
      try await application.requestSceneSessionRefresh(Self.one)
      #expect(
        stage.log.take() == [
          "willEnterForeground", "didEnterBackground", "capture", "snapshot(light) B",
          "snapshot(dark) B",
        ])
      #expect(application.applicationState == .background)
      #expect(application.disagreements == [])
    }
    let lines = await events.reduce(into: []) { $0.append($1.posted ?? "") }
    #expect(
      lines.filter { $0.hasPrefix("app") } == ["app didFinishLaunching", "app willTerminate"])
  }

  @Test func `a scene that really comes back does not`() async throws {
    let stage = Self.stage(dances: true)
    try await stage.play { application in
      try await application.host.perform(.open(Self.one))
      try await application.host.perform(.background(Self.one))
      #expect(
        stage.log.take() == [
          "willEnterForeground", "didBecomeActive", "didEnterBackground", "capture",
          "snapshot() B",
        ])
    }
  }

  // MARK: - What is kept

  @Test func `the bytes are there after a relaunch, by variant`() async throws {
    let store = InMemorySessionStore([.number(1)])
    let stage = Self.stage(["light", "dark"], store: store) { $0 == "dark" ? [0, 1] : [2] }
    try await stage.play { application in
      try await application.requestSceneSessionRefresh(Self.one)
      #expect(application.session(Self.one)?.snapshot(variant: "dark") == [0, 1])
    }
    try await Self.stage(store: store).play { application in
      let session = try #require(application.session(Self.one))
      #expect(session.snapshot(variant: "dark") == [0, 1])
      #expect(session.snapshot(variant: "light") == [2])
      #expect(session.snapshot() == nil)
    }
  }

  @Test func `one without a variant is its own`() async throws {
    let stage = Self.stage { _ in [7] }
    try await stage.play { application in
      let before = application.session(Self.one)
      try await application.requestSceneSessionRefresh(Self.one)
      #expect(before?.snapshot() == nil)
      #expect(application.session(Self.one)?.snapshot() == [7])
    }
  }

  @Test func `a delegate that gives none leaves the last one as it is`() async throws {
    let given = Leased<[UInt8]?>([[1], nil, [], [3]])
    let stage = Self.stage { _ in given.next() }
    try await stage.play { application in
      for expected in [[1], [1], [], [3]] as [[UInt8]] {
        try await application.requestSceneSessionRefresh(Self.one)
        #expect(application.session(Self.one)?.snapshot() == expected)
      }
    }
  }

  @Test func `variants that are not taken any more are not kept`() async throws {
    let store = InMemorySessionStore([.number(1)])
    for variants in [["dark", "light"], ["dark", "wide"], []] {
      try await Self.stage(variants, store: store) { _ in [1] }.play { application in
        try await application.requestSceneSessionRefresh(Self.one)
      }
      let kept = store.sessions.first?.snapshots.keys.sorted()
      #expect(kept == (variants.isEmpty ? [""] : variants))
    }
  }

  @Test func `one over the limit is reported, and the last one stays`() async throws {
    let limit = SceneSession.snapshotSizeLimit
    let sizes = Leased([limit, limit + 1])
    let stage = Self.stage { _ in Array(repeating: 1, count: sizes.next()) }
    let events = stage.application.lifecycleEvents()
    try await stage.play { application in
      for _ in 0..<2 { try await application.requestSceneSessionRefresh(Self.one) }
      #expect(application.session(Self.one)?.snapshot()?.count == limit)
    }
    let diagnosed = await events.reduce(into: [Diagnostic]()) { all, event in
      if case .diagnosed(let diagnostic) = event.kind { all.append(diagnostic) }
    }
    #expect(diagnosed == [.snapshotTooLarge(bytes: limit + 1)])
  }
}
