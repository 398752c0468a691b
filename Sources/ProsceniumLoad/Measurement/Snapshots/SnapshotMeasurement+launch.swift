// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Foundation
import Proscenium
import ProsceniumPredicate
import ProsceniumSQLite

// A launch with many sessions.
extension SnapshotMeasurement {
  func measureLaunch() async throws {
    // It is a part of what a launched session takes.
    if let meter,
      let router = try RoutingMemoryProbe(count: storedSessions, meter: meter).run().first
    {
      report(MeasuredFigure(router.name, router.bytes, .bytes))
    }
    for hasConditions in [false, true] {
      try await inFolder { folder in
        try await fill(folder, hasConditions)
        let name = hasConditions ? "one exact condition each" : "default conditions"
        try await launch(folder, name)
        if Self.dropCaches() { try await launch(folder, name + ", cold") }
      }
    }
  }

  private func launch(_ folder: String, _ name: String) async throws {
    let before = meter?.memory()?.allocated
    let start = clock.now
    let measured = try MeasuredStore(folder: folder, clock: clock)
    report(
      MeasuredFigure(
        "a file of \(NumberText.grouped(storedSessions)) sessions, \(name)", measured.bytes(),
        .bytes))
    let application = measured.application(shards: shards)
    try await running(application) {
      // The first request is answered when the launch is over.
      _ = try await application.requestSceneSessionActivation(nil)
      let seconds = start.duration(to: clock.now) / .seconds(1)
      report(MeasuredFigure("  from opening to the first request served", seconds, .seconds))
      if let before, let after = meter?.memory()?.allocated {
        report(
          MeasuredFigure(
            "  resident for each session, router included",
            Double(after - before) / Double(storedSessions), .bytes))
      }
    }
    try await measured.store.close()
  }

  /// Lets the system forget what it has read, where that is permitted.
  private static func dropCaches() -> Bool {
    sync()
    guard let file = FileHandle(forWritingAtPath: "/proc/sys/vm/drop_caches") else { return false }
    defer { try? file.close() }
    return (try? file.write(contentsOf: Data("3\n".utf8))) != nil
  }

  /// Writes rows by the store's own means.
  private func fill(_ folder: String, _ hasConditions: Bool) async throws {
    let measured = try MeasuredStore(folder: folder, clock: clock)
    let epoch = try await measured.store.load { _ in }.epoch
    var random = SplitMix64(seed: 1)
    var group: [StoreChange] = []
    for number in 0..<storedSessions {
      let identifier = SessionIdentifier(high: random.next(), low: random.next())
      var row = SessionRow(persistentIdentifier: identifier, lastActivated: UInt64(number + 1))
      row.configuration = Self.stored
      if hasConditions {
        row.activationConditions.prefers = try .equals("document/\(number)")
      }
      group.append(StoreChange(session: identifier, epoch: epoch, kind: .insert(row)))
      if group.count == 4_096 || number == storedSessions - 1 {
        try await measured.store.commit(group)
        group.removeAll(keepingCapacity: true)
      }
    }
    try await measured.store.close()
  }

  private static let stored = StoredConfiguration(
    name: "Draft", delegateClass: "DraftDelegate", sceneClass: SceneConfiguration.defaultSceneClass)
}
