// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  /// What the source of the events says of itself a few times a second, in a line.
  struct SourceReading: Codable, Sendable {
    static let mark = "source "

    /// How many events were accepted since the last reading, and how many messages of users.
    var sent = 0
    /// How long users waited since the last reading until their messages were durable, by buckets.
    var durable: [Int: Int] = [:]
  }

  /// What became of everything that was sent.
  struct EventTotals: Codable, Sendable, Equatable {
    static let mark = "totals "

    var sent = 0
    /// Those that came, each counted once.
    var given = 0
    /// Those whose sender was told that they are lost, as their owner died.
    var lost = 0
    /// Those that neither came nor were told to be lost.
    var missing = 0
    var double = 0
    var late = 0
    /// Those that were not accepted; they are not among those sent.
    var refused = 0
    /// Messages of users that are durable, as the users were told.
    var durable = 0
    /// Those of them that did not come.
    var durableMissing = 0
    /// Messages of users whose owner died, and of which it is not known whether they came.
    var unknown = 0
    /// Sessions that did not answer what came.
    var silent = 0
    /// How long it took at most until an event was accepted, in seconds.
    var wait = 0.0

    /// Adds what a session was sent, what it says, and how many its sender was told to be lost.
    mutating func add(sent: Int, _ tally: EventTally?, lost: Int) {
      self.sent += sent
      self.lost += lost
      guard let tally else {
        silent += 1
        return
      }
      given += tally.given
      missing += max(0, sent - tally.given - lost)
      double += tally.double
      late += tally.late
    }

    /// Adds which messages of a user are durable, and what his session says.
    mutating func add(durable numbers: [Int], unknown: Int, _ tally: EventTally?) {
      durable += numbers.count
      self.unknown += unknown
      guard let tally else {
        silent += 1
        return
      }
      durableMissing += numbers.count { !tally.has($0) }
      double += tally.double
      late += tally.late
    }
  }
#endif
