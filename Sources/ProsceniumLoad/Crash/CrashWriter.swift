// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Logging
import Proscenium
import ProsceniumSQLite

/// The process of a crash test that is killed: it tells what its store holds, then writes to it and
/// tells what was acknowledged, until it is ended from outside.
package struct CrashWriter: Sendable {
  private let settings: CrashWriterSettings
  private let report: @Sendable (CrashReport) -> Void
  private let end: @Sendable () -> Void

  /// Makes a writer.
  ///
  /// - Parameters:
  ///   - settings: What it does.
  ///   - report: Takes a report, on any thread, and returns when it is out of the process.
  ///   - end: Ends the process at once, as a kill from outside does.
  package init(
    _ settings: CrashWriterSettings, report: @escaping @Sendable (CrashReport) -> Void,
    end: @escaping @Sendable () -> Void
  ) {
    self.settings = settings
    self.report = report
    self.end = end
  }

  /// Opens the store and writes to it, until the task is cancelled.
  ///
  /// - Throws: A `StoreError` if the store cannot be opened or read.
  @concurrent package func run() async throws {
    var store: any SessionStore = try SQLiteSessionStore(
      path: settings.store, key: FileKeyProvider(path: settings.key), options: options)
    let found = try await readSessions(of: store)
    report(.ready)
    if let mistake = settings.mistake { store = MistakenStore(store, mistake) }
    try await withApplication(store) { application in
      try await write(application, found)
    }
  }

  /// Writes to the sessions that were found and to new ones, until one of the writers fails.
  private func write(_ application: Application, _ found: [CrashState]) async throws {
    try await withThrowingTaskGroup { group in
      for number in 0..<settings.writers {
        let own = found.indices.filter { $0 % settings.writers == number }.map { found[$0] }
        var pencil = CrashPencil(application, settings, number, own, report)
        // It goes on until the process is killed.
        group.addTask { try await pencil.write() }
      }
      try await group.next()
      group.cancelAll()
    }
  }

  private var options: SQLiteSessionStore.Options {
    var options = SQLiteSessionStore.Options()
    guard let plant = settings.plant else { return options }
    let left = Guarded(plant.count)
    options.reached = { [end] point in
      guard point == plant.point else { return }
      let isLast = left.withLock { left in
        left -= 1
        return left == 0
      }
      if isLast { end() }
    }
    return options
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
        report(.found(session, sequence: state.sequence))
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
