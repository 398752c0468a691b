// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPrimitives
import ProsceniumSimulation
import Testing

@testable import ProsceniumLoad

@Suite struct LoadScenarioTests {
  private static func read(_ text: String) throws -> LoadScenario {
    try LoadScenario(json: Array(text.utf8), file: "load.json")
  }

  @Test func `every scenario with a name can be run`() {
    for scenario in LoadScenario.named {
      #expect(scenario.check() == nil, "\(scenario.name)")
      #expect(!scenario.summary.isEmpty)
      #expect(LoadScenario.named(scenario.name)?.summary == scenario.summary)
    }
    #expect(LoadScenario.named("none") == nil)
  }

  @Test func `a file says what is different from its base`() throws {
    let scenario = try Self.read(
      """
      {"name": "shop", "base": "churn", "sessions": 5000, "connected": 100, "seconds": 2.5,
       "rate": 10, "stages": [{"seconds": 2, "rate": 30}], "skew": "uniform",
       "mix": {"message": 1, "url": 3}, "stateSize": "100-200", "refreshesPerSecond": 5,
       "faults": {"disconnects": {"perSecond": 7}}, "turn": "squeeze", "durability": "50ms",
       "shards": 2, "seed": 9, "warmupSeconds": 0, "memoryLimitBytes": 100000000}
      """)
    #expect(scenario.name == "shop")
    #expect(scenario.sessions == 5_000 && scenario.connected == 100 && scenario.shards == 2)
    #expect(scenario.pace == .open(LoadPace(first: 10, [.init(seconds: 2, rate: 30)])))
    #expect(scenario.end == .seconds(2.5) && scenario.warmup == 0 && scenario.seed == 9)
    #expect(scenario.skew == .uniform && scenario.stateSize == .uniform(100...200))
    #expect(scenario.mix[.url] == 3 && scenario.mix[.activity] == 0)
    #expect(scenario.faults.disconnects.perSecond == 7)
    #expect(scenario.faults.discards.perSecond == 0)
    #expect(scenario.turn == .squeeze && scenario.durability == .within(.milliseconds(50)))
    #expect(scenario.refreshes == 5 && scenario.memoryLimit == 100_000_000)
    #expect(try Self.read(#"{"base": "churn"}"#).faults.discards.perSecond == 1_000)
    #expect(try Self.read(#"{"users": 3, "events": 10}"#).pace == .closed(users: 3))
  }

  @Test(arguments: [
    ("{", "line 1"), ("[]", "$"), (#"{"session": 1}"#, "session"),
    (#"{"sessions": 0}"#, "$.sessions"),
    (#"{"base": "none"}"#, "$.base"), (#"{"skew": "flat"}"#, "$.skew"),
    (#"{"mix": {"mail": 1}}"#, "$.mix"), (#"{"mix": {"url": 0}}"#, "$.mix"),
    (#"{"stages": [{"seconds": 1}]}"#, "$.stages[0]"), (#"{"durability": "ms"}"#, "$.durability"),
    (#"{"faults": {"discards": 3}}"#, "$.faults.discards"), (#"{"turn": "left"}"#, "$.turn"),
  ])
  func `what is wrong in a file is said with its place`(text: String, place: String) {
    #expect {
      try Self.read(text)
    } throws: { error in
      "\(error)".contains(place) && "\(error)".contains("load.json")
    }
  }

  @Test func `what is out of its range is said with its flag`() {
    var scenario = LoadScenario(name: "wrong")
    scenario.sessions = 0
    #expect(scenario.check()?.contains("--sessions") == true)
    scenario.sessions = 10
    scenario.pace = .closed(users: 11)
    #expect(scenario.check()?.contains("--concurrency") == true)
    scenario.pace = .open(LoadPace(rate: -1))
    #expect(scenario.check()?.contains("--rate") == true)
    scenario.pace = .open(LoadPace(rate: 1))
    scenario.memoryLimit = 1
    #expect(scenario.check()?.contains("--memory-limit") == true)
    scenario.memoryLimit = nil
    #expect(scenario.check() == nil)
  }
}
