// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import ProsceniumTestKit

/// The runtime does what the model predicts for random commands.
///
/// `PROSCENIUM_LIFECYCLE_RUNS` sets the number of runs, `PROSCENIUM_LIFECYCLE_SEED` the first seed.
@Suite struct LifecycleRandomTests {
  /// The runs are shared out among as many cases, so that they use all processors.
  private static let caseCount = 8

  private static func setting(_ name: String, unless set: Int) -> Int {
    ProcessInfo.processInfo.environment["PROSCENIUM_LIFECYCLE_\(name)"].flatMap { Int($0) } ?? set
  }

  @Test(arguments: 0..<caseCount)
  func `random commands lead to what the model predicts`(part: Int) async throws {
    let first = Self.setting("SEED", unless: 1)
    let end = first + Self.setting("RUNS", unless: 100)
    for seed in stride(from: first + part, to: end, by: Self.caseCount) {
      let fuzzer = try LifecycleFuzzer.vector(seed: UInt64(seed))
      // What happens does not depend on the number of shards; how long it takes does.
      let options = ConformanceOptions.patient(shards: [1, 2, 4, 8, 64][seed % 5])
      let failure = try await FuzzFailure.find(in: fuzzer) { vector in
        try await FuzzFailure.run(vector, options)
      }
      if let failure {
        Issue.record("\(failure)")
        return
      }
    }
  }
}
