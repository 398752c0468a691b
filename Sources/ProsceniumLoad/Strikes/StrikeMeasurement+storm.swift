// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPrimitives
import ProsceniumSQLite

// All sessions come back at once.
extension StrikeMeasurement {
  /// What a session that is brought back may take, its waiting task included, in bytes.
  private static let bound = 16_384.0
  /// How many tasks one group has: it looks through all of them when one ends.
  private static let groupSize = 1_000

  func storm(in folder: String) async throws -> [String] {
    let sessions = try await fill(folder)
    let audit = StrikeAudit(clock: clock)
    let before = used.resident
    let store = try SQLiteSessionStore(inFolder: folder)
    let application = application(store, audit)
    let (waiting, order) = (GuardedCell(0), GuardedCell<[Int]>([]))
    let (wrong, bytes) = try await withThrowingTaskGroup(of: Void.self) { group in
      // They wait for the launch, as users do whose server has crashed.
      group.addTask { try await reconnect(sessions, application, waiting, order) }
      while waiting.withLock({ $0 }) < sessions.count {
        try await clock.sleep(for: .milliseconds(1))
      }
      let start = clock.now
      let found = try await running(application) {
        let peak = try await watch(order, sessions.count, from: start)
        let wrong = try await countWrong(sessions, application, audit) { Self.counts($0) }
        return (wrong, Double(peak - before) / Double(sessions.count))
      }
      try await group.waitForAll()
      return found
    }
    try await store.close()
    report(MeasuredFigure("  resident at most, for each of them", bytes, .bytes))
    report(MeasuredFigure("  of the bound", bytes / Self.bound, .plain))
    let share = Self.recentShare(order.withLock { $0 })
    report(MeasuredFigure("  share of the most recent tenth in the first tenth", share, .plain))
    report(MeasuredFigure("  sessions with other counts than were saved", Double(wrong), .plain))
    var complaints: [String] = []
    if wrong > 0 { complaints.append("\(wrong) sessions have lost their states") }
    if bytes > Self.bound { complaints.append("a session took over \(Int(Self.bound)) bytes") }
    if let text = audit.failureText { complaints.append(text) }
    return complaints
  }

  /// Brings all sessions back, each by a task of its own, in no order.
  private func reconnect(
    _ sessions: [SessionIdentifier], _ application: Application, _ waiting: GuardedCell<Int>,
    _ order: GuardedCell<[Int]>
  ) async throws {
    var random = SplitMix64(seed: seed)
    let places = sessions.indices.shuffled(using: &random)
    try await withThrowingTaskGroup { groups in
      for start in stride(from: 0, to: places.count, by: Self.groupSize) {
        let part = places[start..<min(start + Self.groupSize, places.count)]
        // A group for each part, see the size of one.
        groups.addTask {
          try await withThrowingTaskGroup { group in
            for place in part {
              // One user.
              group.addTask {
                waiting.withLock { $0 += 1 }
                try await application.requestSceneSessionActivation(sessions[place])
                order.withLock { $0.append(place) }
              }
            }
            try await group.waitForAll()
          }
        }
      }
      try await groups.waitForAll()
    }
  }

  /// Waits until all sessions are back.
  ///
  /// - Returns: How many bytes were resident at most.
  private func watch(
    _ order: GuardedCell<[Int]>, _ count: Int, from start: ContinuousClock.Instant
  ) async throws -> Int {
    var peak = 0
    while order.withLock({ $0.count }) < count {
      try await clock.sleep(for: .milliseconds(5))
      peak = max(peak, used.resident)
    }
    let time = seconds(since: start)
    report(MeasuredFigure("sessions that come back at once", Double(count), .plain))
    report(MeasuredFigure("  from the launch until the last has its scene", time, .seconds))
    report(MeasuredFigure("  sessions", Double(count) / time, .rate))
    return peak
  }

  /// Makes a store of sessions, of which each was active later than the one before, and counts as
  /// many messages as its number.
  private func fill(_ folder: String) async throws -> [SessionIdentifier] {
    let store = try SQLiteSessionStore(inFolder: folder)
    let application = application(store, StrikeAudit(clock: clock))
    let sessions = try await running(application) {
      let sessions = try await open(application)
      for (place, session) in sessions.enumerated() {
        application.seed(lastActivated: UInt64(place + 1), of: session)
        let event = CountedEvent(sender: 0, number: UInt32(place + 1), time: 0)
        try await application.sendAwaitingRoom(event.message, to: session)
      }
      await application.settle()
      return sessions
    }
    try await store.close()
    return sessions
  }

  private static func counts(_ place: Int) -> EventCounts {
    var counts = EventCounts()
    counts[0] = UInt32(place + 1)
    return counts
  }

  /// How many of the most recently active tenth are among the first tenth, from 0 to 1.
  private static func recentShare(_ order: [Int]) -> Double {
    let tenth = max(order.count / 10, 1)
    let recent = order.prefix(tenth).count { $0 >= order.count - tenth }
    return Double(recent) / Double(tenth)
  }
}
