// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import Proscenium
  import ProsceniumLoad
  import ProsceniumPrimitives

  /// Sends numbered events to sessions of all nodes, and asks each one at the end what came.
  final class EventSource: Sendable {
    /// How many sessions are asked at a time.
    private static let callers = 64
    /// How often a session is asked that refuses, as while its slice moves.
    private static let attempts = 100

    private let application: Application
    /// The sessions that get events at a rate.
    private let sessions: [SessionIdentifier]
    private let users: [EventUser]
    private let losses: EventLosses
    private let sent: Guarded<Sent>
    private let isOver = Guarded(false)
    private let (ended, end) = AsyncStream.makeStream(of: Never.self)

    /// What was sent to the sessions.
    private struct Sent: Sendable {
      /// How many to each, in their order.
      var counts: [Int]
      var refused = 0
      var wait = Duration.zero
      /// Those of which no reading was made.
      var new = 0
    }

    init(
      _ application: Application, to sessions: [SessionIdentifier], users: [SessionIdentifier],
      _ losses: EventLosses
    ) {
      self.application = application
      self.sessions = sessions
      self.users = users.map { EventUser($0, application) }
      self.losses = losses
      sent = Guarded(Sent(counts: [Int](repeating: 0, count: sessions.count)))
    }

    /// Sends no more.
    func stop() { isOver.withLock { $0 = true } }

    /// What was sent since the last reading.
    func reading() -> SourceReading {
      var latencies = LatencyHistogram()
      for user in users { latencies.add(user.takeLatencies()) }
      let new = sent.withLock { sent in
        defer { sent.new = 0 }
        return sent.new
      }
      return SourceReading(sent: new + latencies.count, durable: latencies.buckets)
    }

    /// Sends each session its first event, and returns when all scenes have theirs.
    @concurrent
    func connect() async throws {
      let tallies = await eachSession { place, session in
        let event = NumberedEvent(number: 1, time: NumberedEvent.now)
        try await self.application.sendWithBackpressure(event.message, to: session)
        self.sent.withLock { $0.counts[place] = 1 }
        return try await self.tally(of: session)
      }
      let count = tallies.count { $0?.last == 1 }
      guard count == sessions.count else {
        throw SourceFailure("\(count) of \(sessions.count) sessions were connected")
      }
    }

    /// Sends what is due at a rate, to one session after the other, while users send, until it is
    /// stopped.
    @concurrent
    func run(rate: Double) async {
      await withTaskGroup { group in
        for user in users {
          // Each waits for his own messages.
          group.addTask { await user.run { self.isOver.withLock { $0 } } }
        }
        await flood(rate)
      }
      end.finish()
    }

    private func flood(_ rate: Double) async {
      let clock = ContinuousClock()
      let begin = clock.now
      let origin = NumberedEvent.now
      var next = 0
      while !isOver.withLock({ $0 }) {
        // Between two ticks nothing is sent; what a wait has held up is sent behind it.
        try? await clock.sleep(for: .milliseconds(1))
        let due = Int((clock.now - begin) / .seconds(1) * rate)
        while next < due {
          let place = next % sessions.count
          let time = origin + UInt64(Double(next) / rate * 1e9)
          next += 1
          await send(to: place, dueAt: time, clock)
        }
      }
    }

    private func send(to place: Int, dueAt time: UInt64, _ clock: ContinuousClock) async {
      let before = clock.now
      let number = sent.withLock { $0.counts[place] } + 1
      do {
        let message = NumberedEvent(number: number, time: time).message
        try await application.sendWithBackpressure(message, to: sessions[place])
        sent.withLock { sent in
          sent.counts[place] = number
          sent.new += 1
        }
      } catch {
        // Its number is still free.
        sent.withLock { $0.refused += 1 }
      }
      let wait = clock.now - before
      sent.withLock { $0.wait = max($0.wait, wait) }
    }

    /// Asks all sessions what came, when nothing is sent any more.
    @concurrent
    func totals() async -> EventTotals {
      for await _ in ended {}
      // A call comes behind the events of its sender.
      let tallies = await eachSession { _, session in try await self.tally(of: session) }
      let sent = sent.withLock { $0 }
      var totals = EventTotals()
      for (place, session) in sessions.enumerated() {
        totals.add(sent: sent.counts[place], tallies[place], lost: losses.count(of: session))
      }
      for user in users {
        let (durable, unknown) = user.told
        totals.add(durable: durable, unknown: unknown, try? await tally(of: user.session))
      }
      totals.refused = sent.refused
      totals.wait = sent.wait / .seconds(1)
      return totals
    }

    private func tally(of session: SessionIdentifier) async throws -> EventTally? {
      for _ in 0..<Self.attempts {
        if let reply = try? await application.call(EventTally.question, to: session) {
          return EventTally(reply.string)
        }
        // A session that is refused now is asked again.
        try await ContinuousClock().sleep(for: .milliseconds(100))
      }
      return nil
    }

    private func eachSession(
      _ body: @escaping @Sendable (Int, SessionIdentifier) async throws -> EventTally?
    ) async -> [EventTally?] {
      await withTaskGroup(of: [(Int, EventTally?)].self) { group in
        for caller in 0..<Self.callers {
          // Several at a time: an answer of another node takes its time.
          group.addTask { [sessions] in
            var found: [(Int, EventTally?)] = []
            for place in stride(from: caller, to: sessions.count, by: Self.callers) {
              found.append((place, try? await body(place, sessions[place])))
            }
            return found
          }
        }
        var all = [EventTally?](repeating: nil, count: sessions.count)
        for await found in group {
          for (place, tally) in found { all[place] = tally }
        }
        return all
      }
    }
  }

  /// Why nothing can be sent.
  struct SourceFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
      self.description = description
    }
  }
#endif
