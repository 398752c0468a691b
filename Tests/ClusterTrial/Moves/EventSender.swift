// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import Foundation
  import Proscenium
  import ProsceniumPrimitives

  /// Sends numbered events to sessions of all nodes, and asks each one at the end what came.
  struct EventSender: Sendable {
    let application: Application
    let sessions: [SessionIdentifier]
    let losses: EventLosses
    let rate: Int

    /// How many sessions are asked at a time.
    private static let callers = 64

    /// What was sent.
    struct Sent: Sendable {
      /// To each session, in their order.
      var counts: [Int]
      var refused = 0
      var time = Duration.zero
      /// How long it was waited at most until an event was accepted.
      var wait = Duration.zero
    }

    /// Sends each session its first event, and returns when all scenes have theirs.
    @concurrent
    func connect() async throws {
      let first = EventMessage(number: 1).message
      let tallies = await eachSession { session in
        guard (try? await application.sendWithBackpressure(first, to: session)) != nil
        else { return nil }
        return await tally(of: session)
      }
      let count = tallies.count { $0?.last == 1 }
      if count < sessions.count {
        throw TrialFailure("\(count) of \(sessions.count) sessions were connected")
      }
    }

    /// Sends one event after another, so many a second, to one session after the other.
    @concurrent
    func flood(until isOver: @Sendable () -> Bool) async throws -> Sent {
      let clock = ContinuousClock()
      let begin = clock.now
      var sent = Sent(counts: [Int](repeating: 1, count: sessions.count))
      var next = 0
      while !isOver() {
        // Between two ticks nothing is sent; what a wait has held up is sent behind it.
        try await clock.sleep(for: .milliseconds(1))
        let due = Int((clock.now - begin) / .seconds(1) * Double(rate))
        while next < due {
          let place = next % sessions.count
          next += 1
          let before = clock.now
          let message = EventMessage(number: sent.counts[place] + 1).message
          do {
            try await application.sendWithBackpressure(message, to: sessions[place])
            sent.counts[place] += 1
          } catch {
            // Its number is still free.
            sent.refused += 1
          }
          sent.wait = max(sent.wait, clock.now - before)
        }
      }
      sent.time = clock.now - begin
      return sent
    }

    /// Asks all sessions what came, when nothing is on its way any more.
    @concurrent
    func totals(_ sent: Sent) async -> EventTotals {
      // A call comes behind the events of its sender.
      let tallies = await eachSession { await tally(of: $0) }
      var totals = EventTotals()
      for (place, session) in sessions.enumerated() {
        totals.add(sent: sent.counts[place], tallies[place], lost: losses.count(of: session))
      }
      totals.unknown = losses.unknown.count
      totals.flowed = totals.sent - sessions.count
      totals.refused = sent.refused
      totals.time = Int(sent.time / .milliseconds(1))
      totals.wait = Int(sent.wait / .milliseconds(1))
      return totals
    }

    private func tally(of session: SessionIdentifier) async -> EventTally? {
      for _ in 0..<10 {
        if let reply = try? await application.call(EventTally.question, to: session) {
          return EventTally(reply.string)
        }
        // A session that is refused now is asked again.
        try? await Task.sleep(for: .milliseconds(100))
      }
      return nil
    }

    private func eachSession(
      _ body: @escaping @Sendable (SessionIdentifier) async -> EventTally?
    ) async -> [EventTally?] {
      await withTaskGroup(of: [(Int, EventTally?)].self) { group in
        for caller in 0..<Self.callers {
          // Several at a time: an answer of another node takes its time.
          group.addTask {
            var found: [(Int, EventTally?)] = []
            for place in stride(from: caller, to: sessions.count, by: Self.callers) {
              found.append((place, await body(sessions[place])))
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
#endif
