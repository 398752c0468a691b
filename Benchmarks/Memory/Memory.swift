// SPDX-License-Identifier: Apache-2.0

import Foundation
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
          return [
            .runtime("connected") { try await probe.connect() },
            .runtime("disconnected") { try await probe.disconnect() },
            .floor { try await leastObjects(sessions) },
          ]
        }
      }
    }
  }

  /// The least that a session needs: an identifier, a state, a place in a queue and a delegate,
  /// found by an open table of pointers with room for 10 of 7.
  private static func leastObjects(_ count: Int) async throws -> Reading {
    let before = Stopwatch.allocatedBytes
    let table = UnsafeMutablePointer<UnsafeMutableRawPointer?>.allocate(capacity: count * 10 / 7)
    for index in 0..<count { unsafe table[index] = unsafe calloc(1, 40) }
    let after = Stopwatch.allocatedBytes
    for index in 0..<count { unsafe free(table[index]) }
    unsafe table.deallocate()
    return Reading(Double(after - before) / Double(count))
  }
}
