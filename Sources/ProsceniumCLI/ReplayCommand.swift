// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Logging
import ProsceniumJemalloc
import ProsceniumLoad
import ProsceniumSQLite
import ProsceniumTerminal
import UnixSignals

/// `proscenium replay`: drives the runtime with a real log and verifies what it did.
struct ReplayCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Replays a web server's access log through the runtime and verifies the run.",
    discussion: """
      Each client with its user agent is a user, each session a browser window, each request an \
      activity for one of the windows. Windows that are idle go to the background; where \
      --connected sets a limit, the system disconnects the least recently used. Afterwards a plain \
      fold over the log, which shares no code with the runtime, checks which window each line went \
      to and what every window has to remember.

      With --store a run that was killed is gone on with when the command is given again: it says \
      'continued after line N', and verifies the whole log in the end. What is kept is sealed \
      with the key in STORE.key, which is made with the store. A store belongs to one log, whose \
      end may grow.

      The last line is 'verified' (exit code 0) or 'not verified: …' (1). Input or flags that \
      cannot be used give 2. Ctrl-C ends the run; what ran until then is verified, and the last \
      line says so. A second one ends the program at once.

      EXAMPLES
        proscenium replay access.log
        proscenium replay access.log --store windows.store
        proscenium replay access.log.gz --connected 200 --csv replay.csv
        zcat access.log.*.gz | proscenium replay - --idle 10m --windows 4
        proscenium replay access.log --speed 60
      """)

  @Argument(
    help: """
      The log, plain or gzip; combined, common or vhost_combined format; '-' is standard input.
      """)
  var log: String

  @Option(help: "How many windows a user may have; one more destroys the least recently used.")
  var windows = 8

  @Option(
    help: ArgumentHelp(
      "After how much log time a window goes to the background: 90s, 30m, 2h, or seconds.",
      valueName: "time"), transform: LoadOptions.readingTime)
  var idle = ReplaySettings().idle

  @Option(
    help: ArgumentHelp(
      """
      How many scenes stay connected: after a delivery the system disconnects the least recently \
      used. Users overlap, so that there can be up to 16 more for a moment.
      """, valueName: "scenes"))
  var connected: Int?

  @Option(
    help: ArgumentHelp("How many paths a window keeps open: 1-\(ReplayState.tabLimit)."))
  var tabs = 8

  @Option(help: ArgumentHelp("How many shards the runtime has: 1-256."))
  var shards = 64

  @Option(
    help: ArgumentHelp("How many users are served at the same time: 1-1024.", valueName: "users"))
  var concurrency = 16

  @Option(
    help: ArgumentHelp(
      "'max', or how many times faster than in the log time passes.", valueName: "factor"),
    transform: LoadOptions.reading("'max' or a factor above 0") { ReplayCommand.speed($0) })
  var speed = ReplaySettings.Speed.max

  @Option(
    help: ArgumentHelp(
      "Keep the windows in a file, and go on where the last run with it ended.", valueName: "file"))
  var store: String?

  @Option(
    help: ArgumentHelp(
      "The key of the store: 64 hexadecimal digits in a file that no other user can read; "
        + "STORE.key unless given.", valueName: "file"))
  var key: String?

  @OptionGroup var results: ResultOptions

  func validate() throws {
    try FlagRange.check("--windows", windows, 1...10_000_000)
    if let connected { try FlagRange.check("--connected", connected, 1...10_000_000) }
    try FlagRange.check("--tabs", tabs, 1...ReplayState.tabLimit)
    try FlagRange.check("--shards", shards, 1...256)
    try FlagRange.check("--concurrency", concurrency, 1...1_024)
    if key != nil, store == nil {
      throw ValidationError("--key is the key of a store: expected --store with it.")
    }
  }

  func run() async throws {
    // Opened first, so that a long run does not end with a file that cannot be written.
    let files = try results.files(of: "replay")
    let meter = Jemalloc()
    var summary = try await replay(log, meter)
    summary.cost.sessions = try await SessionMemoryProbe(meter: meter).run()
    let name = log == "-" ? "standard input" : log.split(separator: "/").last.map { String($0) }
    let written = try files.write(
      name: name ?? log, seed: nil, summary.rows(name: name ?? log))
    try Terminal.writeOutput(summary.text + written + summary.verdict + "\n")
    guard summary.verification.isVerified else { throw ExitCode(1) }
  }

  private func replay(_ path: String, _ meter: Jemalloc) async throws -> ReplaySummary {
    let clock = ContinuousClock()
    let progress = Terminal.progress()
    defer { progress.end() }
    var log = Logger(label: "proscenium") { StreamLogHandler.standardError(label: $0) }
    log.logLevel = .warning
    let driver = ReplayDriver(settings: settings, clock: clock, log: log, meter: meter)
    let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
    return try await driver.run(
      log: path, store: place,
      show: { position in
        progress.show(position.fraction, from: position.start) { seconds in
          [
            NumberText.grouped(position.requests) + " requests",
            NumberText.rate(Double(position.requests) / seconds),
          ]
        }
      },
      continued: {
        progress.end()
        Terminal.announce("continued after line \($0)\n")
      },
      until: {
        for await _ in signals { break }
        Terminal.stopTrappingInterrupts()
      })
  }

  private var place: ReplayStore {
    guard let store else { return .memory }
    // Where there is a store, another key than its own would be of no use.
    return .file(
      store,
      key: FileKeyProvider(
        path: key ?? store + ".key", createsIfMissing: !Terminal.isFile(store)))
  }

  private var settings: ReplaySettings {
    var settings = ReplaySettings()
    settings.windows = windows
    settings.idle = idle
    settings.connected = connected
    settings.tabs = tabs
    settings.shards = shards
    settings.concurrency = concurrency
    settings.speed = speed
    return settings
  }

  /// Reads `max`, or how many times faster than in the log time passes.
  private static func speed(_ text: String) -> ReplaySettings.Speed? {
    if text == "max" { return .max }
    guard let factor = Double(text), factor.isFinite, factor > 0 else { return nil }
    return .times(factor)
  }
}
