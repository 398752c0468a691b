// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Foundation
import Logging
import Proscenium
import ProsceniumSQLite

/// A store in a folder of its own, with an application on it.
struct MeasuredStore: Sendable {
  let folder: String
  let store: SQLiteSessionStore
  let commits = CommitTimes()

  /// Makes a store, or opens the one of an earlier measurement.
  init(folder: String, clock: ContinuousClock) throws(StoreError) {
    self.folder = folder
    var options = SQLiteSessionStore.Options()
    let commits = commits
    options.observe = { commits.note($0, clock.now) }
    store = try SQLiteSessionStore(
      path: folder + "/sessions.db",
      key: FileKeyProvider(path: folder + "/sessions.key", createsIfMissing: true),
      options: options)
  }

  /// An application of drafts on the store, which keeps each one after every event.
  func application(shards: Int) -> Application {
    var settings = ApplicationSettings()
    settings.shards = shards
    settings.durability = .everyEvent
    return Application(
      manifest: [SceneConfiguration("Draft") { DraftDelegate() }], store: store,
      settings: settings, log: Logger(label: "measure") { _ in SwiftLogNoOpLogHandler() })
  }

  /// How many bytes the store's file has, or its log.
  func bytes(ofLog: Bool = false) -> Double {
    let path = folder + "/sessions.db" + (ofLog ? "-wal" : "")
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return (attributes?[.size] as? NSNumber)?.doubleValue ?? 0
  }
}

/// How long commits took.
final class CommitTimes: Sendable {
  private struct State: Sendable {
    var began: ContinuousClock.Instant?
    var seconds: [Double] = []
    var records = 0
  }

  private let state = Guarded(State())

  func note(_ event: StoreEvent, _ now: ContinuousClock.Instant) {
    state.withLock { state in
      switch event {
      case .commitBegan: state.began = now
      case .commitEnded(let records, _, _):
        guard let began = state.began else { return }
        state.seconds.append(began.duration(to: now) / .seconds(1))
        state.records += records
      default: break
      }
    }
  }

  /// Takes what was noted so far, in order of size.
  func take() -> (sorted: [Double], records: Int) {
    state.withLock { state in
      defer { state = State() }
      return (state.seconds.sorted(), state.records)
    }
  }
}

extension [Double] {
  /// The value below which a share of a sorted list lies.
  func percentile(_ share: Double) -> Double {
    isEmpty ? 0 : self[Swift.min(Int(Double(count) * share), count - 1)]
  }
}
