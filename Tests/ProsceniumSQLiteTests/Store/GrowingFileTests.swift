// SPDX-License-Identifier: Apache-2.0

import Proscenium
import Testing

@testable import ProsceniumSQLite

/// Readers keep their mapping of the file while a writer changes it and makes it longer.
@Suite struct GrowingFileTests {
  @Test func `a reader always sees the newest states, wherever in the file they are`() async throws
  {
    var store = try TestStore()
    try await store.load()
    let sessions = (0..<64).map { SessionIdentifier.test($0) }
    try await store.insert(sessions)
    let rounds = 40
    var lengths: [Int] = []
    for round in 1...rounds {
      try await store.commit(
        try sessions.map { session in
          (session, .save(try store.seal(Self.state(round, of: session), of: session)))
        })
      // Twice: the second time the reader has seen this state of the file.
      for session in sessions + sessions.reversed() {
        #expect(try store.state(of: session) == Self.state(round, of: session))
      }
      lengths.append(try ReadOnlyFile(store.folder.path("store"))?.size() ?? 0)
    }
    // It was mapped when it was short, and became longer more than once.
    #expect(Set(lengths).count > 2)
    #expect(lengths[rounds - 1] > 20 * lengths[0])
    let again = try await store.reopened()
    store = again
    try await store.load()
    for session in sessions {
      #expect(try store.state(of: session) == Self.state(rounds, of: session))
    }
  }

  /// A thousand bytes more in each round, which no other round and session has.
  private static func state(_ round: Int, of session: SessionIdentifier) -> [UInt8] {
    var state = Array("\(session) \(round)".utf8)
    state += [UInt8](repeating: UInt8(round), count: 1_000 * round)
    return state
  }
}
