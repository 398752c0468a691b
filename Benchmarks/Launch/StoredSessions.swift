// SPDX-License-Identifier: Apache-2.0

import Measuring
import Proscenium
import ProsceniumSQLite

/// The file of a store with so many sessions.
struct StoredSessions: Sendable {
  private let files: TemporaryStore
  private let count: Int

  var path: String { files.path }

  init(_ count: Int) async throws {
    files = try TemporaryStore()
    self.count = count
    let store = files.store
    let epoch = try await store.load { _ in }.epoch
    var random = Random(1)
    for first in stride(from: 0, to: count, by: 4_096) {
      let rows = (first..<min(first + 4_096, count)).map { number in
        let session = SessionIdentifier(high: random.next(), low: random.next())
        var row = SessionRow(persistentIdentifier: session, lastActivated: UInt64(number + 1))
        row.configuration = StoredConfiguration(
          name: "Measured", delegateClass: "CountingDelegate",
          sceneClass: SceneConfiguration.defaultSceneClass)
        return StoreChange(session: session, epoch: epoch, kind: .insert(row))
      }
      _ = try await store.commit(rows)
    }
    try await store.close()
  }

  func measure() async throws -> Reading {
    let stopwatch = Stopwatch(seconds: 0)
    let rate = try await stopwatch.measure {
      let store = try files.openAgain()
      try await Application.withMeasured(store: store) {
        CountingDelegate()
      } _: { application in
        let session = try await application.activateSceneSession().id
        guard application.openSessions.count > count else {
          throw BenchmarkFailure("sessions were missing after the launch")
        }
        try await application.requestSceneSessionDestruction(session)
      }
      try await store.close()
      return 1
    }
    return Reading(1 / rate.value)
  }
}
