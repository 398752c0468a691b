// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPrimitives
import ProsceniumSimulation

/// Sends the events of some of the places: no other sends to these, so that every session has
/// one order.
struct LoadSender: Sendable {
  /// What the sender knows of a place.
  private struct Seat: Sendable {
    /// What its session should remember.
    var history = LoadHistory()
    /// The number of the session among those of the place.
    var generation: UInt32 = 0
  }

  /// Which of the senders it is, from 0.
  let number: Int
  /// How many senders there are.
  let count: Int
  /// How many events were sent, whatever became of them.
  private(set) var drawn = 0
  /// How many were sent more than a millisecond after they were due.
  private(set) var late = 0
  /// Events that were accepted.
  private(set) var accepted = 0
  /// How many of them are counted.
  var counted: Int { accepted - uncounted }

  private let scenario: LoadScenario
  private let ranks: ZipfTable
  private var uncounted = 0
  private var seen = 0
  private var random: SplitMix64
  private let refusals = LoadRefusals()
  private var submitted = 0
  private var seats: [Seat]

  /// Makes a sender.
  ///
  /// - Parameters:
  ///   - number: Which of the senders it is, from 0.
  ///   - count: How many senders there are; each has every so-many-th place.
  ///   - scenario: What is sent.
  init(_ number: Int, of count: Int, _ scenario: LoadScenario) {
    self.scenario = scenario
    self.number = number
    self.count = count
    let places = (scenario.sessions - number + count - 1) / count
    ranks = ZipfTable(count: places, scenario.skew)
    random = SplitMix64(seed: scenario.seed, stream: 1_000 + number)
    seats = [Seat](repeating: Seat(), count: places)
  }

  /// Which part of the time between two of its events lies before its first one, so that those of
  /// several senders are spread evenly.
  var offset: Double { Double(number) / Double(count) }

  /// Counts from here on.
  mutating func beginCounting() {
    uncounted = accepted
    drawn = 0
    late = 0
  }

  /// How many events were accepted since it was last asked.
  mutating func takeNew() -> Int {
    defer { seen = accepted }
    return accepted - seen
  }

  /// What the session of a place should remember.
  func history(_ place: Int, _ generation: UInt32) -> LoadHistory {
    let seat = seats[place / count]
    return seat.generation == generation ? seat.history : LoadHistory()
  }

  /// Draws a place, and sends the next event of its session without waiting for the delivery.
  ///
  /// Latency is counted from when the event is due, a moment of the audit's clock in nanoseconds,
  /// which was so many seconds ago.
  mutating func send(
    to tenants: LoadTenants, of target: some LoadTarget, _ audit: LoadAudit, dueAt time: UInt64,
    late delay: Double
  ) async throws(SceneError) {
    if delay > 0.001 { late += 1 }
    let (event, tenant, kind) = draw(tenants, time)
    if kind == .message {
      do throws(SceneError) {
        try await target.accept(event.message, for: tenant.session)
      } catch {
        return try ignoreDiscard(error)
      }
    } else {
      try await submit(event.routed(as: kind), target, audit)
    }
    accept(event)
  }

  /// Draws a place, sends the next event of its session, and waits until it is delivered.
  mutating func sendAndWait(
    to tenants: LoadTenants, of target: some LoadTarget, _ audit: LoadAudit
  ) async throws(SceneError) {
    let (event, tenant, kind) = draw(tenants, audit.now)
    do throws(SceneError) {
      if kind == .message {
        try await target.finish(event.message, for: tenant.session)
      } else {
        try await target.finish(event.routed(as: kind))
      }
    } catch {
      return try ignoreDiscard(error)
    }
    accept(event)
  }

  /// Does what sending takes without sending: hands over the event as a scene would get it.
  mutating func rehearse(
    _ tenants: LoadTenants, at time: UInt64, _ take: (LoadEvent?, SessionIdentifier) -> Void
  ) {
    let (event, tenant, kind) = draw(tenants, time)
    let arrived =
      kind == .message ? LoadEvent(event.message) : LoadEvent(event.routed(as: kind))
    take(arrived, tenant.session)
    accept(event)
  }

  private mutating func draw(
    _ tenants: LoadTenants, _ time: UInt64
  ) -> (LoadEvent, LoadTenants.Tenant, LoadEventKind) {
    let seat = ranks.rank(&random)
    let kind = scenario.mix.isMessagesAlone ? .message : scenario.mix.draw(&random)
    drawn += 1
    let place = number + seat * count
    let tenant = tenants[place]
    if seats[seat].generation != tenant.generation {
      seats[seat] = Seat(generation: tenant.generation)
    }
    let event = LoadEvent(
      place: UInt32(place), generation: tenant.generation,
      number: seats[seat].history.last + 1, time: time)
    return (event, tenant, kind)
  }

  private mutating func accept(_ event: LoadEvent) {
    seats[Int(event.place) / count].history.append(event.number)
    accepted += 1
  }

  /// Submits an event that is routed, as soon as there is room for it.
  private mutating func submit(
    _ event: SceneEvent, _ target: some LoadTarget, _ audit: LoadAudit
  ) async throws(SceneError) {
    submitted += 1
    let number = submitted
    while true {
      // What fails after it was accepted is reported by the application as lost.
      target.accept(event) { [refusals] error in refusals.note(error, number) }
      guard let error = refusals.take(number) else { return }
      guard error.code == .systemBusy else { throw error }
      audit.add(.busy)
      await Task.yield()
    }
  }

  /// A session that was discarded is followed by another one.
  private func ignoreDiscard(_ error: SceneError) throws(SceneError) {
    if !error.tellsOfDiscard { throw error }
  }
}

/// Whether the event that a sender has just submitted was refused: one place for all of its events,
/// so that none takes memory for the answer.
final class LoadRefusals: Sendable {
  private let last = Guarded<(number: Int, error: SceneError)?>(nil)

  /// Takes note of the failure of an event; one that was accepted may fail at any later time, and
  /// is not taken for a newer one.
  func note(_ error: SceneError, _ number: Int) {
    last.withLock { last in
      if last.map({ $0.number <= number }) ?? true { last = (number, error) }
    }
  }

  /// Takes why an event was refused; nil if it was accepted.
  func take(_ number: Int) -> SceneError? {
    last.withLock { last in
      guard let refusal = last, refusal.number == number else { return nil }
      last = nil
      return refusal.error
    }
  }
}

/// Measures what the generator itself costs: everything that is done for an event, but by the
/// runtime.
///
/// The same events are drawn, written, read, checked and recorded as in the load, without an
/// application in between.
struct LoadRehearsal {
  /// How many events are rehearsed.
  private static let count = 20_000

  let scenario: LoadScenario
  let clock: ContinuousClock

  /// The time for an event, in seconds of one processor.
  @concurrent
  func run() async -> Double {
    let audit = LoadAudit(clock: clock)
    let tenants = LoadTenants(
      (0..<scenario.sessions).map { SessionIdentifier(high: 1, low: UInt64($0)) })
    var sender = LoadSender(0, of: 1, scenario)
    // So that what is measured finds its memory as warm as the load does.
    rehearse(&sender, tenants, audit, count: Self.count / 2)
    let start = clock.now
    rehearse(&sender, tenants, audit, count: Self.count)
    return start.duration(to: clock.now) / .seconds(1) / Double(Self.count)
  }

  private func rehearse(
    _ sender: inout LoadSender, _ tenants: LoadTenants, _ audit: LoadAudit, count: Int
  ) {
    for _ in 0..<count {
      sender.rehearse(tenants, at: audit.now) { event, session in
        guard let event else { return }
        audit.judge(event, after: event.number - 1, in: session)
        audit.record(event, hasWaited: false, in: session)
      }
    }
  }
}
