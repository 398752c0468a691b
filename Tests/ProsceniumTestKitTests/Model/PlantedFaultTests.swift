// SPDX-License-Identifier: Apache-2.0

import Proscenium
import Testing

@testable import ProsceniumTestKit

#if DEBUG
  /// Random life cycles find bugs that are there.
  @Suite struct PlantedFaultTests {
    @Test(arguments: PlantedFault.visibleInAnyOrder)
    func `a planted bug is found within ten random runs`(fault: PlantedFault) async throws {
      var options = ConformanceOptions.patient(shards: 4)
      options.plantedFault = fault
      for seed in 1...10 as ClosedRange<UInt64> {
        let fuzzer = try LifecycleFuzzer.vector(seed: seed)
        let failure = try await FuzzFailure.find(in: fuzzer) { file in
          try await FuzzFailure.run(file, options)
        }
        guard let failure else { continue }
        // The same commands agree without the bug, so it is the bug that was found.
        let difference = try await FuzzFailure.run(failure.file)
        if difference == nil { return }
      }
      Issue.record("no run has found \(fault)")
    }
  }
#endif
