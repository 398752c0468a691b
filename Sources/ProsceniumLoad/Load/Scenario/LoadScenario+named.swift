// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumSimulation

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
