// SPDX-License-Identifier: Apache-2.0

import Proscenium
import Synchronization
import Testing

@testable import ProsceniumTestKit

/// The package's own vectors under every option, and with bugs that they have to find.
@Suite(.timeLimit(.minutes(10))) struct LifecycleOptionsTests {
  private static func failures(_ options: ConformanceOptions) async throws -> [String] {
    let results = await (try Vectors.own()).suite.run(options)
    #expect(results.count > 90)
    return results.compactMap { result in result.difference.map { "\(result.id): \($0)" } }
  }

  @Test(arguments: [1, 2, 64])
  func `the own vectors pass whatever the number of shards`(shards: Int) async throws {
    var options = ConformanceOptions.patient()
    options.shards = shards
    #expect(try await Self.failures(options) == [])
  }

  @Test func `what is stored does not depend on how long scenes are kept`() async throws {
    var options = ConformanceOptions.patient()
    options.keepsScenes = false
    #expect(try await Self.failures(options) == [])
  }

  // MARK: - Scenes that are not kept

  private static let leave = Vectors.step(#""cmd": "user.home""#, "\"x\"")

  @Test func `without kept scenes logs are not compared, and what is stored is`() async throws {
    var options = ConformanceOptions.patient()
    options.keepsScenes = false
    func difference(_ expectation: String) async throws -> String? {
      try await Vectors.difference(
        Vectors.vector(Vectors.active, [Self.leave], expect: expectation), options)
    }
    #expect(
      try await difference(#"{"connectedScenes": ["S1#1"], "storedSessions": ["S1"]}"#) == nil)
    #expect(
      try await difference(#"{"storedSessions": []}"#)
        == "the end: expect.storedSessions: expected {}, found {S1}")
    #expect(
      try await difference(#"{"stored": {"S1": {"userInfo": {}}}}"#)
        == "the end: expect.stored.S1.userInfo: expected {}, found null")
  }

  @Test func `a scene that is not kept is disconnected when it has settled`() async throws {
    var options = ConformanceOptions.patient()
    options.keepsScenes = false
    let vector = try Vectors.file(Vectors.suite(Vectors.vector(Vectors.active, [])))
    #expect(await vector.suite.run(options).first?.difference == nil)
    let recorder = LifecycleRecorder(notes: .none, keepsScenes: false)
    let store = InMemorySessionStore()
    var settings = ApplicationSettings()
    settings.observer = { recorder.observe($0) }
    let application = Application(
      manifest: [SceneConfiguration(name: "Default", delegateClass: nil)], store: store,
      settings: settings)
    recorder.follow(application, store)
    try await withThrowingTaskGroup { group in
      group.addTask { try await application.run() }
      let session = try await application.host.newSession()
      #expect(application.connectedSceneCount == 1)
      try await application.host.perform(.background(session.id))
      await application.settle()
      #expect(application.connectedSceneCount == 0)
      group.cancelAll()
      try await group.waitForAll()
    }
  }

  // MARK: - What hangs

  /// A clock on which all time has passed.
  private struct OverClock: Clock {
    struct Instant: InstantProtocol {
      func advanced(by duration: Duration) -> Instant { self }
      func duration(to other: Instant) -> Duration { .zero }
      static func < (left: Instant, right: Instant) -> Bool { false }
    }

    var now: Instant { Instant() }
    var minimumResolution: Duration { .zero }
    func sleep(until deadline: Instant, tolerance: Duration?) async throws {}
  }

  @Test func `a run that does not come to rest is given up`() async {
    var options = ConformanceOptions.patient()
    options.limit = .seconds(7)
    options.clock = OverClock()
    let place = VectorPlace()
    place.set("step 3 (user.home)")
    let difference = await LifecycleSuite.difference(options, place) {
      await Signal().wait()
      return nil
    }
    #expect(difference == "step 3 (user.home): it did not come to rest within 7.0 seconds")
  }

  @Test func `a run that comes to rest is not given up`() async {
    let difference = await LifecycleSuite.difference(ConformanceOptions(), VectorPlace()) { "x" }
    #expect(difference == "x")
    let none = await LifecycleSuite.difference(ConformanceOptions(), VectorPlace()) { nil }
    #expect(none == nil)
  }
}
