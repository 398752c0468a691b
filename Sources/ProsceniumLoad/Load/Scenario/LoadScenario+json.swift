// SPDX-License-Identifier: Apache-2.0

import Proscenium
package import ProsceniumJSON
import ProsceniumSimulation

// A scenario as a file. Each key has to be known and each value inside its range.
extension LoadScenario {
  /// How many bytes the text of a scenario can have: 1 MiB.
  package static let textLimit = 1 << 20

  /// Reads a scenario.
  ///
  /// What is left out is as in the scenario that `base` names, or as in `browse`.
  ///
  /// - Parameters:
  ///   - json: An object in JSON, in UTF-8, up to ``textLimit``.
  ///   - file: The name of the file, for messages.
  /// - Throws: The first thing that is wrong, with its place.
  package init(json: [UInt8], file: String) throws(FileError) {
    guard json.count <= Self.textLimit else {
      throw FileError(
        .outOfRange, file: file, place: "$",
        "expected up to \(Self.textLimit) bytes, found \(json.count).")
    }
    try self.init(try JSONParser.parse(json, file: file))
  }

  private init(_ node: JSONNode) throws(FileError) {
    try node.checkKeys(
      "name", "summary", "base", "sessions", "connected", "rate", "stages", "users", "seconds",
      "events", "warmupSeconds", "skew", "mix", "stateSize", "refreshesPerSecond", "faults", "turn",
      "memoryLimitBytes", "durability", "shards", "seed")
    self = Self.named[0]
    if let node = try node.optional("base") {
      guard let base = Self.named(try node.text()) else {
        throw node.failure(
          .unknownValue, Self.named.map(\.name).joined(separator: ", "), found: try node.text())
      }
      self = base
    }
    name = try node.optional("name")?.text() ?? "scenario"
    summary = try node.optional("summary")?.text() ?? summary
    try node.read("sessions") { (node) throws(FileError) in
      sessions = try node.integer(in: 1...10_000_000)
    }
    try node.read("connected") { (node) throws(FileError) in
      connected = try node.integer(in: 1...10_000_000)
    }
    if let pace = try Self.pace(node) { self.pace = pace }
    try node.read("seconds") { (node) throws(FileError) in
      end = .seconds(try node.number(in: 0.1...604_800))
    }
    try node.read("events") { (node) throws(FileError) in
      end = .events(try node.integer(in: 1...1_000_000_000_000))
    }
    try node.read("warmupSeconds") { (node) throws(FileError) in
      warmup = try node.number(in: 0...3_600)
    }
    try node.read("refreshesPerSecond") { (node) throws(FileError) in
      refreshes = try node.number(in: 0...1_000_000)
    }
    try node.read("faults") { (node) throws(FileError) in faults = try FaultPlan(node) }
    try node.read("turn") { (node) throws(FileError) in turn = try node.word(Turn.self) }
    try node.read("memoryLimitBytes") { (node) throws(FileError) in
      memoryLimit = try node.integer(in: Self.leastMemory...1 << 48)
    }
    try node.read("shards") { (node) throws(FileError) in shards = try node.integer(in: 1...256) }
    try node.read("seed") { (node) throws(FileError) in
      seed = UInt64(try node.integer(in: 0...Int.max))
    }
    try readWords(node)
  }

  /// Reads what is written as in flags.
  private mutating func readWords(_ node: JSONNode) throws(FileError) {
    skew = try node.word("skew", "zipf:0.99 or uniform") { LoadSkew($0) } ?? skew
    stateSize =
      try node.word("stateSize", "750, 200-2000 or mean:800") { LoadStateSize($0) } ?? stateSize
    durability =
      try node.word("durability", "disconnect, event, or milliseconds such as 50ms") {
        Durability(text: $0)
      } ?? durability
    guard let node = try node.optional("mix") else { return }
    var weights: [LoadEventKind: Int] = [:]
    for (key, node) in try node.members() {
      guard let kind = LoadEventKind(rawValue: key) else {
        throw node.failure(
          .unknownKey, LoadEventKind.allCases.map(\.rawValue).joined(separator: ", "), found: key)
      }
      weights[kind] = try node.integer(in: 0...LoadEventMix.weightLimit)
    }
    guard let mix = LoadEventMix(weights) else {
      throw node.failure(.outOfRange, "a weight above 0", found: "none")
    }
    self.mix = mix
  }

  private static func pace(_ node: JSONNode) throws(FileError) -> Pace? {
    if let node = try node.optional("users") {
      return .closed(users: try node.integer(in: 1...10_000))
    }
    let rates = 0.0...100_000_000
    guard let list = try node.optional("stages") else {
      return try node.optional("rate").map { (node) throws(FileError) in
        .open(LoadPace(rate: try node.number(in: rates)))
      }
    }
    var stages: [LoadPace.Stage] = []
    for node in try list.elements() {
      try node.checkKeys("seconds", "rate")
      stages.append(
        LoadPace.Stage(
          seconds: try node.member("seconds").number(in: 0.001...604_800),
          rate: try node.member("rate").number(in: rates)))
    }
    let first = try node.optional("rate")?.number(in: rates) ?? 0
    return .open(LoadPace(first: first, stages))
  }
}

extension JSONNode {
  /// Reads a member, if the object has it.
  fileprivate func read(
    _ key: String, _ body: (JSONNode) throws(FileError) -> Void
  ) throws(FileError) {
    if let node = try optional(key) { try body(node) }
  }

  /// Reads a text that has a form of its own; nil if the key is not there.
  fileprivate func word<Value>(
    _ key: String, _ expected: String, _ read: (String) -> Value?
  ) throws(FileError) -> Value? {
    guard let node = try optional(key) else { return nil }
    let text = try node.text()
    guard let value = read(text) else {
      throw node.failure(.unknownValue, expected, found: text)
    }
    return value
  }
}

extension Durability {
  /// Reads `disconnect`, `event`, or milliseconds such as `50ms`; nil if it is none of these.
  package init?(text: String) {
    switch text {
    case "disconnect": self = .onDisconnect
    case "event": self = .everyEvent
    default:
      guard text.hasSuffix("ms"), let milliseconds = Int(text.dropLast(2)),
        (1...3_600_000).contains(milliseconds)
      else { return nil }
      self = .within(.milliseconds(milliseconds))
    }
  }
}
