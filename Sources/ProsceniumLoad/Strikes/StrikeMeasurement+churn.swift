// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPrimitives
import ProsceniumSimulation
import ProsceniumSQLite

// Disconnects and discards at a rate, under messages at a rate.
extension StrikeMeasurement {
  private static let senders = 2

  func strike(in folder: String) async throws -> [String] {
    let audit = StrikeAudit(clock: clock)
    let store = try SQLiteSessionStore(inFolder: folder)
    let vacancies = LoadVacancies()
    let application = application(store, audit) { settings in
      settings.observer = { event in
        audit.see(event)
        vacancies.see(event)
      }
    }
    let (sent, struck, complaints) = try await running(application) {
      let struck = LoadTenants(try await open(application))
      let sent = try await churn(application, struck, vacancies, audit)
      await application.settle()
      return (sent, struck, try await check(application, struck, sent, audit))
    }
    try await store.close()
    return complaints + (try await checkStored(folder, struck, sent))
  }

  private func churn(
    _ application: Application, _ struck: LoadTenants, _ vacancies: LoadVacancies,
    _ audit: StrikeAudit
  ) async throws -> [SentEvents] {
    var plan = FaultPlan(seed: seed)
    plan.disconnects.perSecond = Double(disconnects)
    plan.discards.perSecond = Double(discards)
    let injector = FaultInjector(plan, clock: clock)
    let processor = ProcessorTime.used
    let start = clock.now
    var memory = MemoryTrend()
    let sent = try await withThrowingTaskGroup(of: [SentEvents].self) { group in
      let places = vacancies.open(struck)
      // Discarded sessions are followed by new ones, until all places are filled.
      group.addTask {
        try await vacancies.fill(places, of: struck) { (_, _) throws(SceneError) in
          try await follow(application)
        } isOpen: {
          application.session($0) != nil
        }
        return []
      }
      // Nobody is discarded any more when the senders are through.
      group.addTask {
        defer { vacancies.close() }
        let sent = try await injector.run(against: application) {
          try await send(struck, application, audit, from: start)
        }
        // What was struck last is not gone yet.
        await application.settle()
        return sent
      }
      while seconds(since: start) < seconds {
        try await clock.sleep(for: .seconds(1))
        memory.add(meter.memory(), at: seconds(since: start) / seconds)
      }
      return try await group.reduce([], +)
    }
    let elapsed = seconds(since: start)
    let accepted = sent.reduce(0) { $0 + $1.accepted }
    report(
      MeasuredFigure(
        "messages accepted, to sessions by Zipf's law", Double(accepted) / elapsed, .rate,
        processors: (ProcessorTime.used - processor) / elapsed))
    let strikes = injector.counts
    report(
      MeasuredFigure("  disconnects", Double(strikes[.disconnect] ?? 0) / elapsed, .rate))
    report(
      MeasuredFigure(
        "  discards, each followed by a new session", Double(strikes[.discard] ?? 0) / elapsed,
        .rate))
    report(MeasuredFigure("  strikes that found none", Double(injector.misses), .plain))
    report(MeasuredFigure("  strikes refused", Double(injector.refusals), .plain))
    memory.report(report)
    return sent
  }

  /// Makes a session that follows one that was discarded; nil if it was discarded as well, before
  /// its scene was there.
  private func follow(_ application: Application) async throws(SceneError) -> SessionIdentifier? {
    do throws(SceneError) {
      return try await application.requestSceneSessionActivation(nil).id
    } catch  where error.code == .lost {
      return nil
    }
  }

  /// Sends with as many senders as there are processors, so that the load does not wait for itself.
  private func send(
    _ struck: LoadTenants, _ application: Application, _ audit: StrikeAudit,
    from start: ContinuousClock.Instant
  ) async throws -> [SentEvents] {
    try await withThrowingTaskGroup { group in
      for sender in 0..<Self.senders {
        // Each returns what it has sent.
        group.addTask { try await send(sender, struck, application, audit, from: start) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
  }

  /// Sends what is due, in order of time: what is late stays due.
  private func send(
    _ sender: Int, _ struck: LoadTenants, _ application: Application, _ audit: StrikeAudit,
    from start: ContinuousClock.Instant
  ) async throws -> SentEvents {
    var random = SplitMix64(seed: seed, stream: sender)
    let table = ZipfTable(count: struck.count)
    var sent = SentEvents(sender: sender, places: struck.count)
    var count = 0
    let perSecond = Double(rate) / Double(Self.senders)
    while true {
      let elapsed = min(seconds(since: start), seconds)
      let due = Int(perSecond * elapsed)
      while count < due {
        let burst = min(due - count, SendBurst.size(behind: due - count))
        for _ in 0..<burst {
          let place = table.rank(&random)
          try await sent.send(to: place, of: struck, by: application, at: audit.now)
        }
        count += burst
        if count < due { await Task.yield() }
      }
      if elapsed >= seconds { return sent }
      try await clock.sleep(for: .milliseconds(1))
    }
  }

  // MARK: - Checks

  private func check(
    _ application: Application, _ struck: LoadTenants, _ sent: [SentEvents],
    _ audit: StrikeAudit
  ) async throws -> [String] {
    let latency = audit.latency
    for (name, share) in [("p50", 0.5), ("p99", 0.99), ("p99.9", 0.999)] {
      report(
        MeasuredFigure(
          "  to a connected scene, \(name)", Double(latency.quantile(share)) / 1e9, .seconds))
    }
    let wrong = try await countWrong(Self.all(struck), application, audit) {
      Self.expected(struck, sent, $0)
    }
    report(MeasuredFigure("  sessions with other counts than were sent", Double(wrong), .plain))
    report(MeasuredFigure("  messages out of their order", Double(audit.wrongEvents), .plain))
    report(MeasuredFigure("  sessions with two scenes", Double(audit.duplicateOwners), .plain))
    var complaints: [String] = []
    if wrong > 0 { complaints.append("\(wrong) sessions have lost messages") }
    if audit.wrongEvents > 0 { complaints.append("\(audit.wrongEvents) messages out of order") }
    if audit.duplicateOwners > 0 {
      complaints.append("\(audit.duplicateOwners) sessions had two scenes")
    }
    if let text = audit.failureText { complaints.append(text) }
    return complaints
  }

  /// Launches once more: everything that was accepted has to be on the disk.
  private func checkStored(
    _ folder: String, _ struck: LoadTenants, _ sent: [SentEvents]
  ) async throws -> [String] {
    let audit = StrikeAudit(clock: clock)
    let store = try SQLiteSessionStore(inFolder: folder)
    let application = application(store, audit)
    let wrong = try await running(application) {
      try await countWrong(Self.all(struck), application, audit) {
        Self.expected(struck, sent, $0)
      }
    }
    try await store.close()
    report(MeasuredFigure("  and after the next launch", Double(wrong), .plain))
    return wrong > 0 ? ["\(wrong) sessions have lost messages on the disk"] : []
  }

  private static func all(_ struck: LoadTenants) -> [SessionIdentifier] {
    (0..<struck.count).map { struck[$0].session }
  }

  private static func expected(
    _ struck: LoadTenants, _ sent: [SentEvents], _ place: Int
  ) -> EventCounts {
    var counts = EventCounts()
    for sent in sent { counts[sent.sender] = sent.count(place, struck[place].generation) }
    return counts
  }
}

/// Whether the memory grows: what was allocated in the sixth after the first sixth, and in the
/// last.
private struct MemoryTrend {
  private var early: [Int] = []
  private var late: [Int] = []
  private var residentEarly: [Int] = []
  private var residentLate: [Int] = []

  mutating func add(_ reading: MemoryReading?, at share: Double) {
    guard let reading else { return }
    if share >= 1.0 / 6, share < 1.0 / 3 {
      early.append(reading.allocated)
      residentEarly.append(reading.resident)
    } else if share >= 5.0 / 6 {
      late.append(reading.allocated)
      residentLate.append(reading.resident)
    }
  }

  func report(_ report: (MeasuredFigure) -> Void) {
    let allocated = (Self.mean(early), Self.mean(late))
    let resident = (Self.mean(residentEarly), Self.mean(residentLate))
    report(MeasuredFigure("  allocated, in the second sixth of the time", allocated.0, .bytes))
    report(MeasuredFigure("  in the last, for each byte then", allocated.1 / allocated.0, .plain))
    report(MeasuredFigure("  resident, in the second sixth of the time", resident.0, .bytes))
    report(MeasuredFigure("  in the last, for each byte then", resident.1 / resident.0, .plain))
  }

  private static func mean(_ values: [Int]) -> Double {
    Double(values.reduce(0, +)) / Double(max(values.count, 1))
  }
}
