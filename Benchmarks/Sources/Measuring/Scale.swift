// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProsceniumLoad

/// How much is measured, which `scripts/bench` says in the environment.
package struct Scale: Sendable {
  /// The numbers of sessions that are measured, rising.
  package let sizes: [Int]
  /// How long one contender works in one round, in seconds.
  package let seconds: Double
  /// How often the contenders take turns.
  package let rounds: Int
  /// The folder of the rivals, or nil if they are not measured.
  package let rivals: String?
  /// A folder on the disk that is measured.
  package let folder: String
  /// The file of the results, and the run's identifier there; nil if none are wanted.
  let results: (path: String, run: String)?

  /// The number of sessions with which rivals are compared: the largest up to 100,000.
  package var rivalSize: Int { sizes.last { $0 <= 100_000 } ?? sizes[0] }

  /// What the environment says: `PROSCENIUM_BENCH` is `full` or `quick`.
  package static let current = Scale(ProcessInfo.processInfo.environment)

  init(_ environment: [String: String]) {
    let isFull = environment["PROSCENIUM_BENCH"] == "full"
    sizes = isFull ? [10_000, 100_000, 1_000_000] : [10_000]
    seconds = isFull ? 1 : 0.1
    rounds = 3
    rivals = environment["PROSCENIUM_BENCH_RIVALS"]
    folder =
      environment["PROSCENIUM_BENCH_FOLDER"] ?? FileManager.default.temporaryDirectory.path
    results = environment["PROSCENIUM_BENCH_CSV"].map {
      ($0, environment["PROSCENIUM_BENCH_RUN"] ?? Self.newRun())
    }
  }

  /// The identifier of a suite that is run by itself.
  private static func newRun() -> String {
    var generator = SystemRandomNumberGenerator()
    let now = Int64(Date().timeIntervalSince1970)
    return RunIdentifier(of: "bench", startedAt: now, using: &generator).description
  }
}
