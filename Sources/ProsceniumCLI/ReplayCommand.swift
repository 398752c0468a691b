// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Logging
import ProsceniumJemalloc
import ProsceniumLoad
import ProsceniumSQLite
import UnixSignals

/// `proscenium replay`: drives the runtime with a real log and verifies what it did.
struct ReplayCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Replays a web server's access log through the runtime and verifies the run.",
    discussion: """
      Each client with its user agent is a user, each session a browser window of that user, each \
      request an activity for one of the windows. A window shows the last paths as tabs. A request \
      without a referrer asks for a window that has the path open, or for a new one; any other \
      request is routed: to a window that has the path open, else to any window of its user, else \
      to a new one. Where the log names virtual hosts, a path of each is a path of its own. \
      Windows that are idle go to the background. Where --connected sets a limit, \
      the system disconnects the least recently used; they are restored when they are needed.

      Log time is that of the stamps, without steps back. Where they leap by more than a week, on \
      or back, no time has passed: a clock was wrong. No window is idle for that, and --speed \
      waits for shorter gaps only.

      Afterwards a plain fold over the log, which shares no code with the runtime, checks which \
      window each line went to and what every window has to remember. The last line of output is \
      'verified' (exit code 0) or 'not verified: …' (1). Input or flags that cannot be used give 2.

      With --store the windows and what they remember are kept in a file. Each request is durable \
      before the next one of its user, so that a run which is killed at any instant is gone on \
      with when the command is given again: it says 'continued after line N', and verifies the \
      whole log in the end. What is kept is sealed with the key in STORE.key, which is made with \
      the store. A store belongs to one log, whose end may grow.

      Ctrl-C ends the run; what ran until then is verified, and the last line says so. A second \
      one ends the program at once.

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

  @Option(
    parsing: .unconditional,
    help: "How many windows a user may have; one more destroys the least recently used.")
  var windows = 8

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "After how much log time a window goes to the background: 90s, 30m, 2h, or seconds.",
      valueName: "time"))
  var idle = SpanArgument(seconds: ReplaySettings().idle)

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      How many scenes stay connected: after a delivery the system disconnects the least recently \
      used. Users overlap, so that there can be up to 16 more for a moment.
      """, valueName: "scenes"))
  var connected: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How many paths a window keeps open: 1-\(ReplayState.tabLimit)."))
  var tabs = 8

  @Option(
    parsing: .unconditional, help: ArgumentHelp("How many shards the runtime has: 1-256."))
  var shards = 64

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How many users are served at the same time: 1-1024.", valueName: "users"))
  var concurrency = 16

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "'max', or how many times faster than in the log time passes.", valueName: "factor"))
  var speed = SpeedArgument(.max)

  @Option(
    help: ArgumentHelp(
      "Keep the windows in a file, and go on where the last run with it ended.", valueName: "file"))
  var store: String?

  @Option(
    help: ArgumentHelp(
      "The key of the store: 64 hexadecimal digits in a file that nobody else can read; "
        + "STORE.key unless given.", valueName: "file"))
  var key: String?

  @Option(
    help: ArgumentHelp(
      "Also write the results to a CSV file; an existing one is continued.", valueName: "file"))
  var csv: String?

  @Option(
    help: ArgumentHelp(
      "Also draw the results as a page; one that is there is replaced.", valueName: "file"))
  var report: String?

  func validate() throws {
    try check("--windows", windows, from: 1)
    if let connected { try check("--connected", connected, from: 1) }
    try check("--tabs", tabs, from: 1, to: ReplayState.tabLimit)
    try check("--shards", shards, from: 1, to: 256)
    try check("--concurrency", concurrency, from: 1, to: 1_024)
    if key != nil, store == nil {
      throw ValidationError("--key is the key of a store: expected --store with it.")
    }
  }

  func run() async throws {
    // Opened first, so that a long run does not end with a file that cannot be written.
    let files = try ResultFiles(of: "replay", csv: csv, report: report)
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
    let style = Terminal.errorColumns.map {
      ReplayProgress<ContinuousClock>.Style.terminal(columns: $0)
    }
    let display = ReplayDisplay(ReplayProgress(style ?? .lines, clock: clock)) {
      Terminal.writeError($0)
    }
    var log = Logger(label: "proscenium") { StreamLogHandler.standardError(label: $0) }
    log.logLevel = .warning
    let driver = ReplayDriver(settings: settings, clock: clock, log: log, meter: meter)
    let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
    return try await driver.run(
      log: path, store: place, display: display,
      continued: { Terminal.announce("continued after line \($0)\n") },
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
    settings.idle = idle.seconds
    settings.connected = connected
    settings.tabs = tabs
    settings.shards = shards
    settings.concurrency = concurrency
    settings.speed = speed.speed
    return settings
  }

  private func check(_ flag: String, _ value: Int, from least: Int, to most: Int? = nil) throws {
    if value >= least, value <= most ?? value { return }
    let range = most.map { "from \(least) to \($0)" } ?? "of at least \(least)"
    throw ValidationError("expected \(flag) \(range), got \(value).")
  }
}
