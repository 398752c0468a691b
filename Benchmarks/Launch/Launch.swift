// SPDX-License-Identifier: Apache-2.0

import CFloors
import Measuring
import Proscenium

/// From opening the store of an application that had sessions to the first request that it serves.
@main
enum Launch {
  static func main() async {
    await SuiteProgram.run {
      for sessions in Scale.current.sizes {
        Contest("launch", ["sessions": sessions], .seconds).add(to: "Launch") {
          let store = try await StoredSessions(sessions)
          let path = store.path
          return [
            .runtime { try await store.measure() },
            .floor {
              let rate = try await Stopwatch(seconds: 0).measure {
                guard unsafe floor_read(path) > 0 else {
                  throw BenchmarkFailure("the file could not be read")
                }
                return 1
              }
              return Reading(1 / rate.value)
            },
          ]
        }
      }
    }
  }
}
