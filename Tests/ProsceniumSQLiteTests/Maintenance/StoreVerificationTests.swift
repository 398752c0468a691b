// SPDX-License-Identifier: Apache-2.0

import Foundation
import Proscenium
@testable import ProsceniumSQLite
import Testing

@Suite struct StoreVerificationTests {
  @Test func `a sound store is found sound, and everything in it was looked at`() async throws {
    let filled = try await FilledStore()
    var steps: [Int] = []
    let report = try StoreVerification.run(filled.path, key: FilledStore.key) { done, _ in
      steps.append(done)
    }
    #expect(report.isSound, "\(report.damage)")
    #expect(report.sessions == filled.kept.count)
    #expect(report.states == filled.kept.values.count { $0.state != nil })
    #expect(report.stateBytes > 10_000)
    #expect(steps == [0, filled.kept.count])
  }

  @Test func `a store that is in use can be verified`() async throws {
    var test = try TestStore()
    try await test.load()
    try await test.insert((0..<10).map { .test($0) })
    for number in 0..<10 { try await test.save(Bytes(repeating: 1, count: 300), of: .test(number)) }
    let report = try StoreVerification.run(test.folder.path("store"), key: FilledStore.key)
    #expect(report.isSound, "\(report.damage)")
    #expect(report.states == 10)
    try await test.save([1], of: .test(1))
    #expect(try test.state(of: .test(1)) == [1])
  }
}
