// SPDX-License-Identifier: Apache-2.0

import Measuring
import Proscenium

/// Sends messages to sessions chosen at random, each of which changes the state of its scene, and
/// counts the states that become durable.
///
/// Of the states of one session in one commit the newest one is written.
struct StateOverwriting: Sendable {
  private let running: RunningApplication
  private let sessions: [SessionIdentifier]
  let folder: String

  init(_ count: Int) async throws {
    let store = try TemporaryStore()
    folder = store.folder
    var settings = ApplicationSettings()
    settings.durability = .everyEvent
    running = try await RunningApplication(
      store: store.store, settings: settings, keeping: store
    ) { EditingDelegate() }
    let application = running.application
    sessions = try await withThrowingTaskGroup { group in
      for _ in 0..<64 {
        // Each opens its part, and waits until the first states are durable.
        group.addTask {
          var opened: [SessionIdentifier] = []
          for _ in 0..<max(count / 64, 1) {
            let session = try await application.activateSceneSession().id
            try await application.sendDurably("first", to: session)
            opened.append(session)
          }
          return opened
        }
      }
      return try await group.reduce(into: [SessionIdentifier]()) { $0 += $1 }
    }
  }

  func measure(seconds: Double) async throws -> Reading {
    let (application, sessions) = (running.application, sessions)
    let stopwatch = Stopwatch(seconds: seconds)
    return try await stopwatch.measure {
      let before = application.durabilityReport.changes
      let end = stopwatch.end
      try await withThrowingTaskGroup { group in
        for producer in 0..<2 {
          // One of the senders.
          group.addTask {
            var random = Random(producer)
            repeat {
              for _ in 0..<256 {
                try await application.sendWithBackpressure(
                  "edit", to: sessions[random.number(below: sessions.count)])
              }
            } while !stopwatch.isOver(end)
          }
        }
        try await group.waitForAll()
      }
      await application.settle()
      try await application.sendDurably("last", to: sessions[0])
      while application.durabilityReport.waiting > 0 { await Task.yield() }
      return application.durabilityReport.changes - before
    }
  }
}
