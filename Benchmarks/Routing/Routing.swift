// SPDX-License-Identifier: Apache-2.0

import Measuring
import ProsceniumLoad

/// Decisions about identifiers: which session gets its content.
@main
enum Routing {
  static func main() async {
    await SuiteProgram.run {
      for sessions in Scale.current.sizes {
        add(.exact, "exact", sessions)
        add(.exactAndPrefix, "exact_and_prefix", sessions)
        add(.mixed, "mixed", sessions)
        addDecisionsBesideWriter(sessions)
      }
    }
  }

  /// One decision after another by one thread.
  private static func add(_ mix: RoutingMix, _ name: String, _ sessions: Int) {
    Contest(name, ["sessions": sessions]).add(to: "Routing") {
      let decisions = try RoutingDecisions(mix, sessions: sessions)
      let contenders: [Contender] = [
        .runtime { try await decisions.measure(.single) },
        .floor { try await decisions.measure(.floor) },
      ]
      guard sessions == Scale.current.rivalSize, mix == .exact else { return contenders }
      return contenders
        + Contender.rival(
          "erlang", path: "route", sessions: sessions)
    }
  }

  /// Decisions of one thread alone, next to one that only uses a processor, and next to one that
  /// changes conditions all the time.
  private static func addDecisionsBesideWriter(_ sessions: Int) {
    Contest("beside_writer", ["sessions": sessions]).add(to: "Routing") {
      let decisions = try RoutingDecisions(.exact, sessions: sessions)
      return [
        .runtime("alone") { try await decisions.measure(.single) },
        .runtime("beside_busy_thread") { try await decisions.measure(beside: .busyThread) },
        .runtime("beside_writer") { try await decisions.measure(beside: .writer) },
      ]
    }
  }
}
