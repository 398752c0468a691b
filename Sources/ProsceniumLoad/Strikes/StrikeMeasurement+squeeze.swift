// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPrimitives
import ProsceniumSQLite

// Nine tenths of the memory are taken away.
extension StrikeMeasurement {
  /// What each scene takes beside what the runtime takes for it.
  private static let ballast = 16_384
  /// How many disconnected scenes are brought back one after another.
  private static let restored = 10_000

  func squeeze(in folder: String) async throws -> [String] {
    let audit = StrikeAudit(clock: clock)
    let store = try SQLiteSessionStore(inFolder: folder)
    let application = application(store, audit, ballast: Self.ballast) {
      $0.reconnectionLimit = sessions
    }
    let complaints = try await running(application) {
      let identifiers = try await open(application)
      await application.settle()
      let full = used
      let limit = full.resident / 10
      report(MeasuredFigure("connected scenes", Double(application.connectedSceneCount), .plain))
      report(MeasuredFigure("  resident", Double(full.resident), .bytes))
      let time = try await lower(to: limit, application)
      report(MeasuredFigure("  resident below a tenth after", time ?? .infinity, .seconds))
      report(MeasuredFigure("  resident then", Double(used.resident), .bytes))
      let left = application.connectedSceneCount
      report(MeasuredFigure("  scenes left", Double(left), .plain))
      application.host.setDisconnectionPolicy(nil)
      let wrong = try await restore(identifiers, application)
      var complaints: [String] = []
      if time.map({ $0 > 1 }) ?? true { complaints.append("it took over a second") }
      if wrong > 0 { complaints.append("\(wrong) sessions have lost their states") }
      if let text = audit.failureText { complaints.append(text) }
      return complaints
    }
    try await store.close()
    return complaints
  }

  /// Lowers the limit.
  ///
  /// - Returns: After how many seconds less is resident than that; nil if it takes over 30 seconds.
  private func lower(to limit: Int, _ application: Application) async throws -> Double? {
    var policy = DisconnectionPolicy()
    policy.memory = MemoryPressureSource { [meter] in meter.memory()?.resident }
    policy.memoryLimit = limit
    policy.memoryCost = Self.ballast
    policy.interval = .milliseconds(10)
    policy.releaseMemory = { [meter] in meter.releaseUnused() }
    let start = clock.now
    application.host.setDisconnectionPolicy(policy)
    while seconds(since: start) < 30 {
      if used.resident < limit { return seconds(since: start) }
      try await clock.sleep(for: .milliseconds(2))
    }
    return nil
  }

  /// Sends the next event to sessions without a scene.
  ///
  /// - Returns: How many of them are not as they were.
  private func restore(
    _ sessions: [SessionIdentifier], _ application: Application
  ) async throws -> Int {
    var random = SplitMix64(seed: seed)
    var times = LatencyHistogram()
    var wrong = 0
    for _ in 0..<Self.restored {
      let session = sessions[random.number(below: sessions.count)]
      guard application.scene(for: session) == nil else { continue }
      let start = clock.now
      let reply = try await application.call("?", to: session)
      times.record(start.duration(to: clock.now))
      wrong += EventCounts(text: reply.string) == EventCounts() ? 0 : 1
    }
    report(MeasuredFigure("  scenes brought back by their next event", Double(times.count), .plain))
    for (name, share) in [("p50", 0.5), ("p99", 0.99)] {
      report(
        MeasuredFigure(
          "    until it is answered, \(name)", Double(times.quantile(share)) / 1e9, .seconds))
    }
    return wrong
  }
}
