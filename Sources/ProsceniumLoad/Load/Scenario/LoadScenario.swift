// SPDX-License-Identifier: Apache-2.0

public import Proscenium
public import ProsceniumSimulation

/// What a load test does.
///
/// Values outside their range are refused by ``check()``, with the flag that sets them.
public struct LoadScenario: Sendable {
  /// Who decides when the next event is sent.
  public enum Pace: Sendable, Hashable {
    /// The clock: events are due at their moments, whatever became of those before.
    case open(LoadPace)
    /// So many users, each of whom waits for his event before he sends the next.
    case closed(users: Int)
  }

  /// When the test ends.
  public enum End: Sendable, Hashable {
    /// After a time in seconds.
    case seconds(Double)
    /// After so many events.
    case events(Int)
  }

  /// What happens once, when half of the time is over.
  public enum Turn: String, Sendable, Hashable, CaseIterable {
    /// Nothing.
    case none
    /// The limit of connected scenes becomes a tenth.
    case squeeze
    /// The application ends and is launched again, and every session is activated at once.
    case restart
  }

  /// The name, such as `browse`.
  public var name: String
  /// What it is like, in a line.
  public var summary: String
  /// How many sessions there are at any moment.
  public var sessions = 10_000
  /// How many scenes may be connected, or nil for all.
  public var connected: Int?
  /// Who decides when the next event is sent.
  public var pace = Pace.open(LoadPace(rate: 20_000))
  /// When the test ends; the warm-up comes before.
  public var end = End.seconds(15)
  /// How long events are sent before anything is counted, in seconds.
  public var warmup = 1.0
  /// Which sessions get how many of the events.
  public var skew = LoadSkew.zipf(LoadSkew.usualPower)
  /// How often each kind of event comes.
  public var mix = LoadEventMix()
  /// How many bytes the states have.
  public var stateSize = LoadStateSize.fixed(750)
  /// How many refreshes a second are requested.
  public var refreshes = 0.0
  /// What goes wrong: disconnects and discards by the system among it.
  public var faults = FaultPlan()
  /// What happens when half of the time is over.
  public var turn = Turn.none
  /// How much memory may be used, in bytes, or nil for no limit.
  public var memoryLimit: Int?
  /// When states are captured.
  public var durability = Durability.onDisconnect
  /// How many shards the runtime has.
  public var shards = 64
  /// What everything that is drawn is drawn from.
  public var seed: UInt64 = 1

  /// Makes a scenario of messages alone.
  public init(name: String, summary: String = "") {
    self.name = name
    self.summary = summary
  }

  /// How many events a second are intended at last, or nil if none is.
  public var intendedRate: Double? {
    if case .open(let pace) = pace { pace.lastRate } else { nil }
  }

  /// Tells what is out of its range first, as a sentence; nil if nothing is.
  public func check() -> String? {
    var problems: [String?] = [
      Self.problem("--sessions", sessions, 1...10_000_000),
      Self.problem("--connected", connected ?? 1, 1...10_000_000),
      Self.problem("--shards", shards, 1...256),
      Self.problem("--warmup", warmup, 0...3_600),
      Self.problem("--refreshes", refreshes, 0...1_000_000),
    ]
    switch pace {
    case .open(let pace):
      problems.append(Self.problem("--rate", pace.lastRate, 0...100_000_000))
    case .closed(let users):
      problems.append(Self.problem("--concurrency", users, 1...10_000))
      if users > sessions {
        problems.append(
          "expected --concurrency of at most the \(sessions) sessions, got \(users).")
      }
    }
    switch end {
    case .seconds(let seconds): problems.append(Self.problem("--duration", seconds, 0.1...604_800))
    case .events(let events):
      problems.append(Self.problem("--events", events, 1...1_000_000_000_000))
    }
    if let memoryLimit, memoryLimit < Self.leastMemory {
      problems.append(
        "expected --memory-limit of \(NumberText.bytes(Self.leastMemory)) or more, got"
          + " \(NumberText.bytes(memoryLimit)).")
    }
    return problems.compactMap { $0 }.first
  }

  /// Less than this the program takes before its first session.
  static let leastMemory = 16_000_000

  private static func problem<Value: Comparable>(
    _ flag: String, _ value: Value, _ range: ClosedRange<Value>
  ) -> String? {
    if range.contains(value) { return nil }
    func text(_ bound: Value) -> String { (bound as? Int).map(NumberText.grouped) ?? "\(bound)" }
    return "expected \(flag) from \(text(range.lowerBound)) to \(text(range.upperBound)),"
      + " got \(value)."
  }
}

// What can be run by a name.
extension LoadScenario {
  /// The scenarios with names, in the order in which they are listed.
  public static let named: [LoadScenario] = [browse, editor, chat, churn, squeeze, storm]

  /// The scenario with a name, or nil if there is none.
  public static func named(_ name: String) -> LoadScenario? {
    named.first { $0.name == name }
  }

  private static let browse = make(
    "browse",
    "Pages in browser tabs: four of ten events are routed, a fifth of the scenes connected."
  ) { scenario in
    scenario.sessions = 20_000
    scenario.connected = 4_000
    scenario.mix = LoadEventMix([.message: 60, .activity: 30, .url: 10]) ?? LoadEventMix()
    scenario.faults.disconnects.perSecond = 200
    scenario.faults.discards.perSecond = 20
  }

  private static let editor = make(
    "editor", "Few sessions with large states, of which every change is kept at once."
  ) { scenario in
    scenario.sessions = 500
    scenario.pace = .open(LoadPace(rate: 5_000))
    scenario.stateSize = .mean(16_384)
    scenario.durability = .everyEvent
    scenario.skew = .uniform
    scenario.faults.disconnects.perSecond = 20
  }

  private static let chat = make(
    "chat", "Many small messages to many sessions, now and then a quick action or an answer."
  ) { scenario in
    scenario.sessions = 100_000
    scenario.connected = 50_000
    scenario.pace = .open(LoadPace(rate: 100_000))
    scenario.mix =
      LoadEventMix([.message: 98, .shortcut: 1, .notification: 1]) ?? LoadEventMix()
    scenario.stateSize = .fixed(400)
    scenario.durability = .within(.milliseconds(100))
  }

  private static let churn = make(
    "churn", "The system strikes all the time: 10,000 disconnects and 1,000 discards a second."
  ) { scenario in
    scenario.sessions = 100_000
    scenario.pace = .open(LoadPace(rate: 500_000))
    scenario.faults.disconnects.perSecond = 10_000
    scenario.faults.discards.perSecond = 1_000
  }

  private static let squeeze = make(
    "squeeze", "Nine tenths of the connected scenes have to go, in the middle of the load."
  ) { scenario in
    scenario.sessions = 50_000
    scenario.connected = 50_000
    scenario.turn = .squeeze
  }

  private static let storm = make(
    "storm", "The application is launched again in the middle, and everybody comes back at once."
  ) { scenario in
    scenario.sessions = 50_000
    scenario.turn = .restart
  }

  private static func make(
    _ name: String, _ summary: String, _ change: (inout LoadScenario) -> Void
  ) -> LoadScenario {
    var scenario = LoadScenario(name: name, summary: summary)
    change(&scenario)
    return scenario
  }
}
