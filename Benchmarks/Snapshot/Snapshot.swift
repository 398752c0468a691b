// SPDX-License-Identifier: Apache-2.0

import CFloors
import Measuring
import Proscenium

/// A scene's state on its way to the disk, step by step and as a whole.
@main
enum Snapshot {
  static func main() async {
    await SuiteProgram.run {
      addEncoding()
      for size in [700, 7_000, 60_000] { addSealing(size) }
      for size in [700, 7_000] { addCommits(size) }
      for sessions in Scale.current.sizes where sessions <= 100_000 { addWay(sessions) }
    }
  }

  /// The state alone, encoded into memory of its own: field by field, and as an activity.
  private static func addEncoding() {
    Contest("encode").add(to: "Snapshot") {
      let fields = Draft.fields(editedTimes: 7)
      let size = try fields.encoded().count
      let stopwatch = Stopwatch(seconds: Scale.current.seconds)
      return [
        .runtime {
          var state = StateWriter()
          return try await stopwatch.measure(batch: 256) { _ in
            fields.write(to: &state)
            guard try state.encoded().count == size else {
              throw BenchmarkFailure("a state had another size")
            }
          }
        },
        .floor { floor_copy(size, $0) },
      ]
        + ["erlang", "go"].flatMap { Contender.rival($0, path: "encode") }
    }
    Contest("encode activity").add(to: "Snapshot") {
      let state = SavedState(activity: Draft.edited(7))
      let size = try state.encoded().count
      let stopwatch = Stopwatch(seconds: Scale.current.seconds)
      return [
        .runtime {
          try await stopwatch.measure(batch: 256) { _ in
            guard try state.encoded().count == size else {
              throw BenchmarkFailure("a state had another size")
            }
          }
        },
        .floor { floor_copy(size, $0) },
      ]
    }
  }

  /// Sealing of encoded states, each of another session.
  private static func addSealing(_ size: Int) {
    Contest("seal", ["bytes": size]).add(to: "Snapshot") {
      let sealer = try await StateSealer(size: size)
      return [
        .runtime { try await sealer.measure() },
        .floor { floor_seal(size, false, $0) },
      ]
    }
  }

  /// Commits of 256 sealed states, one after another.
  private static func addCommits(_ size: Int) {
    Contest("commit", ["bytes": size, "group": 256]).add(to: "Snapshot") {
      let committer = try await StateCommitter(size: size)
      let path = committer.store.folder + "/floor"
      return [
        .runtime { try await committer.measure() },
        .floor(seconds: Scale.current.seconds * 2) { nanoseconds in
          unsafe floor_append(path, size, 256, false, nanoseconds)
        },
      ]
    }
  }

  /// From a message that changes a scene's state until that is captured, encoded, sealed and on the
  /// disk.
  private static func addWay(_ sessions: Int) {
    Contest("durable", ["sessions": sessions]).add(to: "Snapshot") {
      let scale = Scale.current
      let seconds = scale.seconds * 3
      let overwriting = try await StateOverwriting(sessions)
      let path = overwriting.folder + "/floor"
      let contenders: [Contender] = [
        .runtime { try await overwriting.measure(seconds: seconds) },
        .floor(seconds: seconds) { nanoseconds in
          unsafe floor_append(path, 700, 256, true, nanoseconds)
        },
      ]
      guard sessions == scale.rivalSize else { return contenders }
      let stores = ["sqlite", "lmdb", "rocksdb"].flatMap { store in
        Contender.rival(
          store, folder: "stores", path: store, sessions: sessions, seconds: seconds, workers: 256,
          files: scale.folder)
      }
      return contenders + stores
    }
  }
}
