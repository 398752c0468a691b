// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import ProsceniumJemalloc
import ProsceniumLoad
import ProsceniumSimulation
import ProsceniumTerminal

/// `proscenium load`: runs an application under load, strikes it, and says whether the promises
/// held.
struct LoadCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "load",
    abstract: "Runs an application under load, strikes it, and says whether the promises held.",
    discussion: """
      A population of sessions is opened, and events are sent to them: at a rate (--rate), or by \
      users who wait for their events (--concurrency), while the system disconnects scenes, \
      discards sessions, and does what else --faults says. Each session remembers its events, as \
      its state; in the end every session is asked, and unless it was kept in memory alone a \
      second time after another launch. Docs/LOAD.md says what is verified.

      The last line is 'held' (exit code 0) or 'violated: …' (1). Flags that cannot be used give \
      2. Ctrl-C ends the load; what ran until then is verified, and 'held, stopped early' says so. \
      A second one ends the program at once.

      EXAMPLES
        proscenium load
        proscenium load --list-scenarios
        proscenium load churn --store /var/tmp/sessions.db --duration 180s
        proscenium load --sessions 100000 --connected 20000 --rate 200000 --disconnects 5000
        proscenium load --dashboard=8080 --duration 10m
        proscenium load chat --concurrency 64 --fail-if 'p99>5ms' --csv load.csv
      """)

  @Argument(
    help: ArgumentHelp(
      "The scenario: a name, of which --list-scenarios prints a list, or a file in JSON.",
      valueName: "name|file"))
  var scenario = "browse"

  @OptionGroup(title: "LOAD")
  var flags: LoadOptions

  @Option(
    help: ArgumentHelp(
      "Keep the sessions in memory, or in a new file with this path, which stays. Otherwise they "
        + "are in a file of the system's temporary folder while the test runs.",
      valueName: "memory|file"))
  var store: String?

  @Option(
    name: .customLong("fail-if"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "What makes the test fail, such as 'p99>5ms', 'rate<100k', 'errors>0', 'resident>1GB'; can "
        + "be given several times.", valueName: "threshold"),
    transform: LoadOptions.reading(LoadThreshold.expected) { LoadThreshold($0) })
  var thresholds: [LoadThreshold] = []

  @OptionGroup var results: ResultOptions

  @Option(
    help: ArgumentHelp(
      "Serve a live page on 127.0.0.1 while the test runs; without a port on one that is free. Its "
        + "buttons need a token, which is printed: --dashboard or --dashboard=PORT.",
      valueName: "port"))
  var dashboard: UInt16?

  @Option(
    name: .customLong("metrics-port"),
    help: ArgumentHelp(
      "Serve the program's metrics at 127.0.0.1:PORT/metrics, in the format of Prometheus, while "
        + "the test runs; 0 for a port that is free.", valueName: "port"))
  var metricsPort: UInt16?

  @Option(
    name: .customLong("heap-profile"),
    help: ArgumentHelp(
      "Write profiles of who allocates, for jeprof, when the load begins and when it ends.",
      valueName: "folder"))
  var heapProfile: String?

  @Flag(
    name: .customLong("find-rate"),
    help: ArgumentHelp(
      "Searches the highest rate that is held without crossing a threshold, to 5 %, in tests of "
        + "--duration each."))
  var findsRate = false

  @Flag(
    help: ArgumentHelp(
      "Afterwards sends the same load, for 5 s, to queues with nothing behind them, and prints its "
        + "latency as the floor."))
  var floor = false

  @Flag(
    help: ArgumentHelp(
      "Afterwards sends a fifth, a half and nine tenths of the rate, in tests of --duration each, "
        + "and prints how long events wait next to their floors; with --find-rate of the rate "
        + "that it has found."))
  var waits = false

  @Flag(help: "Prints the last line alone.")
  var quiet = false

  @Flag(help: "Prints one JSON object instead of the tables and the last line.")
  var json = false

  @Flag(name: .customLong("list-scenarios"), help: "Lists the scenarios, and ends.")
  var listsScenarios = false

  func validate() throws {
    if findsRate { try checkSeveral("--find-rate") }
    if waits { try checkSeveral("--waits") }
    if quiet, json { throw ValidationError("expected --quiet or --json, got both.") }
    // What is no scenario may be the value of a flag that does not exist, which is told first.
    guard isScenarioKnown else { return }
    let plan = try plan()
    if let problem = plan.check() { throw ValidationError(problem) }
    if waits, plan.intendedRate == nil {
      throw ValidationError("expected a scenario with a rate with --waits, got one with users.")
    }
  }

  func run() async throws {
    if listsScenarios { return try Terminal.writeOutput(LoadText.scenarios) }
    let (plan, place) = (try plan(), try place())
    let heap = try heapProfile.map { try HeapProfile(in: $0) }
    // Opened first, so that a long run does not end with a file that cannot be written.
    let files = try results.files(of: "load")
    Terminal.trapInterrupts(removing: place.temporaryFolder)
    if !isBrief { try Terminal.writeOutput(LoadText.beginning(plan, machine: Terminal.machine)) }
    let found =
      findsRate
      ? try await findRate(plan, place)
      : try await summary(plan, place, heap, measuresFloor: floor)
    guard var summary = found else {
      try Terminal.writeOutput("stopped early, before anything was measured\n")
      throw ExitCode(1)
    }
    // The shares of a rate that was not held would say nothing.
    if waits, !findsRate || summary.holdsRate && summary.isHeld(thresholds) {
      summary.add(try await waits(around: summary, plan, place))
      summary.isInterrupted = Terminal.isInterrupted
    }
    let written = try files.write(
      name: plan.name, seed: plan.seed, summary.rows + [summary.verdictRow(thresholds)])
    try show(summary, written + (heap?.hint ?? ""))
    if !summary.isHeld(thresholds) { throw ExitCode(1) }
  }

  /// The arguments, with the port of a dashboard that is to have any: a value can't be left out.
  static func completed(_ arguments: some Sequence<String>) -> [String] {
    arguments.map { $0 == "--dashboard" ? "--dashboard=0" : $0 }
  }

  var isBrief: Bool { quiet || json }

  /// Runs the test; nil if it was interrupted before there was anything to measure.
  func summary(
    _ plan: LoadScenario, _ place: LoadTest.Place, _ heap: HeapProfile? = nil,
    measuresFloor: Bool = false
  ) async throws -> LoadSummary? {
    let line = isBrief ? nil : Terminal.progress()
    defer { line?.end() }
    let say = isBrief ? Terminal.writeError : Terminal.announce
    let page = dashboard.map { LoadDashboard(plan, port: $0, say: say) }
    let metricsPage = metricsPort.map { MetricsPage(port: $0, say: say) }
    let metrics = metricsPage.map { LoadMetrics($0.registry) }
    var test = LoadTest(
      plan, in: place, clock: ContinuousClock(), meter: Jemalloc(),
      show: { progress in
        if let line { LoadText.show(progress, of: plan, line) }
        if case .step(let step) = progress { heap?.see(step) }
        guard case .sample(let sample) = progress else { return }
        page?.charts.add(sample)
        metrics?.record(sample)
      }, isInterrupted: { Terminal.isInterrupted })
    test.companion = page?.companion
    test.measuresFloor = measuresFloor
    if let metricsPage { test.metrics = metricsPage.registry }
    do {
      guard let metricsPage else { return try await test.run() }
      return try await metricsPage.serve { [test] in try await test.run() }
    } catch is CancellationError {
      return nil
    }
  }

  private func show(_ summary: LoadSummary, _ written: String) throws {
    let command = LoadText.again(CommandLine.arguments, seed: summary.scenario.seed)
    if json {
      try Terminal.writeOutput(
        try LoadJSON(summary, command: command, thresholds).text() + "\n")
    } else if !quiet {
      try Terminal.writeOutput(summary.text + written + "again: \(command)\n")
    }
    if let error = summary.firstError { Terminal.writeError("the first error: \(error)\n") }
    if !json { try Terminal.writeOutput(summary.verdict(thresholds) + "\n") }
  }

  /// The scenario with what the flags change.
  private func plan() throws -> LoadScenario {
    var plan = try named()
    try flags.change(&plan)
    return plan
  }

  private var isScenarioKnown: Bool {
    LoadScenario.named(scenario) != nil || Terminal.isFile(scenario)
  }

  private func named() throws -> LoadScenario {
    if let named = LoadScenario.named(scenario) { return named }
    guard isScenarioKnown else {
      let names = LoadScenario.named.map(\.name).joined(separator: ", ")
      throw ValidationError("expected a file, or a scenario of \(names); got '\(scenario)'.")
    }
    return try LoadScenario(json: try FileContents.read(scenario), file: scenario)
  }

  private func place() throws -> LoadTest.Place {
    switch store {
    case nil: return .folder(FileManager.default.temporaryDirectory.path)
    case "memory": return .memory
    case let path?:
      guard !Terminal.isFile(path) else {
        throw ValidationError("expected a new file for --store, found '\(path)'.")
      }
      return .file(path)
    }
  }
}

// Tests at several rates.
extension LoadCommand {
  /// Refuses what makes no sense with a flag that asks for several tests.
  func checkSeveral(_ flag: String) throws {
    if flags.concurrency != nil || flags.ramp != nil || flags.events != nil {
      throw ValidationError(
        "expected --rate and --duration alone with \(flag): it runs tests of that time at several "
          + "rates.")
    }
    let own = [
      dashboard.map { _ in "--dashboard" }, metricsPort.map { _ in "--metrics-port" },
      heapProfile.map { _ in "--heap-profile" },
    ]
    for other in own.compactMap({ $0 }) {
      throw ValidationError("expected no \(other) with \(flag): each test would have its own.")
    }
    if let store, store != "memory" {
      throw ValidationError(
        "expected --store memory or none with \(flag): each test has a new store.")
    }
  }

  /// Tries rates until the highest one is known that is held.
  ///
  /// - Returns: The test with the highest rate that was held; if none was, the last one; nil if it
  ///   was interrupted before the first one ended.
  func findRate(_ plan: LoadScenario, _ place: LoadTest.Place) async throws -> LoadSummary? {
    var search = LoadRateSearch(from: plan.intendedRate ?? 1_000)
    var best: LoadSummary?
    var last: LoadSummary?
    var isStopped = false
    while let rate = search.next {
      var trial = plan
      trial.pace = .open(LoadPace(rate: rate))
      guard !Terminal.isInterrupted, let summary = try await summary(trial, place),
        !summary.isInterrupted
      else {
        isStopped = true
        break
      }
      let isHeld = summary.holdsRate && summary.isHeld(thresholds)
      search.note(rate, isHeld: isHeld)
      last = summary
      if isHeld, search.held == rate { best = summary }
      if !isBrief {
        let latency = summary.latencies.all.text(99)
        try Terminal.writeOutput(
          "\(NumberText.rate(rate)): \(isHeld ? "held" : "not held"), "
            + "\(NumberText.rate(summary.rate)) accepted, p99 \(latency)\n")
      }
      // A broken promise is no matter of the rate.
      if !summary.violations.isEmpty { return summary }
    }
    var found = best ?? last
    if isStopped {
      // What was found is not the answer.
      found?.isInterrupted = true
    } else if let held = search.held, !isBrief {
      try Terminal.writeOutput("highest rate held: \(NumberText.grouped(Int(held))) /s\n\n")
    }
    return found
  }

  /// Sends shares of the rate of a test, and measures how long events wait.
  private func waits(
    around summary: LoadSummary, _ plan: LoadScenario, _ place: LoadTest.Place
  ) async throws -> LoadWaits {
    var waits = LoadWaits()
    guard let rate = summary.scenario.intendedRate, !summary.isInterrupted else { return waits }
    for share in LoadWaits.shares {
      var trial = plan
      trial.pace = .open(LoadPace(rate: rate * share))
      guard !Terminal.isInterrupted,
        let measured = try await self.summary(trial, place, measuresFloor: true)
      else { return waits }
      waits.add(measured, at: share)
    }
    return waits
  }
}
