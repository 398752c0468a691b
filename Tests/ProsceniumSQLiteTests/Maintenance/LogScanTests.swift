// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Foundation
import CSQLite
import Proscenium
@testable import ProsceniumSQLite
import Testing

@Suite struct LogScanTests {
  /// The files of a database as a crash leaves them: the log has not reached the database.
  private struct Crashed {
    let folder: TemporaryFolder
    let path: String
    let log: Bytes
    /// Where frames begin.
    let frames: [Int]

    // The index is taken after so many transactions, or after all.
    init(transactions: Int = 6, keepsIndex: Bool, indexed: Int? = nil) throws {
      folder = try TemporaryFolder()
      path = folder.path("s")
      let running = folder.path("running")
      var connection: OpaquePointer?
      #expect(unsafe sqlite3_open(running, &connection) == SQLITE_OK)
      defer { unsafe sqlite3_close(connection) }
      var statements = ["PRAGMA page_size = 512", "PRAGMA journal_mode = WAL"]
      statements += ["PRAGMA synchronous = FULL", "CREATE TABLE t(a)"]
      for statement in statements {
        #expect(unsafe sqlite3_exec(connection, statement, nil, nil, nil) == SQLITE_OK)
      }
      for transaction in 0..<transactions {
        let statement = "INSERT INTO t VALUES (zeroblob(\(700 + transaction)))"
        #expect(unsafe sqlite3_exec(connection, statement, nil, nil, nil) == SQLITE_OK)
        if keepsIndex, transaction == (indexed ?? transactions) - 1 {
          try FileManager.default.copyItem(atPath: running + "-shm", toPath: path + "-shm")
        }
      }
      for suffix in ["", "-wal"] {
        try FileManager.default.copyItem(atPath: running + suffix, toPath: path + suffix)
      }
      log = Bytes(try Data(contentsOf: URL(fileURLWithPath: path + "-wal")))
      frames = Array(stride(from: 32, to: log.count, by: 24 + 512))
    }

    /// The place of the frame after the last but one that ends a transaction.
    var firstFrameOfLastTransaction: Int? {
      let ends = frames.indices.filter { log[frames[$0] + 4..<frames[$0] + 8] != [0, 0, 0, 0] }
      return ends.dropLast().last.map { $0 + 1 }
    }

    func writeLog(_ bytes: some Collection<UInt8>) throws {
      try Data(bytes).write(to: URL(fileURLWithPath: path + "-wal"))
    }

    func damage(readsIndex: Bool = true) throws(StoreError) -> StoreError? {
      try LogScan.damage(in: path, readsIndex: readsIndex)
    }

    /// Whether SQLite finds all rows.
    func hasAllRows(_ transactions: Int = 6) -> Bool {
      var connection: OpaquePointer?
      defer { unsafe sqlite3_close(connection) }
      guard unsafe sqlite3_open(path, &connection) == SQLITE_OK else { return false }
      var statement: OpaquePointer?
      defer { unsafe sqlite3_finalize(statement) }
      unsafe sqlite3_prepare_v2(connection, "SELECT count(*) FROM t", -1, &statement, nil)
      return unsafe sqlite3_step(statement) == SQLITE_ROW
        && sqlite3_column_int(statement, 0) == CInt(transactions)
    }
  }

  @Test(arguments: [true, false])
  func `a log that a crash left is sound`(keepsIndex: Bool) throws {
    let crashed = try Crashed(keepsIndex: keepsIndex)
    #expect(crashed.frames.count > 12)
    #expect(try crashed.damage() == nil)
    #expect(try crashed.damage(readsIndex: false) == nil)
    #expect(crashed.hasAllRows())
  }

  @Test func `a database without a log is sound`() throws {
    let folder = try TemporaryFolder()
    #expect(try LogScan.damage(in: folder.path("s"), readsIndex: true) == nil)
    _ = try folder.file("t-wal", [])
    #expect(try LogScan.damage(in: folder.path("t"), readsIndex: true) == nil)
  }

  @Test(arguments: [true, false])
  func `a bit that flips anywhere in the log is reported`(keepsIndex: Bool) throws {
    let crashed = try Crashed(keepsIndex: keepsIndex)
    var generator = SplitMix64(seed: keepsIndex ? 1 : 2)
    var bits = (0..<150).map { _ in Int.random(in: 0..<(8 * crashed.log.count), using: &generator) }
    bits += (0..<(8 * 32))
    let last = try #require(crashed.firstFrameOfLastTransaction)
    bits += (0..<(8 * 24)).map { 8 * crashed.frames[last] + $0 }
    for bit in bits {
      var log = crashed.log
      log[bit / 8] ^= 1 << (bit % 8)
      try crashed.writeLog(log)
      // Without the index, a last transaction that is damaged looks like one that a crash ended,
      // and so does the end of the one before; salts that flipped do not, since all else fits.
      let frame = crashed.frames.lastIndex { $0 <= bit / 8 } ?? 0
      let isSalt = (8..<16).contains(bit / 8 - crashed.frames[frame])
      let isEndBefore = frame == last - 1 && bit / 8 - crashed.frames[frame] < 24
      if frame >= last || isEndBefore, !isSalt, !keepsIndex { continue }
      let damage = try crashed.damage()
      #expect(damage?.code == .damaged, "bit \(bit)")
      let sound = crashed.frames.firstIndex { bit / 8 < $0 } ?? crashed.frames.count
      if bit / 8 >= 32 {
        let place = "found damage in the \(sound). at byte \(crashed.frames[sound - 1])"
        #expect(
          damage?.message.contains(place) == true, "bit \(bit): \(String(describing: damage))")
      }
    }
  }

  @Test func `with the index, every truncation of the log is reported`() throws {
    let crashed = try Crashed(keepsIndex: true)
    for end in crashed.frames + [0, 1, 31, crashed.log.count - 1] {
      try crashed.writeLog(crashed.log.prefix(end))
      #expect(try crashed.damage()?.code == .damaged, "\(end) bytes")
    }
    try FileManager.default.removeItem(atPath: crashed.path + "-wal")
    #expect(try crashed.damage()?.code == .damaged)
  }

  @Test(arguments: [true, false])
  func `a transaction that a crash ended is no damage`(keepsIndex: Bool) throws {
    let crashed = try Crashed(keepsIndex: keepsIndex)
    let frame = Array(crashed.log.suffix(24 + 512))
    // Frames of a transaction that has not ended: the number of pages behind it is zero.
    for count in [24, 100, 24 + 512, 900, 3 * (24 + 512)] {
      var unfinished = frame + frame + frame
      for start in [4, 540, 1_076] {
        unfinished.replaceSubrange(start..<start + 4, with: [0, 0, 0, 0])
      }
      try crashed.writeLog(crashed.log + unfinished.prefix(count))
      #expect(try crashed.damage() == nil, "\(count) bytes")
    }
    #expect(crashed.hasAllRows())
  }

  @Test(arguments: [true, false])
  func `a frame with the page of an earlier log is no damage`(keepsIndex: Bool) throws {
    let crashed = try Crashed(keepsIndex: keepsIndex)
    var old = crashed.log.dropFirst(32)
    for frame in crashed.frames { old[frame + 8] ^= 1 }
    // A transaction of one frame was being written where an earlier log is in the file: its
    // head says that it ends there, and its page did not come.
    let head = crashed.log[(crashed.log.count - 536)..<(crashed.log.count - 512)]
    #expect(head[head.startIndex + 7] != 0)
    old.replaceSubrange(old.startIndex..<old.startIndex + 24, with: head)
    try crashed.writeLog(crashed.log + old)
    #expect(try crashed.damage() == nil)
    #expect(crashed.hasAllRows())
  }

  /// A process was killed between the head and the page of a transaction's last frame, where an
  /// earlier log stood in the file; the next one wrote a shorter transaction over the beginning.
  @Test(arguments: [true, false])
  func `the last head of a transaction that a crash ended is no damage`(keepsIndex: Bool) throws {
    let crashed = try Crashed(keepsIndex: keepsIndex)
    let last = Array(crashed.log.suffix(24 + 512))
    var inner = last
    inner.replaceSubrange(4..<8, with: [0, 0, 0, 0])
    let torn = last.prefix(24) + Bytes(repeating: 0xA5, count: 512)
    try crashed.writeLog(crashed.log + inner + inner + torn)
    #expect(try crashed.damage() == nil)
    #expect(crashed.hasAllRows())
  }

  /// A machine may stop when a transaction's end is on the disk and its beginning is not.
  @Test(arguments: [true, false])
  func `a last transaction without its beginning is no damage`(keepsIndex: Bool) throws {
    let crashed = try Crashed(transactions: 7, keepsIndex: keepsIndex, indexed: 6)
    let first = try #require(crashed.firstFrameOfLastTransaction)
    #expect(first < crashed.frames.count - 1)
    var log = crashed.log
    log.replaceSubrange(
      crashed.frames[first]..<crashed.frames[first] + 536, with: Bytes(repeating: 0, count: 536))
    try crashed.writeLog(log)
    #expect(try crashed.damage() == nil)
    #expect(crashed.hasAllRows(6))
  }

  @Test(arguments: [true, false])
  func `what an earlier log left in the file is no damage`(keepsIndex: Bool) throws {
    let crashed = try Crashed(keepsIndex: keepsIndex)
    var old = crashed.log.dropFirst(32)
    for frame in crashed.frames { old[frame + 8] ^= 1 }
    try crashed.writeLog(crashed.log + old)
    #expect(try crashed.damage() == nil)
    #expect(crashed.hasAllRows())
  }

  @Test(arguments: 1...200)
  func `any bytes in place of log and index are judged without a trap`(seed: UInt64) throws {
    let crashed = try Crashed(transactions: 2, keepsIndex: true)
    var generator = SplitMix64(seed: seed)
    var log = crashed.log.prefix(Int.random(in: 0...crashed.log.count, using: &generator))
    for _ in 0..<3 where !log.isEmpty {
      log[Int.random(in: 0..<log.count, using: &generator)] = .random(
        in: 0...255, using: &generator)
    }
    try crashed.writeLog(Bool.random(using: &generator) ? Bytes(log) : .drawn(700, &generator))
    if seed % 3 == 0 {
      let index = Bytes.drawn(Int.random(in: 0...200, using: &generator), &generator)
      try Data(index).write(to: URL(fileURLWithPath: crashed.path + "-shm"))
    }
    _ = try crashed.damage()
  }
}
