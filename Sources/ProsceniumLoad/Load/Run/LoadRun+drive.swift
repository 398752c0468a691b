// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPrimitives
import ProsceniumSimulation

// The load.
extension LoadRun {
  /// What a task of the load returns.
  private enum Outcome: Sendable {
    /// Everything is sent, the system strikes no more, and no session is discarded.
    case sent([LoadSender])
    case samples([LoadSample])
    /// Every place has a session.
    case filled
    case nothing
  }

  /// Sends events that are not counted, and begins to count.
  mutating func warmUp(_ tenants: LoadTenants, _ application: Application) async throws {
    if scenario.warmup > 0 {
      test.show(.step(.warmingUp))
      start = test.clock.now
      let end = LoadScenario.End.seconds(scenario.warmup)
      senders = try await send(
        driver(tenants, ApplicationTarget(application: application)), until: end)
      await application.settle()
    }
    beginCounting()
  }

  /// Sends the events to queues with nothing behind them; returns how long they took.
  mutating func measureFloor() async throws -> LatencyHistogram {
    let tenants = LoadTenants(
      (0..<scenario.sessions).map { SessionIdentifier(high: 1, low: UInt64($0)) })
    let queue = LoadQueue(count: scenario.shards, audit)
    beginCounting()
    let (run, end) = (self, end(through: 1))
    try await queue.reading { _ = try await run.send(run.driver(tenants, queue), until: end) }
    return audit.takeLatencies().all
  }

  private mutating func beginCounting() {
    for index in senders.indices { senders[index].beginCounting() }
    audit.beginCounting()
    sentCount.withLock { $0 = 0 }
    start = test.clock.now
  }

  /// Sends events while the system strikes, until a share of the time, or of the events, is over.
  ///
  /// What happens at the same time has ended as well when it returns.
  mutating func drive(
    _ tenants: LoadTenants, _ application: Application, through share: Double,
    while turn: @escaping @Sendable (LoadRun) async throws -> Void = { _ in }
  ) async throws {
    test.show(.step(.running))
    let driver = driver(tenants, ApplicationTarget(application: application))
    let (run, end) = (self, end(through: share))
    // Both watch what the senders and the system do: they are ready before anything is done.
    let places = vacancies.open(tenants)
    let sampler = LoadSampler(run, application)
    try await withThrowingTaskGroup(of: Outcome.self) { group in
      // Returns when the senders are through.
      group.addTask {
        async let turned: Void = turn(run)
        // What is due at the beginning has struck before the senders begin.
        let sent = try await withCompany {
          await run.injector.run(against: application, isReady: $0)
        } _: {
          try await run.send(driver, until: end)
        }
        try await turned
        // What was struck last is not gone yet.
        await application.settle()
        return .sent(sent)
      }
      // Ends when no more places become free.
      group.addTask {
        try await run.fill(places, of: tenants, application)
        return .filled
      }
      // While the senders run, at a rate of its own; cancelled in the end.
      group.addTask {
        try await run.requestRefreshes(tenants, application)
        return .nothing
      }
      // Looks once a second; cancelled in the end.
      group.addTask { .samples(await sampler.run()) }
      // One after the other: the senders with the strikes, the sessions that follow, the rest.
      while let outcome = try await group.next() {
        switch outcome {
        case .sent(let sent):
          senders = sent
          run.vacancies.close()
        case .filled: group.cancelAll()
        case .samples(let new): samples += new
        case .nothing: break
        }
      }
    }
  }

  /// Lets the senders send until the end; returns them with what they have sent.
  private func send(
    _ driver: LoadDriver, until end: LoadScenario.End
  ) async throws -> [LoadSender] {
    let sent = try await withThrowingTaskGroup { group in
      for sender in senders {
        // Each returns what it has sent.
        switch scenario.pace {
        case .open:
          let thread = SenderThread(number: sender.number)
          group.addTask(executorPreference: thread) {
            try await driver.send(sender, until: end)
          }
        // Callers who wait are in the pool, as those of a program are.
        case .closed: group.addTask { try await driver.send(sender, until: end) }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    return sent.sorted { $0.number < $1.number }
  }

  private func driver(_ tenants: LoadTenants, _ target: any LoadTarget) -> LoadDriver {
    LoadDriver(
      test: test, audit: audit, tenants: tenants, target: target, start: start,
      progress: sentCount)
  }

  private func end(through share: Double) -> LoadScenario.End {
    switch scenario.end {
    case .seconds(let seconds): .seconds(seconds * share)
    case .events(let events):
      .events(Int((Double(events) * share / Double(senders.count)).rounded(.up)))
    }
  }

  /// Lets new sessions follow those that are discarded.
  private func fill(
    _ places: AsyncStream<Int>, of tenants: LoadTenants, _ application: Application
  ) async throws {
    try await vacancies.fill(places, of: tenants) { (place, generation) throws(SceneError) in
      try await Self.make(place, generation, scenario, application)
    } isOpen: {
      application.session($0) != nil
    }
  }

  /// Requests refreshes at their rate, until it is cancelled.
  private func requestRefreshes(_ tenants: LoadTenants, _ application: Application) async throws {
    guard scenario.refreshes > 0 else { return }
    var random = SplitMix64(seed: scenario.seed, stream: 999)
    let begin = test.clock.now
    var count = 0
    while !Task.isCancelled {
      while Double(count) < scenario.refreshes * seconds(since: begin) {
        count += 1
        let session = tenants[random.number(below: tenants.count)].session
        application.submit(.refresh(session)) { [audit] error in
          if error.code == .systemBusy { audit.add(.busy) }
        }
      }
      try? await test.clock.sleep(for: .milliseconds(1))
    }
  }
}
