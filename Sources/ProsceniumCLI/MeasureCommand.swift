// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ProsceniumLoad

/// `proscenium measure`: how fast the runtime's paths are here, and what a scene costs.
struct MeasureCommand: AsyncParsableCommand {
  /// A group of workloads.
  enum Part: String, CaseIterable {
    case delivery, calls, requests, memory, routing, snapshots, strikes

    init(text: String) throws {
      guard let part = Part(rawValue: text) else {
        let known = Self.allCases.map(\.rawValue).joined(separator: ", ")
        throw ValidationError("expected a part to measure (\(known)), not '\(text)'")
      }
      self = part
    }

    /// The part of the runtime's measurement, or nil if it is another one's.
    var runtime: RuntimeMeasurement.Part? { .init(rawValue: rawValue) }
  }

  static let configuration = CommandConfiguration(
    commandName: "measure",
    abstract: "Measures the runtime's paths and its router, and what a scene costs in memory.",
    discussion: """
      Each path is driven through the public API by the program's own tasks, beside the floor of \
      a bare FIFO in the same run: compare ratios, since machines differ and are noisy. The \
      column 'cores' says how many processors were at work meanwhile.

      Routing is measured beside a bare hash table in C, which is its floor, and a scan of all \
      predicates. Every decision is checked: the last line is 'verified', or the exit code is 1.

      Snapshots are measured on the disk of a folder, beside a loop in C that only seals, appends \
      and syncs, and beside plain rows that are replaced.

      Strikes are counted at both ends: scenes are disconnected and sessions discarded under load \
      (churn), nine tenths of the memory are taken away (squeeze), and all sessions come back at \
      once (storm). The last line is 'verified', or the exit code is 1.

      EXAMPLES
        proscenium measure
        proscenium measure delivery --scenes 1000000
        proscenium measure memory requests --shards 16
        proscenium measure snapshots --of rate --seconds 30 --folder /var/tmp
        proscenium measure strikes --strike churn --duration 180
        proscenium measure routing --sessions 10000 --sessions 1000000
      """)

  @Argument(
    help: """
      What to measure: delivery, calls, requests, memory, routing, snapshots, strikes; everything \
      but strikes unless given.
      """,
    transform: Part.init(text:))
  var parts: [Part] = []

  @Option(parsing: .unconditional, help: "The number of scenes.")
  var scenes = 100_000

  @Option(parsing: .unconditional, help: "The number of messages of each producer, and of calls.")
  var messages = 2_000_000

  @Option(parsing: .unconditional, help: "The number of tasks that make requests.")
  var callers = 8

  @Option(parsing: .unconditional, help: "The number of shards.")
  var shards = 64

  @Option(
    parsing: .unconditional,
    help: "The number of scenes that a policy leaves connected; without it there is no policy.")
  var sceneLimit: Int?

  @OptionGroup(title: "Snapshots")
  var snapshots: SnapshotOptions

  @OptionGroup(title: "Strikes")
  var strikes: StrikeOptions

  @OptionGroup(title: "Routing")
  var routing: RoutingOptions

  func validate() throws {
    try Self.check("--scenes", scenes, 1...10_000_000)
    try Self.check("--messages", messages, 1...1_000_000_000)
    try Self.check("--callers", callers, 1...1_024)
    try Self.check("--shards", shards, 1...256)
    if let sceneLimit { try Self.check("--scene-limit", sceneLimit, 0...10_000_000) }
  }

  /// Refuses a flag's value that is out of its range.
  static func checkRate(_ flag: String, _ value: Double?) throws {
    guard let value, !(0...1_000_000).contains(value) else { return }
    throw ValidationError("\(flag) takes a number from 0 to 1,000,000, not \(value)")
  }

  static func check(_ flag: String, _ value: Int, _ range: ClosedRange<Int>) throws {
    guard range.contains(value) else {
      throw ValidationError(
        "\(flag) takes a number from \(range.lowerBound) to \(range.upperBound), not \(value)")
    }
  }

  func run() async throws {
    let parts = parts.isEmpty ? Part.allCases.filter { $0 != .strikes } : parts
    let runtime = Set(parts.compactMap(\.runtime))
    if !runtime.isEmpty { try await measure(runtime) }
    if parts.contains(.routing) {
      if !runtime.isEmpty { Terminal.writeOutput("\n") }
      try await routing.measure()
    }
    if parts.contains(.snapshots) {
      if parts.count > 1 { Terminal.writeOutput("\n") }
      try await snapshots.measure(shards: shards)
    }
    if parts.contains(.strikes) {
      if parts.count > 1 { Terminal.writeOutput("\n") }
      try await strikes.measure(shards: shards, folder: snapshots.folder, seed: routing.seed)
    }
  }

  private func measure(_ parts: Set<RuntimeMeasurement.Part>) async throws {
    let columns = TextColumns(widths: [-52, 13, 8, 13])
    Terminal.writeOutput(
      "\(Terminal.machine), \(NumberText.grouped(scenes)) scenes, \(shards) shards, "
        + "\(callers) callers\n\n" + columns.row("path", "rate", "cores", "allocations"))
    var measurement = RuntimeMeasurement(clock: ContinuousClock(), meter: Jemalloc()) { result in
      Terminal.writeOutput(
        columns.row(
          result.name, NumberText.rate(result.rate),
          NumberText.fixed(result.processors, places: 2),
          result.allocations.map { NumberText.fixed($0, places: 3) } ?? "unknown"))
    }
    measurement.parts = parts
    measurement.scenes = scenes
    measurement.messages = messages
    measurement.callers = callers
    measurement.shards = shards
    measurement.sceneLimit = sceneLimit
    let costs = try await measurement.run()
    if !costs.isEmpty { Terminal.writeOutput("\n") }
    for cost in costs {
      Terminal.writeOutput(
        columns.row(cost.name, NumberText.fixed(cost.bytes, places: 0) + " B"))
    }
  }
}
