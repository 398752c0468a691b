// SPDX-License-Identifier: Apache-2.0

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
