// SPDX-License-Identifier: Apache-2.0

public import ArgumentParser
import ProsceniumLoad

/// `proscenium measure`: how fast the runtime's paths are here, and what a scene costs.
struct MeasureCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "measure",
    abstract: "Measures the runtime's paths, and what a scene costs in memory.",
    discussion: """
      Each path is driven through the public API by the program's own tasks, beside the floor of \
      a bare FIFO in the same run: compare ratios, since machines differ and are noisy. The \
      column 'cores' says how many processors were at work meanwhile.

      EXAMPLES
        proscenium measure
        proscenium measure delivery --scenes 1000000
        proscenium measure memory requests --shards 16
      """)

  @Argument(help: "What to measure: delivery, calls, requests, memory; everything unless given.")
  var parts: [RuntimeMeasurement.Part] = []

  @Option(parsing: .unconditional, help: "The number of scenes.")
  var scenes = 100_000

  @Option(parsing: .unconditional, help: "The number of messages of each producer, and of calls.")
  var messages = 2_000_000

  @Option(parsing: .unconditional, help: "The number of tasks that make requests.")
  var callers = 8

  @Option(parsing: .unconditional, help: "The number of shards.")
  var shards = 64

  func validate() throws {
    try Self.check("--scenes", scenes, 1...10_000_000)
    try Self.check("--messages", messages, 1...1_000_000_000)
    try Self.check("--callers", callers, 1...1_024)
    try Self.check("--shards", shards, 1...256)
  }

  private static func check(_ flag: String, _ value: Int, _ range: ClosedRange<Int>) throws {
    guard range.contains(value) else {
      throw ValidationError(
        "\(flag) takes a number from \(range.lowerBound) to \(range.upperBound), not \(value)")
    }
  }

  func run() async throws {
    Terminal.writeOutput(
      "\(Terminal.machine), \(NumberText.grouped(scenes)) scenes, \(shards) shards, "
        + "\(callers) callers\n\n" + Self.row("path", "rate", "cores", "allocations"))
    var measurement = RuntimeMeasurement(clock: ContinuousClock(), meter: Jemalloc()) { result in
      Terminal.writeOutput(
        Self.row(
          result.name, NumberText.rate(result.rate),
          NumberText.fixed(result.processors, places: 2),
          result.allocations.map { NumberText.fixed($0, places: 3) } ?? "unknown"))
    }
    if !parts.isEmpty { measurement.parts = Set(parts) }
    measurement.scenes = scenes
    measurement.messages = messages
    measurement.callers = callers
    measurement.shards = shards
    let costs = try await measurement.run()
    if !costs.isEmpty { Terminal.writeOutput("\n") }
    for cost in costs {
      let bytes = NumberText.fixed(cost.bytes, places: 0) + " B"
      Terminal.writeOutput(Self.row(cost.name, bytes, "", ""))
    }
  }

  private static func row(
    _ name: String, _ rate: String, _ cores: String, _ allocations: String
  ) -> String {
    let line =
      pad(name, -52) + pad(rate, 13) + pad(cores, 8) + pad(allocations, 13)
    return line.reversed().drop { $0 == " " }.reversed() + "\n"
  }

  /// Fills a cell up to a width, on the left of it or, for a negative width, on its right.
  private static func pad(_ text: String, _ width: Int) -> String {
    let filling = String(repeating: " ", count: max(abs(width) - text.count, 0))
    return width < 0 ? text + filling : filling + text
  }
}

extension RuntimeMeasurement.Part: ExpressibleByArgument {}
