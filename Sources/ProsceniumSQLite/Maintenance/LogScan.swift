// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// Looks for damage in the log of a database, which SQLite takes for the log's end.
///
/// SQLite recovers what stands before the first frame that does not have its checksum. After a
/// crash that is right: the rest was never committed. Where a bit flipped, or the file was cut off,
/// committed transactions are gone without a word, and sessions are as they were before. The log's
/// index, which is left behind by a crash, says how many frames were committed and synced. Without
/// it, a frame that ends a transaction behind the damaged one gives it away.
struct LogScan: ~Copyable {
  /// How many frames are read at once.
  private static let group = 32

  private let path: String
  private let file: ReadOnlyFile
  private let header: LogHeader
  private var buffer: [UInt8] = []
  /// The frames that are in the buffer.
  private var loaded = 0..<0

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
    guard let file = try ReadOnlyFile(path) else { return nil }
    let index = readsIndex ? try Self.index(of: database) : nil
    let start = try file.read(LogHeader.size, at: 0)
    guard let header = unsafe LogHeader(start.span.bytes) else {
      // The first bytes of a log are written at once, before any frame.
      if start.count < LogHeader.size, (index?.frames ?? 0) == 0 { return nil }
      return StoreError(
        .damaged,
        "\(path): expected the log's header, found \(start.count) bytes that are none:"
          + " what was committed last is lost.")
    }
    var scan = LogScan(path, file, header)
    let (frames, chain) = try scan.soundFrames()
    if let index, index.salt == header.salt {
      return frames >= index.frames ? nil : scan.error(frames, of: index.frames)
    }
    return try scan.hasCommit(behind: frames, chain) ? scan.error(frames, of: nil) : nil
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
  }

  /// How many frames follow one another without a gap from the first one on, and their checksum.
  private mutating func soundFrames() throws(StoreError) -> (Int, LogChecksum) {
    var count = 0
    var chain = header.checksum
    while let next = try checksums(of: count, after: chain), next.found == next.named,
      next.frame.salt == header.salt
    {
      chain = next.named
      count += 1
    }
    return (count, chain)
  }

  /// Whether a transaction ends behind the sound frames, so that it was written as a whole.
  ///
  /// What an earlier log left in the file has another salt. What is left of a transaction that a
  /// crash ended has no last frame.
  private mutating func hasCommit(
    behind count: Int, _ chain: LogChecksum
  ) throws(StoreError) -> Bool {
    var index = count
    var chain = chain
    while let next = try checksums(of: index, after: chain) {
      // The checksum leaves out the salt: one that flipped is found by the chain.
      let belongs = next.frame.salt == header.salt || index == count && next.found == next.named
      if belongs, next.frame.isCommit { return true }
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

  private func error(_ sound: Int, of all: Int?) -> StoreError {
    let expected = all.map { "\($0) frames" } ?? "frames"
    return StoreError(
      .damaged,
      "\(path): expected \(expected) that follow one another, found damage in the"
        + " \(sound + 1). at byte \(LogHeader.size + sound * header.frameSize): what was committed"
        + " from there on is lost.")
  }
}
