// SPDX-License-Identifier: Apache-2.0

import Logging
import Proscenium

extension RoutingMeasurement {
  /// Measures the same decisions where a program meets them: through an application, which names
  /// the session that its router has chosen.
  func measureApplication(_ count: Int) async throws -> [RoutingResult] {
    let workload = try RoutingWorkload(.exact, sessions: count, lookups: lookups, seed: seed)
    let application = Application(
      manifest: [SceneConfiguration("Measured") { MeasuredDelegate() }],
      store: InMemorySessionStore(Self.stored(workload)),
      log: Logger(label: "measure") { _ in SwiftLogNoOpLogHandler() })
    let floor = FloorTable(workload)
    return try await withThrowingTaskGroup { group in
      group.addTask { try await application.run() }
      // It changes nothing for a session without a scene, and waits for the launch.
      try await application.host.background(RoutingWorkload.identifier(0))
      let results = try await compare(
        [
          .application(application, workload), .floor(floor, threads: 1, prefetches: false),
          .application(application, workload, batch: batch),
          .floor(floor, threads: 1, prefetches: true),
        ], workload, "exact, through an application")
      group.cancelAll()
      try await group.waitForAll()
      return results
    }
  }

  private static func stored(_ workload: RoutingWorkload) -> [StoredSession] {
    workload.conditions.indices.map { index in
      StoredSession(
        persistentIdentifier: RoutingWorkload.identifier(UInt32(index)),
        configurationName: "Measured", lastActivated: workload.standings[index].lastActivated,
        activationConditions: workload.conditions[index])
    }
  }
}
