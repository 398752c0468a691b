// SPDX-License-Identifier: Apache-2.0

import CFloors
import Measuring
import Proscenium

/// What a scene and a session cost, with an empty delegate and without a state.
@main
enum Memory {
  static func main() async {
    await SuiteProgram.run {
      for sessions in Scale.current.sizes {
        Contest(
          "session", ["sessions": sessions], .bytes, rounds: 1, takesTurns: false
        ).add(to: "Memory") {
          let probe = try await IdleSessions(sessions)
          let contenders: [Contender] = [
            .runtime("connected") { try await probe.connect() },
            .runtime("disconnected") { try await probe.disconnect() },
            .floor { try await leastObjects(sessions) },
          ]
          guard sessions == Scale.current.rivalSize else { return contenders }
          let flags = ["--sessions", "\(sessions)"]
          let rivals = ["erlang", "caf", "go", "tokio"].flatMap { name in
            Contender.rival(name, path: "memory", flags: flags)
          }
          return contenders + rivals
            + Contender.rival(
              "erlang", as: "erlang_hibernated", path: "memory_hibernated", flags: flags)
        }
      }
    }
  }

  private static func leastObjects(_ count: Int) async throws -> Reading {
    let before = Stopwatch.allocatedBytes
    let objects = unsafe floor_objects_create(count)
    defer { unsafe floor_objects_destroy(objects) }
    let after = Stopwatch.allocatedBytes
    return Reading(Double(after - before) / Double(count))
  }
}
