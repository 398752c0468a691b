// SPDX-License-Identifier: Apache-2.0

import CoreMetrics
import MetricsTestKit
@testable import Proscenium
import Testing

/// What is counted for the program's metrics.
@Suite struct LifecycleMetricsTests {
  @Test func `the life of scenes is counted, with what each event is about`() async throws {
    let metrics = TestMetrics()
    let stage = Stage { $0.metrics = metrics }
    try await stage.play { application in
      let session = try await application.host.newSession()
      let scenes = try metrics.expectMeter("proscenium_scenes")
      #expect(scenes.lastValue == 1)
      try await application.host.perform(.background(session.id))
      try await application.host.perform(.disconnect(session.id))
      #expect(scenes.lastValue == 0)
      try await application.host.perform(.connect(session.id))
      try await application.deliver(.activity(UserActivity("read")))
      try await application.host.perform(.close(session.id))
      #expect(scenes.lastValue == 0)
    }
    func count(_ name: String, _ dimension: (String, String)) throws -> Int64 {
      try metrics.expectCounter("proscenium_\(name)", [dimension]).totalValue
    }
    #expect(try count("connects", ("session", "new")) == 1)
    #expect(try count("connects", ("session", "known")) == 1)
    #expect(try count("disconnects", ("reason", "system")) == 1)
    #expect(try count("disconnects", ("reason", "dismissed")) == 1)
    #expect(try count("discards", ("reason", "dismissed")) == 1)
    #expect(try count("discards", ("reason", "system")) == 0)
    #expect(try count("routed_events", ("rule", "recent")) == 1)
  }

  @Test func `errors are counted by their codes`() throws {
    let metrics = TestMetrics()
    let counters = try #require(LifecycleMetrics(metrics))
    for code in [SceneError.Code.notDurable, .roleMismatch, .notDurable] {
      counters.see(
        LifecycleEvent(session: nil, kind: .failed(SceneError(code, "")), time: .zero))
    }
    let counter = try metrics.expectCounter("proscenium_errors", [("code", "notDurable")])
    #expect(counter.totalValue == 2)
  }

  @Test func `a program without metrics has no listener`() {
    var settings = ApplicationSettings()
    settings.metrics = NOOPMetricsHandler.instance
    let listeners = settings.observers.count
    settings.metrics = TestMetrics()
    #expect(settings.observers.count == listeners + 1)
    #expect(LifecycleMetrics(NOOPMetricsHandler.instance) == nil)
  }
}
