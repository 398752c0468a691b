// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Foundation
import GRDB

/// What most programs would do: one row a session, replaced in transactions of 256.
struct UpsertRival {
  let path: String
  let sessions: Int

  /// Writes for some time; returns how many rows were replaced, and in how many seconds.
  func run(bytes: Int, seconds: Double, clock: ContinuousClock) throws -> (Int, Double) {
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { database in
      try database.execute(sql: "PRAGMA journal_mode = WAL")
      try database.execute(sql: "PRAGMA synchronous = FULL")
      try database.execute(
        sql: "CREATE TABLE snapshot (sid INTEGER PRIMARY KEY, state BLOB NOT NULL)")
    }
    var random = SplitMix64(seed: 1)
    var contents = Data(count: bytes)
    for index in contents.indices { contents[index] = UInt8(truncatingIfNeeded: random.next()) }
    let start = clock.now
    var count = 0
    var elapsed = 0.0
    while elapsed < seconds {
      try queue.write { database in
        let statement = try database.cachedStatement(
          sql: """
            INSERT INTO snapshot VALUES (?, ?) ON CONFLICT DO UPDATE SET state = excluded.state
            """)
        for _ in 0..<256 {
          // What does not change is not written.
          contents[0] = UInt8(truncatingIfNeeded: count)
          contents[1] = UInt8(truncatingIfNeeded: count >> 8)
          contents[2] = UInt8(truncatingIfNeeded: count >> 16)
          try statement.execute(arguments: [random.number(below: sessions), contents])
          count += 1
        }
      }
      elapsed = start.duration(to: clock.now) / .seconds(1)
    }
    try queue.close()
    return (count, elapsed)
  }
}
