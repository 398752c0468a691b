// SPDX-License-Identifier: Apache-2.0

import CFloors
import Measuring
import Proscenium

/// A scene's state on its way back from the disk.
@main
enum Restore {
  static func main() async {
    await SuiteProgram.run {
      addDecoding()
      for sessions in Scale.current.sizes where sessions <= 100_000 { addReading(sessions) }
    }
  }

  private static func addDecoding() {
    Contest("decode").add(to: "Restore") {
      let bytes = try Draft.fields(editedTimes: 7).encoded()
      let stopwatch = Stopwatch(seconds: Scale.current.seconds)
      let contenders: [Contender] = [
        .runtime {
          try await stopwatch.measure(batch: 256) { _ in
            var state = try StateReader(decoding: bytes)
            guard Draft.Fields(from: &state).edits == 7 else {
              throw BenchmarkFailure("a state was decoded wrongly")
            }
          }
        },
        .floor { floor_copy(bytes.count, $0) },
      ]
      let rivals = ["erlang", "go"].flatMap { Contender.rival($0, path: "decode") }
      return contenders + rivals
    }
    Contest("decode activity").add(to: "Restore") {
      let bytes = try SavedState(activity: Draft.edited(7)).encoded()
      let stopwatch = Stopwatch(seconds: Scale.current.seconds)
      return [
        .runtime {
          try await stopwatch.measure(batch: 256) { _ in
            guard try SavedState(decoding: bytes).activity?.userInfo.count == 8 else {
              throw BenchmarkFailure("a state was decoded wrongly")
            }
          }
        },
        .floor { floor_copy(bytes.count, $0) },
      ]
    }
  }

  /// States of sessions chosen at random, read, opened and decoded by one thread.
  private static func addReading(_ sessions: Int) {
    Contest("read", ["sessions": sessions]).add(to: "Restore") {
      let states = try await StoredStates(sessions)
      return [
        .runtime { try await states.measure() }, .floor { floor_seal(700, true, $0) },
      ]
    }
  }
}
