// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ProsceniumLoad
import ProsceniumSQLite

/// `proscenium crash-writer`: the process that a crash test kills.
struct CrashWriterCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "crash-writer",
    abstract: "Writes to a store and tells what was acknowledged, until it is killed.",
    shouldDisplay: false)

  @Option var store: String
  @Option var key: String
  @Option var seed: UInt64 = 1
  @Option var sessions = 1_000
  @Option var writers = 32
  @Option var plant: CrashPoint?
  @Option var plantCount = 1
  @Flag var limitFiles = false
  #if DEBUG
    @Option var mistake: CrashMistake?
  #endif

  func validate() throws {
    try FlagRange.check("--sessions", sessions, 1...10_000_000)
    try FlagRange.check("--writers", writers, 1...10_000)
  }

  func run() async throws {
    Terminal.limitFilesBySignals(limitFiles)
    var settings = CrashWriterSettings(store: store, key: key)
    settings.seed = seed
    settings.sessions = sessions
    settings.writers = writers
    settings.plant = plant.map { ($0, plantCount) }
    #if DEBUG
      settings.mistake = mistake
    #endif
    try await CrashWriter(
      settings, report: { Terminal.announce($0.line) }, end: { Terminal.killOwnProcess() }
    ).run()
  }
}

extension CrashPoint: ExpressibleByArgument {}
extension CrashMistake: ExpressibleByArgument {}
