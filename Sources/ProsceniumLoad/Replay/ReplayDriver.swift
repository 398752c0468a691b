// SPDX-License-Identifier: Apache-2.0

public import Logging
import Proscenium

/// Replays a web server's access log through the runtime, and verifies what came of it.
///
/// A client with one user agent is a *user*; a session is one of its browser windows; a request is
/// an activity with the target content identifier `<user>/<path>`. A request without a referrer
/// asks for an activation, any other one is routed as an event. Requests of one user are submitted
/// in the order of the file, each after the one before was delivered; users overlap.
///
/// Reader, workers and runtime are child tasks: none of them runs on the main actor.
public struct ReplayDriver<C: Clock>: Sendable where C.Duration == Duration {
  // So many requests wait for a worker: enough to keep it busy, few enough to keep the users at
  // about the same log time.
  private static var queueLimit: Int { 16 }

  private let settings: ReplaySettings
  private let clock: C
  private let log: Logger
  private let meter: (any MemoryMeter)?

  /// Makes a driver.
  ///
  /// - Parameters:
  ///   - settings: The rules.
  ///   - clock: Times the run, and paces it where `speed` asks for it.
  ///   - log: Receives the runtime's diagnostics.
  ///   - meter: Reads the allocator's counters, if the program has one that counts.
  public init(
    settings: ReplaySettings = .init(), clock: C, log: Logger = Logger(label: "proscenium"),
    meter: (any MemoryMeter)? = nil
  ) {
    self.settings = settings.clamped
    self.clock = clock
    self.log = log
    self.meter = meter
  }

  /// Replays a log and verifies the run.
  ///
  /// - Parameters:
  ///   - path: The path of the log; `-` is standard input.
  ///   - display: Shows how far the run is.
  ///   - stop: Returns when the run is to end early. What was read until then is delivered and
  ///     verified. It is cancelled when the log ends.
  /// - Returns: What happened, and whether it is right.
  /// - Throws: `AccessLogError` if the log cannot be read to its end; `CancellationError` if the
  ///   task was cancelled, which leaves nothing to verify.
  @concurrent
  public func run(
    log path: String, display: ReplayDisplay<C>? = nil,
    until stop: (@Sendable () async -> Void)? = nil
  ) async throws -> ReplaySummary {
    let journal = ReplayJournal(plant: settings.plant)
    let store = InMemorySessionStore()
    let application = makeApplication(journal, store)
    let queues = (0..<settings.concurrency).map { _ in
      BoundedQueue<ReplayRequest>(limit: Self.queueLimit)
    }
    let feed = ReplayFeed(
      path: path, settings: settings, clock: clock, queues: queues, journal: journal,
      display: display)
    let start = Moment(clock: clock, meter: meter)
    let (input, end) = try await withThrowingTaskGroup { group in
      group.addTask { try await application.run() }
      let input = await deliver(feed, to: application, until: stop)
      let end = Moment(clock: clock, meter: meter)
      group.cancelAll()
      try await group.waitForAll()
      return (input, end)
    }
    try Task.checkCancellation()
    let read = try input.get()
    let (run, counts) = journal.finish(store.sessions)
    return ReplaySummary(
      settings: settings, input: read, counts: counts, verification: read.verifier.verify(run),
      cost: start.cost(until: end, requests: counts.requests))
  }

  /// Reads, and delivers everything that was read.
  private func deliver(
    _ feed: ReplayFeed<C>, to application: Application, until stop: (@Sendable () async -> Void)?
  ) async -> Result<ReplayInput, AccessLogError> {
    await withTaskGroup { group in
      for queue in feed.queues {
        group.addTask {
          var worker = ReplayWorker(application, feed.journal, settings)
          await worker.serve(queue)
        }
      }
      let input = await read(feed, until: stop)
      await group.waitForAll()
      return input
    }
  }

  private func read(
    _ feed: ReplayFeed<C>, until stop: (@Sendable () async -> Void)?
  ) async -> Result<ReplayInput, AccessLogError> {
    await withTaskGroup(of: Result<ReplayInput, AccessLogError>?.self) { group in
      group.addTask { await feed.run() }
      if let stop {
        group.addTask {
          await stop()
          return nil
        }
      }
      var input: Result<ReplayInput, AccessLogError>?
      while let finished = await group.next() {
        if let finished { input = finished }
        // Whichever of the two is first ends the other.
        group.cancelAll()
      }
      guard let input else { preconditionFailure("the feed was a task of the group") }
      return input
    }
  }

  private func makeApplication(
    _ journal: ReplayJournal, _ store: InMemorySessionStore
  ) -> Application {
    var applicationSettings = ApplicationSettings()
    applicationSettings.shards = settings.shards
    let tabs = settings.tabs
    let window = SceneConfiguration(
      "Window", initialConditions: { ReplayDelegate.initialConditions($0) },
      { ReplayDelegate(journal, tabs: tabs) })
    return Application(manifest: [window], store: store, settings: applicationSettings, log: log)
  }

  /// Clock, processor time and allocator at one moment.
  private struct Moment {
    let time: C.Instant
    let processorTime: Double
    let memory: MemoryReading?

    init(clock: C, meter: (any MemoryMeter)?) {
      time = clock.now
      processorTime = ProcessorTime.used
      memory = meter?.memory()
    }

    func cost(until end: Moment, requests: Int) -> ReplayCost {
      let seconds = time.duration(to: end.time) / .seconds(1)
      var cost = ReplayCost(seconds: seconds)
      if seconds > 0 { cost.processors = (end.processorTime - processorTime) / seconds }
      cost.memory = end.memory
      if let before = memory, let after = end.memory, requests > 0 {
        cost.allocationsPerRequest =
          Double(after.allocations - before.allocations) / Double(requests)
      }
      return cost
    }
  }
}
