// SPDX-License-Identifier: Apache-2.0

import Logging
import Proscenium
import ProsceniumPrimitives
import ProsceniumSQLite

/// What the writer of a crash test does.
package struct CrashWriterSettings: Sendable {
  /// The path of the store.
  package var store: String
  /// The path of its key.
  package var key: String
  /// What the choices follow from.
  package var seed: UInt64 = 1
  /// About how many sessions there are: 1 or more.
  package var sessions = 1_000
  /// How many tasks write, each to its own sessions: 1 or more.
  package var writers = 32

  /// Makes settings for a store.
  package init(store: String, key: String) {
    self.store = store
    self.key = key
  }
}

/// The process of a crash test that is killed: it tells what its store holds, then writes to it and
/// tells what was acknowledged, until it is ended from outside.
package struct CrashWriter: Sendable {
  private let settings: CrashWriterSettings
  private let elapsed: @Sendable () -> Duration
  private let report: @Sendable (CrashReport) -> Void

  /// Makes a writer.
  ///
  /// - Parameters:
  ///   - settings: What it does.
  ///   - clock: Tells which activations have to be in order.
  ///   - report: Takes a report, on any thread, and returns when it is out of the process.
  package init(
    _ settings: CrashWriterSettings, clock: some Clock<Duration>,
    report: @escaping @Sendable (CrashReport) -> Void
  ) {
    self.settings = settings
    elapsed = clock.stopwatch()
    self.report = report
  }

  /// Opens the store and writes to it, until the task is cancelled.
  ///
  /// - Throws: A `StoreError` if the store cannot be opened or read.
  @concurrent package func run() async throws {
    let store = try SQLiteSessionStore(
      path: settings.store, key: FileKeyProvider(path: settings.key))
    let found = try await readSessions(of: store)
    report(.ready)
    try await withApplication(store) { application in
      try await write(application, found)
    }
  }

  /// Writes to the sessions that were found and to new ones, until one of the writers fails.
  private func write(_ application: Application, _ found: [CrashState]) async throws {
    try await withThrowingTaskGroup { group in
      for number in 0..<settings.writers {
        let own = found.indices.filter { $0 % settings.writers == number }.map { found[$0] }
        var pencil = CrashPencil(
          application, settings, number, own, elapsed: elapsed, report)
        // It goes on until the process is killed.
        group.addTask { try await pencil.write() }
      }
      try await group.next()
      group.cancelAll()
    }
  }

  /// Tells what the store holds, and checks each session.
  private func readSessions(of store: any SessionStore) async throws -> [CrashState] {
    let rows = Guarded<[SessionRow]>([])
    let load = try await store.load { part in rows.withLock { $0 += part } }
    for damage in load.damage { report(.wrong("\(damage)")) }
    var states: [CrashState] = []
    for row in rows.withLock({ $0 }) where !row.isDiscarded {
      let session = row.persistentIdentifier
      if let damage = row.damage { report(.wrong("\(damage)")) }
      do {
        let bytes = try await store.readState(of: session)
        let saved = try bytes.map { (bytes) throws(SavedStateError) in
          try SavedState(decoding: bytes)
        }
        guard let state = CrashState(saved?.activity, of: session) else {
          report(.wrong("session \(session) holds what it was never given"))
          continue
        }
        if row.title != state.title {
          report(
            .wrong(
              "session \(session): expected the title \(state.title ?? "none") with write "
                + "\(state.sequence), found \(row.title ?? "none")"))
        }
        report(.found(session, sequence: state.sequence, counter: row.lastActivated))
        states.append(state)
      } catch {
        report(.wrong("session \(session): \(error)"))
      }
    }
    return states
  }

  private func withApplication(
    _ store: any SessionStore, _ body: @escaping @Sendable (Application) async throws -> Void
  ) async throws {
    var settings = ApplicationSettings()
    settings.durability = .everyEvent
    let report = report
    var log = Logger(label: "proscenium") { StreamLogHandler.standardError(label: $0) }
    log.logLevel = .critical
    try await Application.withRunning(
      manifest: [.init("Crash") { CrashDelegate(report) }], store: store, settings: settings,
      log: log, body)
  }
}
