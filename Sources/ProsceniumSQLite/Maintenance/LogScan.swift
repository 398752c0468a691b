// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// Looks for damage in the log of a database, which SQLite takes for the log's end.
///
/// SQLite recovers what stands before the first frame that does not have its checksum. After a
/// crash that is right: the rest was never committed. Where a bit flipped, or the file was cut off,
/// committed transactions are gone without a word, and sessions are as they were before. Two things
/// give it away: the log's index, which a crash leaves behind, says how many frames were committed
/// and synced; and a transaction that was begun after the end of another shows that the other was
/// on the disk. Damage to the last transaction of a log without its index is not found: a machine
/// that stopped may leave the same.
struct LogScan: ~Copyable {
  /// How many frames are read at once.
  private static let group = 32

  /// How often the end of a log that is being written is followed.
  private static let roundLimit = 64

  private let path: String
  private let file: ReadOnlyFile
  private let header: LogHeader
  private var buffer: [UInt8] = []
  /// The frames that are in the buffer.
  private var loaded = 0..<0
  /// How many frames follow one another from the first one on.
  private var sound = 0
  /// The checksum of the log up to there.
  private var chain: LogChecksum

  /// Looks at the log of a database that no process has open for writing.
  ///
  /// - Parameters:
  ///   - database: The path of the database.
  ///   - readsIndex: Whether the log's index is read, for which nothing in this process may have
  ///     the database open.
  /// - Returns: What is wrong, or `nil`.
  /// - Throws: `failed` if the system refuses to read.
  static func damage(
    in database: String, readsIndex: Bool
  ) throws(StoreError) -> StoreError? {
    let path = database + "-wal"
    let index = readsIndex ? try Self.index(of: database) : nil
    let file = try ReadOnlyFile(path)
    let start = try file?.read(LogHeader.size, at: 0) ?? []
    guard let header = unsafe LogHeader(start.span.bytes), let file else {
      // The header is written at once, before any frame; the log is cut off when it is not needed.
      if start.count < LogHeader.size, index?.isCheckpointed ?? true { return nil }
      return StoreError(
        .damaged,
        "\(path): expected the log's header, found \(start.count) bytes that are none:"
          + " what was committed last is lost.")
    }
    var scan = LogScan(path, file, header)
    let expected = index.flatMap { $0.salt == header.salt ? $0.frames : nil }
    return try scan.damage(expecting: expected ?? 0)
  }

  /// Follows the log to its end, also while it is being written.
  private mutating func damage(expecting expected: Int) throws(StoreError) -> StoreError? {
    for _ in 0..<Self.roundLimit {
      let before = sound
      try follow()
      if sound < expected { return error("expected \(expected) frames that follow one another") }
      guard try hasLostCommit() else { return nil }
      // A frame that was being written when it was read is sound by now.
      buffer = []
      loaded = 0..<0
      let start = try file.read(LogHeader.size, at: 0)
      guard let current = unsafe LogHeader(start.span.bytes), current.salt == header.salt else {
        // The log began anew: what it held is in the database.
        return nil
      }
      if before == sound { return error("expected frames that follow one another") }
    }
    return nil
  }

  private static func index(of database: String) throws(StoreError) -> LogIndex? {
    guard let file = try ReadOnlyFile(database + "-shm") else { return nil }
    let start = try file.read(LogIndex.size, at: 0)
    return unsafe LogIndex(start.span.bytes)
  }

  private init(_ path: String, _ file: consuming ReadOnlyFile, _ header: LogHeader) {
    self.path = path
    self.file = file
    self.header = header
    chain = header.checksum
  }

  /// Goes on from the last frame that followed its predecessor to the last that does.
  private mutating func follow() throws(StoreError) {
    while let next = try checksums(of: sound, after: chain), next.found == next.named,
      next.frame.salt == header.salt
    {
      chain = next.named
      sound += 1
    }
  }

  /// Whether frames behind the sound ones show that a transaction was committed there.
  ///
  /// A transaction is begun when the one before it is on the disk. So a frame that continues one
  /// that ends a transaction shows that all before it was committed. Of the last transaction
  /// nothing is known: a machine that stops may leave its end without its beginning; and a process
  /// that is killed may leave a frame's head without its page, which stays when the next process
  /// writes less there. What an earlier log left in the file has another salt.
  private mutating func hasLostCommit() throws(StoreError) -> Bool {
    var index = sound
    var chain = chain
    var isUnbroken = true
    var hasEnded = false
    while let next = try checksums(of: index, after: chain) {
      let isWhole = next.found == next.named
      let belongs = next.frame.salt == header.salt
      if hasEnded, isWhole, belongs { return true }
      // The checksum leaves out the salt: frames of which only that has flipped fit all the same.
      isUnbroken = isUnbroken && isWhole
      if isUnbroken, next.frame.isCommit { return true }
      hasEnded = belongs && next.frame.isCommit
      index += 1
      chain = next.named
    }
    return false
  }

  /// What a frame is, the checksum that it should have and the one that it names; `nil` where the
  /// file ends.
  private mutating func checksums(
    of index: Int, after chain: LogChecksum
  ) throws(StoreError) -> (frame: LogFrame, found: LogChecksum, named: LogChecksum)? {
    if !loaded.contains(index) {
      buffer = try file.read(
        Self.group * header.frameSize, at: LogHeader.size + index * header.frameSize)
      loaded = index..<index + buffer.count / header.frameSize
      if loaded.isEmpty { return nil }
    }
    let offset = (index - loaded.lowerBound) * header.frameSize
    let bytes = unsafe buffer.span.bytes.extracting(offset..<offset + header.frameSize)
    let frame = LogFrame(bytes)
    let found = LogFrame.checksum(of: bytes, after: chain, isBigEndian: header.isBigEndian)
    return (frame, found, frame.checksum)
  }

  private func error(_ expectation: String) -> StoreError {
    StoreError(
      .damaged,
      "\(path): \(expectation), found damage in the \(sound + 1). at byte"
        + " \(LogHeader.size + sound * header.frameSize): what was committed from there on is lost."
    )
  }
}
