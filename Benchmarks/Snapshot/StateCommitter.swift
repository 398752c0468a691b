// SPDX-License-Identifier: Apache-2.0

import Measuring
import Proscenium
import ProsceniumSQLite

/// Commits states that were sealed before, each group of other sessions, one group after another.
///
/// Each session has two states in turns: what is the same is not written.
struct StateCommitter: Sendable {
  private static let sessions = 8_192
  private static let groupSize = 256

  let store: TemporaryStore
  private let groups: [[StoreChange]]

  init(size: Int) async throws {
    store = try TemporaryStore()
    let store = store.store
    let epoch = try await store.load { _ in }.epoch
    var random = Random(1)
    var groups: [[[StoreChange]]] = [[], []]
    for first in stride(from: 0, to: Self.sessions, by: Self.groupSize) {
      var rows: [StoreChange] = []
      var states: [[StoreChange]] = [[], []]
      for number in first..<first + Self.groupSize {
        let session = SessionIdentifier(high: 1, low: UInt64(number))
        let row = SessionRow(persistentIdentifier: session, lastActivated: UInt64(number + 1))
        rows.append(StoreChange(session: session, epoch: epoch, kind: .insert(row)))
        for turn in states.indices {
          let state = (0..<size).map { _ in UInt8(truncatingIfNeeded: random.next()) }
          let sealed = try unsafe store.seal(state.span.bytes, of: session, epoch: epoch)
          states[turn].append(StoreChange(session: session, epoch: epoch, kind: .save(sealed)))
        }
      }
      _ = try await store.commit(rows)
      for turn in states.indices { groups[turn].append(states[turn]) }
    }
    self.groups = groups[0] + groups[1]
    for states in groups[1] { _ = try await store.commit(states) }
  }

  func measure() async throws -> Reading {
    let stopwatch = Stopwatch(seconds: Scale.current.seconds * 2)
    return try await stopwatch.measure {
      let end = stopwatch.end
      var count = 0
      repeat {
        let refusals = try await store.store.commit(groups[count % groups.count])
        guard refusals.isEmpty else { throw BenchmarkFailure("states were refused") }
        count += 1
      } while !stopwatch.isOver(end)
      return count * Self.groupSize
    }
  }
}
