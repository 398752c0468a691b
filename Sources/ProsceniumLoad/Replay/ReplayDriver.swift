// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
public import Logging
package import Proscenium
import ProsceniumPredicate

/// Replays a web server's access log through the runtime, and verifies what came of it.
///
/// A client with one user agent is a *user*; a session is one of its browser windows; a request is
/// an activity with the target content identifier `<user>/<path>`. A request without a referrer
/// asks for an activation, any other one is routed as an event. Requests of one user are submitted
/// in the order of the file, each after the one before was delivered; users overlap.
///
/// With a store each request is durable before the next one of its user is submitted. A run that
/// was ended at any instant is gone on with: what the windows' states and the replay's book hold
/// was delivered, everything else of the log is left to do. Each of these is true at every commit.
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
  /// Puts an object that makes mistakes before each delegate, for tests that the verdict sees them.
  package var makeFront: (@Sendable (any SceneDelegate) -> any SceneDelegateFront)?

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

  /// Replays a log and verifies the run, and those that it goes on with.
  ///
  /// - Parameters:
  ///   - path: The path of the log; `-` is standard input.
  ///   - place: Where the sessions are kept.
  ///   - show: Is told how far the run is, by one task, which it holds up.
  ///   - continued: Is told after which line the run goes on, if the store was used before.
  ///   - stop: Returns when the run is to end early. What was read until then is delivered and
  ///     verified. It is cancelled when the log ends.
  /// - Returns: What happened, and whether it is right.
  /// - Throws: `FileError` if the log cannot be read to its end, or if the store belongs to
  ///   something else or refuses what is to be kept; `StoreError` if the store cannot be used;
  ///   `CancellationError` if the task was cancelled, which leaves nothing to verify.
  @concurrent
  public func run(
    log path: String, store place: ReplayStore = .memory,
    show: @escaping @Sendable (ReplayPosition) -> Void = { _ in },
    continued: (@Sendable (Int) -> Void)? = nil, until stop: (@Sendable () async -> Void)? = nil
  ) async throws -> ReplaySummary {
    let store = try place.open()
    do {
      return try await replay(path, store, of: place, show, continued, until: stop)
    } catch {
      // The next run finds it free.
      try? await place.close(store)
      throw error
    }
  }

  private func replay(
    _ path: String, _ opened: any SessionStore, of place: ReplayStore,
    _ show: @escaping @Sendable (ReplayPosition) -> Void,
    _ continued: (@Sendable (Int) -> Void)?,
    until stop: (@Sendable () async -> Void)?
  ) async throws -> ReplaySummary {
    var store = opened
    let history = try ReplayHistory(
      try await ReplayContents.read(store), settings, place.name)
    let journal = ReplayJournal(history: history)
    let queues = (0..<settings.concurrency).map { _ in
      BoundedQueue<ReplayItem>(limit: Self.queueLimit)
    }
    let feed = ReplayFeed(
      path: path, settings: settings, clock: clock, queues: queues, journal: journal,
      show: show, continued: continued)
    let recall = ReplayRecall(history, place.name)
    let start = Moment(clock: clock, meter: meter)
    let (input, durability, end) = try await withApplication(journal, store) { application in
      let input: Result<ReplayInput, any Error>
      do {
        if place.isKept { try await prepare(application, history) }
        input = await deliver(feed, recall, to: application, isKept: place.isKept, until: stop)
      } catch {
        input = .failure(error)
      }
      return (input, application.durabilityReport, Moment(clock: clock, meter: meter))
    }
    try Task.checkCancellation()
    if let failure = journal.failure { throw failure }
    let read = try input.get()
    store = try await place.reopen(store)
    let (run, counts) = journal.finish(try await ReplayContents.read(store))
    try await place.close(store)
    return ReplaySummary(
      settings: settings, input: read,
      durability: place.isKept ? durability : nil, counts: counts,
      verification: read.verifier.verify(run),
      cost: start.cost(until: end, requests: counts.requests))
  }

  /// Brings a store to where the first request can be delivered.
  private func prepare(
    _ application: Application, _ history: ReplayHistory
  ) async throws(SceneError) {
    for session in history.leftovers {
      try await application.requestSceneSessionDestruction(session)
    }
    var pen = ReplayPen(application, settings)
    if !history.isContinued { try await pen.begin() }
    for sighting in history.unwritten {
      try await pen.saw(
        sighting.session, line: sighting.line, log: history.places[sighting.line])
    }
    try await pen.finish()
  }

  /// Reads, and delivers everything that was read.
  private func deliver(
    _ feed: ReplayFeed<C>, _ recall: ReplayRecall, to application: Application, isKept: Bool,
    until stop: (@Sendable () async -> Void)?
  ) async -> Result<ReplayInput, any Error> {
    await withTaskGroup { group in
      for queue in feed.queues {
        group.addTask {
          var worker = ReplayWorker(application, feed.journal, settings, isKept: isKept)
          await worker.serve(queue)
        }
      }
      let input = await read(feed, recall, until: stop)
      await group.waitForAll()
      return input
    }
  }

  private func read(
    _ feed: ReplayFeed<C>, _ recall: ReplayRecall, until stop: (@Sendable () async -> Void)?
  ) async -> Result<ReplayInput, any Error> {
    await withTaskGroup(of: Result<ReplayInput, any Error>?.self) { group in
      group.addTask { await feed.run(recall) }
      group.addTask {
        await feed.journal.waitForFailure()
        return nil
      }
      if let stop {
        group.addTask {
          await stop()
          return nil
        }
      }
      var input: Result<ReplayInput, any Error>?
      while let finished = await group.next() {
        if let finished { input = finished }
        // Whichever is first ends the others.
        group.cancelAll()
      }
      guard let input else { preconditionFailure("the feed was a task of the group") }
      return input
    }
  }

  private func withApplication<Success: Sendable>(
    _ journal: ReplayJournal, _ store: any SessionStore,
    _ body: @escaping @Sendable (Application) async throws -> Success
  ) async throws -> Success {
    var applicationSettings = ApplicationSettings()
    applicationSettings.shards = settings.shards
    applicationSettings.makeFront = makeFront
    let tabs = settings.tabs
    let window = SceneConfiguration(
      "Window", initialConditions: { ReplayDelegate.initialConditions($0) },
      { ReplayDelegate(journal, tabs: tabs) })
    let page = SceneConfiguration(
      "Page", role: .replayBook, initialConditions: { _ in .init(can: .false) },
      ReplayPageDelegate.init)
    return try await Application.withRunning(
      manifest: [window, page], store: store, settings: applicationSettings, log: log, body)
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
