// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProsceniumJSON
import ProsceniumPrimitives
import ProsceniumSimulation
import Testing

/// Plans as values and as files.
@Suite struct FaultPlanTests {
  @Test func `what is read is what was written, for any plan`() throws {
    for seed in UInt64(1)...500 {
      let plan = FaultPlan.random(seed: seed)
      let read = try FaultPlan(json: Array(plan.json.utf8))
      #expect(read == plan, "seed \(seed)\n\(plan.json)")
      #expect(read.json == plan.json, "seed \(seed)")
    }
  }

  @Test func `equal plans are equal texts, and nothing is an almost empty one`() throws {
    #expect(FaultPlan(seed: 7).json == #"{"seed": 7}"#)
    let empty = try FaultPlan(json: Array("{}".utf8))
    #expect(empty == FaultPlan())
    var plan = FaultPlan()
    plan.clockJumps = [.init(at: .milliseconds(1_500), by: .seconds(60))]
    plan.store.delays = .init(perThousand: 5, time: .zero ... .microseconds(10))
    #expect(
      plan.json == #"{"seed": 0, "store": {"delays": {"perThousand": 5, "seconds": [0, 1e-05]}}, "#
        + #""clockJumps": [{"atSeconds": 1.5, "bySeconds": 60}]}"#)
  }

  @Test func `values out of their range are brought into it`() throws {
    var plan = FaultPlan(seed: .max)
    plan.disconnects = .init(perSecond: .nan, moments: Array(repeating: .seconds(-1), count: 2_000))
    plan.discards.perSecond = .infinity
    plan.delegates.hogs = .init(perThousand: -5, time: .seconds(-5) ... .seconds(Int64.max))
    plan.store.tornPerThousand = .max
    plan.clockJumps = [.init(at: .seconds(-1), by: .seconds(-1))]
    plan.wallClockJumps = [.init(at: .seconds(Int64.max), by: .seconds(Int64.min))]
    let kept = FaultInjector(plan).plan
    #expect(kept.seed == UInt64(Int.max))
    #expect(kept.disconnects.perSecond == 0)
    #expect(kept.disconnects.moments == Array(repeating: .zero, count: 1_000))
    #expect(kept.discards.perSecond == 1_000_000)
    #expect(kept.delegates.hogs == .init(perThousand: 0, time: .zero ... .seconds(3_600)))
    #expect(kept.store.tornPerThousand == 1_000)
    #expect(kept.clockJumps == [.init(at: .zero, by: .zero)])
    #expect(kept.wallClockJumps == [.init(at: FaultPlan.lastMoment, by: .seconds(-315_360_000))])
    let read = try FaultPlan(json: Array(plan.json.utf8))
    #expect(read == kept)
  }

  @Test(arguments: [
    ("", "notJSON", "plan: line 1, column 1: expected a JSON value, found the end of the file."),
    (
      "{\n  \"seed\": 1,\n}", "notJSON",
      "plan: line 3, column 1: expected a key in double quotes, found \"}\"."
    ),
    ("[]", "wrongType", "plan: $: expected an object, found an empty list."),
    (
      #"{"discard": {}}"#, "unknownKey",
      "plan: $.discard: expected no other keys here than seed, disconnects, discards, delegates, "
        + "store, clockJumps, wallClockJumps, requests, killsAtSeconds, found \"discard\"."
    ),
    (
      #"{"seed": -1}"#, "outOfRange",
      "plan: $.seed: expected an integer from 0 to 9223372036854775807, found -1."
    ),
    (
      #"{"seed": 1, "seed": 2}"#, "duplicate",
      "plan: line 1, column 13: expected each key once in an object, found \"seed\" again."
    ),
    (
      #"{"discards": {"perSecond": 1000001}}"#, "outOfRange",
      "plan: $.discards.perSecond: expected a number from 0.0 to 1000000.0, found 1000001."
    ),
    (
      #"{"discards": {"perSecond": "10"}}"#, "wrongType",
      "plan: $.discards.perSecond: expected a number from 0.0 to 1000000.0, found \"10\"."
    ),
    (
      #"{"store": {"fullPerThousand": 2.5}}"#, "wrongType",
      "plan: $.store.fullPerThousand: expected an integer from 0 to 1000, found 2.5."
    ),
    (
      #"{"killsAtSeconds": [1, 2592001]}"#, "outOfRange",
      "plan: $.killsAtSeconds[1]: expected a number from 0.0 to 2592000.0, found 2592001."
    ),
    (
      #"{"requests": {"delays": {"seconds": [0, 1]}}}"#, "missingKey",
      "plan: $.requests.delays: expected the key \"perThousand\", found an object without it."
    ),
    (
      #"{"requests": {"delays": {"perThousand": 1, "seconds": [1]}}}"#, "outOfRange",
      "plan: $.requests.delays.seconds: expected the shortest and the longest time, "
        + "found 1 elements."
    ),
    (
      #"{"delegates": {"hogs": {"perThousand": 1, "seconds": [2, 1]}}}"#, "outOfRange",
      "plan: $.delegates.hogs.seconds[1]: expected a number from 2.0 to 3600.0, found 1."
    ),
    (
      #"{"clockJumps": [{"atSeconds": 1, "bySeconds": -1}]}"#, "outOfRange",
      "plan: $.clockJumps[0].bySeconds: expected a number from 0.0 to 315360000.0, found -1."
    ),
    (
      #"{"wallClockJumps": [{"atSeconds": 1}]}"#, "missingKey",
      "plan: $.wallClockJumps[0]: expected the key \"bySeconds\", found an object without it."
    ),
  ])
  func `a bad plan says what is wrong and where`(text: String, code: String, message: String) {
    let error = #expect(throws: FileError.self) { try FaultPlan(json: Array(text.utf8)) }
    #expect(error?.code.rawValue == code)
    #expect(error?.description == message)
    #expect(message.hasPrefix("plan: \(error?.place ?? ""): "))
  }

  @Test func `a plan that is too long is refused`() {
    let list =
      #"{"killsAtSeconds": [\#(Array(repeating: "1", count: 1_001).joined(separator: ","))]}"#
    let listError = #expect(throws: FileError.self) { try FaultPlan(json: Array(list.utf8)) }
    #expect(
      listError?.description == "plan: $.killsAtSeconds: expected up to 1000 elements, found 1001.")
    let text = Array(repeating: UInt8(ascii: " "), count: FaultPlan.textLimit + 1)
    let textError = #expect(throws: FileError.self) {
      try FaultPlan(json: text, file: "faults.json")
    }
    #expect(textError?.code == .outOfRange)
    #expect(
      textError?.description == "faults.json: $: expected up to 1048576 bytes, found 1048577.")
  }

  @Test func `no damaged text traps`() {
    var random = SplitMix64(seed: 5)
    let plan = Array(FaultPlan.random(seed: 3).json.utf8)
    for _ in 0..<5_000 {
      var text = plan
      for _ in 0...random.number(below: 3) {
        text[random.number(below: text.count)] = UInt8(random.number(below: 256))
      }
      _ = try? FaultPlan(json: Array(text.prefix(random.number(below: text.count * 2))))
    }
  }

  @Test func `the example of the page is a plan with all that there is`() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let page = try String(
      contentsOf: root.appendingPathComponent("Docs/FAULTS.md"), encoding: .utf8)
    let parts = page.split(separator: "```json\n")
    try #require(parts.count == 2)
    let example = try #require(parts[1].split(separator: "```").first)
    let plan = try FaultPlan(json: Array(example.utf8), file: "FAULTS.md")
    #expect(plan.discards == .init(perSecond: 100, moments: [.seconds(30)]))
    #expect(plan.store.delays == .init(perThousand: 200, time: .zero ... .milliseconds(50)))
    let again = try FaultPlan(json: Array(plan.json.utf8))
    #expect(again == plan)
    // Whatever can be set is set there, so that the page is complete.
    for key in FaultPlanTests.keys(of: FaultPlan.random(seed: 1).json) {
      #expect(example.contains("\"\(key)\""), "\(key)")
      #expect(page.contains("`\(key)`"), "\(key)")
    }
  }

  /// The keys of a text without texts.
  private static func keys(of json: String) -> Set<Substring> {
    Set(json.split(separator: "\"").enumerated().filter { $0.offset % 2 == 1 }.map(\.element))
  }
}

extension FaultPlan {
  /// A plan in which anything may be set, and everything is for seed 1.
  fileprivate static func random(seed: UInt64) -> FaultPlan {
    var random = SplitMix64(seed: seed)
    var plan = FaultPlan(seed: random.next() >> 1)
    func isSet() -> Bool { seed == 1 || random.happens(perThousand: 500) }
    func share() -> Int { isSet() ? 1 + random.number(below: 1_000) : 0 }
    func time(_ limit: Duration) -> Duration {
      .microseconds(1 + random.number(below: Int(limit / .microseconds(1))))
    }
    func moments() -> [Duration] {
      isSet() ? (0...random.number(below: 5)).map { _ in time(FaultPlan.lastMoment) } : []
    }
    func delay() -> Delay {
      guard isSet() else { return Delay() }
      let times = [time(FaultPlan.longestTime), time(FaultPlan.longestTime)].sorted()
      return Delay(perThousand: share(), time: times[0]...times[1])
    }
    func jumps(_ sign: Int) -> [Jump] {
      moments().map { Jump(at: $0, by: time(FaultPlan.farthestJump) * sign) }
    }
    plan.disconnects = Strikes(
      perSecond: Double(share()) * 1_000_000 / 1_024, moments: moments())
    plan.discards = Strikes(perSecond: Double(share()) / 3, moments: moments())
    plan.delegates.hogs = delay()
    plan.delegates.hangs = delay()
    plan.store.failedPerThousand = share()
    plan.store.fullPerThousand = share()
    plan.store.delays = delay()
    plan.store.tornPerThousand = share()
    plan.store.powerLosses = moments()
    plan.clockJumps = jumps(1)
    plan.wallClockJumps = jumps(-1)
    plan.requests.duplicatedPerThousand = share()
    plan.requests.delays = delay()
    plan.kills = moments()
    return plan
  }
}
