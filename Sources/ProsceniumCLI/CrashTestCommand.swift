// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import ProsceniumLoad
import ProsceniumTerminal

/// `proscenium crash-test`: kills a process that writes to a store, and looks for what is lost.
struct CrashTestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "crash-test",
    abstract:
      "Kills a process that writes to a store, again and again, and looks for what is lost.",
    discussion: """
      A second process writes states, makes sessions and discards them, and tells what was \
      acknowledged. It is killed with SIGKILL at random instants, also while it makes a store and \
      changes its key. The next one tells what the store holds: each acknowledged state has to be \
      there or a newer one of the same session, each acknowledged discard to be done, the order \
      of activations to be a second old at most, and every start has to open the store. The \
      same with a disk that is full. In the end each page and each seal is checked.

      The last line is 'held' (exit code 0) or 'violated: …' (1), with the store that shows it. \
      What cannot be run gives 2. Ctrl-C ends the test with what it has seen, and the last line \
      says so; a second one ends the program at once.

      EXAMPLES
        proscenium crash-test
        proscenium crash-test --kills 1000 --seed 7
        proscenium crash-test --seconds 60
      """)

  @Option(help: "How many kills at random instants there are.")
  var kills = 200

  @Option(
    help: ArgumentHelp(
      "After how many seconds no further kill at a random instant begins.", valueName: "seconds"))
  var seconds: Int?

  @Option(help: "What the choices follow from; one is drawn unless given.")
  var seed: UInt64?

  @Option(help: "About how many sessions there are.")
  var sessions = 1_000

  @Option(help: "How many tasks write.")
  var writers = 32

  @Option(
    help: ArgumentHelp(
      "A folder on a small file system that may be filled; without it file sizes are limited.",
      valueName: "folder"))
  var disk: String?

  func validate() throws {
    try FlagRange.check("--kills", kills, 0...1_000_000)
    if let seconds { try FlagRange.check("--seconds", seconds, 1...1_000_000) }
    try FlagRange.check("--sessions", sessions, 1...1_000_000)
    try FlagRange.check("--writers", writers, 1...1_000)
  }

  func run() throws {
    var generator = SystemRandomNumberGenerator()
    let seed = seed ?? UInt64(generator.next() as UInt32)
    let folder =
      FileManager.default.temporaryDirectory.path + "/proscenium-crash-\(seed)-\(getpid())"
    Terminal.trapInterrupts(removing: folder)
    try Terminal.writeOutput("seed \(seed)\n")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let summary: CrashSummary
    do {
      summary = try test(settings(seed, folder))
    } catch {
      try? FileManager.default.removeItem(atPath: folder)
      throw error
    }
    if summary.isHeld {
      try? FileManager.default.removeItem(atPath: folder)
    } else {
      Terminal.keepFolder()
    }
    try Terminal.writeOutput(summary.text)
    guard summary.isHeld else {
      try Terminal.writeOutput("the store is kept in \(folder)\n")
      try Terminal.writeOutput(Terminal.oneLine(summary.verdict) + "\n")
      throw ExitCode(1)
    }
    try Terminal.writeOutput(summary.verdict + "\n")
  }

  private func settings(_ seed: UInt64, _ folder: String) -> CrashSettings {
    var settings = CrashSettings(program: Terminal.programPath, folder: folder)
    settings.disk = disk
    settings.kills = kills
    settings.seconds = seconds
    settings.seed = seed
    settings.sessions = sessions
    settings.writers = writers
    return settings
  }

  private func test(_ settings: CrashSettings) throws -> CrashSummary {
    let progress = Terminal.progress()
    defer { progress.end() }
    return try CrashTest(
      settings, clock: ContinuousClock(),
      show: { position in
        progress.show(position.fraction) { _ in
          [
            "\(NumberText.grouped(position.kills)) kills",
            "\(NumberText.grouped(position.acknowledgements)) acknowledged",
          ]
        }
      },
      isInterrupted: { Terminal.isInterrupted }
    ).run()
  }
}

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
  @Flag var limitFiles = false

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
    try await CrashWriter(settings, clock: ContinuousClock()) { Terminal.announce($0.line) }.run()
  }
}
