// SPDX-License-Identifier: Apache-2.0

import Foundation
import Proscenium
import ProsceniumPrimitives
import Testing

@testable import ProsceniumSQLite

@Suite struct StoreSizeTests {
  /// Which session is saved next: all alike, or few of them most often.
  @Test(arguments: [1.0, 4.0])
  func `file and log stay small while states are saved again and again`(skew: Double) async throws {
    var store = try TestStore()
    try await store.load()
    let sessions = (0..<200).map { SessionIdentifier.test($0) }
    try await store.insert(sessions)
    var generator = SplitMix64(seed: 1)
    var newest: [SessionIdentifier: Bytes] = [:]
    var most = 0
    for _ in 0..<400 {
      var changes: [(SessionIdentifier, StoreChange.Kind)] = []
      for _ in 0..<10 {
        let drawn = pow(Double.random(in: 0..<1, using: &generator), skew)
        let session = sessions[Int(drawn * Double(sessions.count))]
        let size = Int.random(in: 1_000...40_000, using: &generator)
        let state = Bytes.drawn(16, &generator) + Bytes(repeating: 1, count: size)
        newest[session] = state
        changes.append((session, .save(try store.seal(state, of: session))))
      }
      try await store.commit(changes)
      most = max(most, newest.values.reduce(0) { $0 + $1.count })
      #expect(store.folder.logSize <= 64 << 20)
    }
    // 80 MB were written. States take whole pages, and pages that are free stay.
    store = try await store.reopened()
    let attributes = try FileManager.default.attributesOfItem(atPath: store.folder.path("store"))
    let size = try #require(attributes[.size] as? Int)
    #expect(size <= most * 5 / 4 + 1 << 20)
    try await store.load()
    for (session, state) in newest { #expect(try store.state(of: session) == state) }
  }
}
