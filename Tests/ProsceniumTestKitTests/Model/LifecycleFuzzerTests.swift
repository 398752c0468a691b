// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ProsceniumTestKit

/// What the fuzzer draws is legal, repeatable and leaves nothing out.
@Suite struct LifecycleFuzzerTests {
  @Test func `random vectors keep what always holds and meet everything that can happen`() throws {
    var coverage = FuzzCoverage()
    for seed in 1...200 as ClosedRange<UInt64> {
      let fuzzer = try LifecycleFuzzer.vector(seed: seed)
      let violations = fuzzer.violations
      #expect(violations == [], "seed \(seed), options \(fuzzer.setup)")
      coverage.add(fuzzer.coverage)
    }
    let missing = FuzzCoverage.required.filter { coverage[$0] == 0 }
    #expect(missing == [])
  }

  @Test(arguments: [1, 2, 77] as [UInt64])
  func `a random vector is the same every time, and the model predicts it when it is read`(
    seed: UInt64
  ) throws {
    let file = try LifecycleFuzzer.vector(seed: seed).file()
    let isSame = try LifecycleFuzzer.vector(seed: seed).file() == file
    #expect(isSame)
    let vectors = try ModelVector.vectors(in: Array(file.utf8), name: "random")
    #expect(vectors.map(\.id) == ["F\(seed)"])
    for vector in vectors {
      let differences = try vector.differences()
      #expect(differences == [])
    }
  }

  @Test func `a failure is told with the fewest steps that show it`() async throws {
    let fuzzer = try LifecycleFuzzer.vector(seed: 4, commandCount: 60)
    let kept = try LifecycleFuzzer.vector(seed: 4, commandCount: 60).file(stepCount: 36)
    let failure = try await FuzzFailure.find(in: fuzzer) { file in
      file.utf8.count > kept.utf8.count ? "too long" : nil
    }
    #expect(failure?.stepCount == 37)
    #expect(failure?.file == fuzzer.file(stepCount: 37))
    #expect(failure?.description.hasPrefix("seed 4, step 37: too long\noptions: {") == true)
    let none = try await FuzzFailure.find(in: fuzzer) { _ in nil }
    #expect(none?.description == nil)
  }
}
