// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// Looks for damage in the log of a database, which SQLite takes for the log's end.
///
/// SQLite recovers what is before the first frame that does not have its checksum. After a
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
        // The log began again: what it held is in the database.
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

/// The running checksum of SQLite's write-ahead log.
struct LogChecksum: Equatable {
  var first: UInt32 = 0
  var second: UInt32 = 0

  /// Adds a multiple of eight bytes, as words in the order that the log's header names.
  mutating func add(_ bytes: RawSpan, isBigEndian: Bool) {
    var (first, second) = (first, second)
    var offset = 0
    while offset + 8 <= bytes.byteCount {
      let low = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self)
      let high = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
      first &+= (isBigEndian ? low.bigEndian : low.littleEndian) &+ second
      second &+= (isBigEndian ? high.bigEndian : high.littleEndian) &+ first
      offset += 8
    }
    (self.first, self.second) = (first, second)
  }
}

/// The 32 bytes at the beginning of a log.
struct LogHeader {
  /// The number of bytes.
  static let size = 32

  let pageSize: Int
  let isBigEndian: Bool
  /// Two words that the frames of this log have, and those of earlier ones in the file do not.
  let salt: UInt64
  let checksum: LogChecksum

  /// The number of bytes of a frame.
  var frameSize: Int { LogFrame.headerSize + pageSize }

  /// Reads a header, or returns `nil` if it does not have its checksum.
  init?(_ bytes: RawSpan) {
    guard bytes.byteCount >= Self.size else { return nil }
    let magic = bytes.word(0)
    pageSize = Int(bytes.word(8))
    guard magic & ~1 == 0x377F_0682, pageSize >= 512, pageSize <= 65_536,
      pageSize & (pageSize - 1) == 0
    else { return nil }
    isBigEndian = magic & 1 == 1
    salt = bytes.pair(16)
    var sum = LogChecksum()
    sum.add(bytes.extracting(0..<24), isBigEndian: isBigEndian)
    checksum = sum
    guard sum == LogChecksum(first: bytes.word(24), second: bytes.word(28)) else {
      return nil
    }
  }
}

/// The 24 bytes before a page in a log, and the page.
struct LogFrame {
  /// The number of bytes of a frame before its page.
  static let headerSize = 24

  /// Whether a transaction ends with the frame.
  let isCommit: Bool
  let salt: UInt64
  /// The checksum that the frame names, of the log up to here.
  let checksum: LogChecksum

  /// Reads a frame's header.
  init(_ bytes: RawSpan) {
    isCommit = bytes.word(4) != 0
    salt = bytes.pair(8)
    checksum = LogChecksum(first: bytes.word(16), second: bytes.word(20))
  }

  /// The checksum that a frame has which follows another.
  static func checksum(
    of bytes: RawSpan, after previous: LogChecksum, isBigEndian: Bool
  ) -> LogChecksum {
    var sum = previous
    sum.add(bytes.extracting(0..<8), isBigEndian: isBigEndian)
    sum.add(bytes.extracting(headerSize..<bytes.byteCount), isBigEndian: isBigEndian)
    return sum
  }
}

/// What the log's index says: the state that its last user left, in the machine's byte order.
struct LogIndex {
  /// The number of bytes that are read: the header, twice, and how far the last checkpoint came.
  static let size = 100

  /// How many frames were committed and synced.
  let frames: Int
  /// Whether the database has them all.
  let isCheckpointed: Bool
  let salt: UInt64

  /// Reads the header, or returns `nil` if it was not complete or says nothing.
  init?(_ bytes: RawSpan) {
    guard bytes.byteCount >= Self.size else { return nil }
    for offset in stride(from: 0, to: 48, by: 8)
    where bytes.pair(offset) != bytes.pair(48 + offset) { return nil }
    let isBigEndian = UInt16(bigEndian: 1) == 1
    var sum = LogChecksum()
    sum.add(bytes.extracting(0..<40), isBigEndian: isBigEndian)
    let named = LogChecksum(first: bytes.native(40), second: bytes.native(44))
    let isInitialized = unsafe bytes.unsafeLoad(fromByteOffset: 12, as: UInt8.self) == 1
    guard sum == named, isInitialized else { return nil }
    frames = Int(bytes.native(16))
    isCheckpointed = Int(bytes.native(96)) >= frames
    salt = bytes.pair(32)
  }
}

extension RawSpan {
  /// A word that the log keeps most significant byte first.
  fileprivate func word(_ offset: Int) -> UInt32 { native(offset).bigEndian }

  /// A word in the machine's byte order.
  fileprivate func native(_ offset: Int) -> UInt32 {
    unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self)
  }

  /// Two words that are only compared.
  fileprivate func pair(_ offset: Int) -> UInt64 {
    unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
  }
}
