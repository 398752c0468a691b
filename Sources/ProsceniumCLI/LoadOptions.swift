// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Proscenium
import ProsceniumLoad
import ProsceniumSimulation

/// What of a scenario flags can change.
struct LoadOptions: ParsableArguments {
  @Option(help: "How many sessions there are.")
  var sessions: Int?

  @Option(help: "How many scenes may be connected.")
  var connected: Int?

  @Option(help: "How many events a second are due.")
  var rate: Double?

  @Option(help: "How many users send, each when his last event is delivered; instead of --rate.")
  var concurrency: Int?

  @Option(
    help: ArgumentHelp(
      "How long the rate grows to its value, in seconds or as 10s, 1m.", valueName: "time"),
    transform: readingTime)
  var ramp: Int64?

  @Option(
    help: ArgumentHelp("How long events are counted: 30s, 5m, or seconds.", valueName: "time"),
    transform: readingTime)
  var duration: Int64?

  @Option(help: "How many events are counted; instead of --duration.")
  var events: Int?

  @Option(
    help: ArgumentHelp("How long events are sent before they are counted.", valueName: "time"),
    transform: readingTime)
  var warmup: Int64?

  @Option(
    help: ArgumentHelp("Which sessions get most: zipf:0.99 or uniform.", valueName: "law"),
    transform: LoadOptions.reading("zipf with a power from 0 to 4, or uniform") { LoadSkew($0) })
  var skew: LoadSkew?

  @Option(
    help: ArgumentHelp(
      "Which events come, by weight: message=90,activity=5,url=5; also shortcut, notification.",
      valueName: "kind=weight,…"),
    transform: LoadOptions.reading("kinds with weights such as message=90,url=10") {
      LoadEventMix($0)
    })
  var mix: LoadEventMix?

  @Option(
    name: .customLong("state-size"),
    help: ArgumentHelp(
      "How many bytes the states have: 750, 200-2000, or mean:800.", valueName: "bytes"),
    transform: LoadOptions.reading("750, 200-2000 or mean:800, from 64 to 1048576") {
      LoadStateSize($0)
    })
  var stateSize: LoadStateSize?

  @Option(help: "How many scenes a second are disconnected.")
  var disconnects: Double?

  @Option(help: "How many sessions a second are discarded, each followed by a new one.")
  var discards: Double?

  @Option(help: "How many refreshes a second are requested.")
  var refreshes: Double?

  @Option(
    help: ArgumentHelp("What else goes wrong, as Docs/FAULTS.md says.", valueName: "file"))
  var faults: String?

  @Option(
    name: .customLong("memory-limit"),
    help: ArgumentHelp(
      "How much memory may be used before scenes are disconnected, such as 500MB.",
      valueName: "bytes"),
    transform: LoadOptions.reading("a number of bytes such as 500MB") { LoadThreshold.bytes($0) })
  var memoryLimit: Int?

  @Option(
    help: ArgumentHelp(
      "When states are captured: disconnect, event, or within so many milliseconds, such as 50ms.",
      valueName: "when"),
    transform: LoadOptions.reading("disconnect, event, or a time such as 50ms") {
      Durability(text: $0)
    })
  var durability: Durability?

  @Option(help: ArgumentHelp("How many shards the runtime has: 1-256."))
  var shards: Int?

  @Option(help: "What everything that is drawn is drawn from.")
  var seed: UInt64?

  func validate() throws {
    if rate != nil, concurrency != nil {
      throw ValidationError("expected --rate or --concurrency, got both.")
    }
    if ramp != nil, concurrency != nil {
      throw ValidationError("expected --ramp or --concurrency, got both: users have no rate.")
    }
    if duration != nil, events != nil {
      throw ValidationError("expected --duration or --events, got both.")
    }
    try FlagRange.checkRate("--disconnects", disconnects)
    try FlagRange.checkRate("--discards", discards)
    if let rate, !(rate > 0 && rate <= 100_000_000) {
      throw ValidationError("expected --rate above 0 and up to 100,000,000, got \(rate).")
    }
  }

  /// What reads a flag's value, or says what was expected.
  static func reading<Value>(
    _ expected: String, _ read: @escaping @Sendable (String) -> Value?
  ) -> @Sendable (String) throws -> Value {
    { text in
      guard let value = read(text) else {
        throw ValidationError("expected \(expected); got '\(text)'.")
      }
      return value
    }
  }

  /// Reads a span of time in seconds: a whole number with `s`, `m` or `h` behind it, or without.
  static let readingTime = reading("a time such as 90s, 30m, 2h, or seconds") { text -> Int64? in
    let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3_600]
    let unit = text.last.flatMap { units[$0] }
    guard let number = Int64(unit == nil ? text : String(text.dropLast())), number >= 0 else {
      return nil
    }
    let (seconds, isOverflowing) = number.multipliedReportingOverflow(by: unit ?? 1)
    return isOverflowing ? nil : seconds
  }

  /// Changes what is given.
  func change(_ plan: inout LoadScenario) throws {
    if let faults {
      plan.faults = try FaultPlan(json: try FileContents.read(faults), file: faults)
    }
    if let sessions { plan.sessions = sessions }
    if let connected { plan.connected = connected }
    changePace(&plan)
    if let duration { plan.end = .seconds(Double(duration)) }
    if let events { plan.end = .events(events) }
    if let warmup { plan.warmup = Double(warmup) }
    if let skew { plan.skew = skew }
    if let mix { plan.mix = mix }
    if let stateSize { plan.stateSize = stateSize }
    if let disconnects { plan.faults.disconnects.perSecond = disconnects }
    if let discards { plan.faults.discards.perSecond = discards }
    if let refreshes { plan.refreshes = refreshes }
    if let memoryLimit { plan.memoryLimit = memoryLimit }
    if let durability { plan.durability = durability }
    if let shards { plan.shards = shards }
    if let seed { plan.seed = seed }
  }

  private func changePace(_ plan: inout LoadScenario) {
    if let concurrency { return plan.pace = .closed(users: concurrency) }
    let last = rate ?? plan.intendedRate ?? 0
    if let ramp {
      plan.pace = .open(LoadPace(first: 0, [.init(seconds: Double(ramp), rate: last)]))
    } else if rate != nil {
      plan.pace = .open(LoadPace(rate: last))
    }
  }
}

/// Refuses values of flags that are out of their ranges.
enum FlagRange {
  static func check(_ flag: String, _ value: Int, _ range: ClosedRange<Int>) throws {
    guard range.contains(value) else {
      throw ValidationError(
        "\(flag) takes a number from \(range.lowerBound) to \(range.upperBound), not \(value)")
    }
  }

  /// Refuses a rate that is not from 0 to a million.
  static func checkRate(_ flag: String, _ value: Double?) throws {
    guard let value, !(0...1_000_000).contains(value) else { return }
    throw ValidationError("\(flag) takes a number from 0 to 1,000,000, not \(value)")
  }
}
