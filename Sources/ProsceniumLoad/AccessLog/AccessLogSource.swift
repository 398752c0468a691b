// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON

/// Yields the text of a log in chunks, whether it is stored plain or compressed by gzip.
struct AccessLogSource: ~Copyable {
  /// The number of bytes read from the file so far, compressed where the file is.
  private(set) var bytesRead = 0
  /// The size of the file in bytes; nil where it is none, as of a pipe.
  let size: Int?

  // A file ends, however long a run of NUL bytes it has; a device may give them for ever.
  private static let pipeLimit = 16 * 1_048_576
  // Other compressors, so that the message can name what to do away with.
  private static let foreignFormats: [(name: String, magic: [UInt8])] = [
    ("xz", [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]),
    ("zstd", [0x28, 0xB5, 0x2F, 0xFD]), ("zip", [0x50, 0x4B, 0x03, 0x04]),
  ]

  private let file: ByteFile
  private var pending: [UInt8]
  private var inflater: GzipInflater?
  private var isAtFileEnd = false

  init(path: String) throws(FileError) {
    let file = try ByteFile(reading: path)
    let size = try file.size()
    // A pipe may give a single byte, which does not tell the format.
    var beginning = try file.read()
    while !beginning.isEmpty, beginning.count < 6 {
      let more = try file.read()
      if more.isEmpty { break }
      beginning += more
    }
    if let (name, _) = Self.foreignFormats.first(where: { beginning.starts(with: $0.magic) }) {
      throw FileError(
        .notALog, file: path, "expected text or gzip, found data compressed by \(name).")
    }
    inflater = try Self.inflater(for: beginning, path)
    pending = inflater == nil ? beginning : []
    bytesRead = beginning.count
    self.file = file
    self.size = size
  }

  private static func inflater(
    for beginning: [UInt8], _ path: String
  ) throws(FileError) -> GzipInflater? {
    guard beginning.starts(with: GzipInflater.magic) else { return nil }
    var inflater = try GzipInflater(file: path)
    inflater.feed(beginning)
    return inflater
  }

  /// The first bytes of text, without a byte order mark.
  ///
  /// - Parameter content: What the file is expected to hold, for the error.
  /// - Returns: The bytes; none if the file has none.
  /// - Throws: As ``chunk()``, and `.notALog` for NUL bytes, as binary files have, and no request
  ///   among the first 64 KiB of others; of a pipe or a device, among its first 16 MiB.
  mutating func firstChunk(expecting content: String) throws(FileError) -> [UInt8] {
    var first = try chunk()
    if first.contains(0) { first = try text(around: first, expecting: content) }
    let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    if first.starts(with: byteOrderMark) { first.removeFirst(byteOrderMark.count) }
    return first
  }

  // A loss of power leaves NUL bytes, and so does a log that is truncated while its server writes:
  // up to gigabytes of them. A run of them is given as one byte.
  private mutating func text(
    around first: [UInt8], expecting content: String
  ) throws(FileError) -> [UInt8] {
    var splitter = LineSplitter(limit: AccessLogReader.lineLimit)
    var text: [UInt8] = []
    var piece = first
    while !piece.isEmpty {
      let start = text.count
      for byte in piece where byte != 0 || text.last != 0 { text.append(byte) }
      splitter.feed(Array(text[start...]))
      while let line = splitter.nextLine() { if line.isRequest { return text } }
      let isOver = size == nil && bytesRead >= Self.pipeLimit
      piece = text.count < ByteFile.chunkSize && !isOver ? try chunk() : []
    }
    if splitter.lastLine()?.isRequest == true { return text }
    throw FileError(
      .notALog, file: file.name,
      "expected \(content), found binary data (NUL bytes, and no request among them).")
  }

  /// The next bytes of text; none at the end.
  mutating func chunk() throws(FileError) -> [UInt8] {
    if inflater == nil {
      defer { pending = [] }
      return pending.isEmpty ? try readFile() : pending
    }
    while true {
      let inflated = try inflater?.inflateChunk() ?? []
      if !inflated.isEmpty { return inflated }
      if inflater?.needsInput == false { continue }
      let compressed = try readFile()
      if compressed.isEmpty {
        if inflater?.isAtMemberEnd == true { return [] }
        throw FileError(
          .truncatedGzip, file: file.name,
          "expected more gzip data after \(bytesRead) bytes: the file is truncated.")
      }
      inflater?.feed(compressed)
    }
  }

  private mutating func readFile() throws(FileError) -> [UInt8] {
    // A terminal could be read again after its end.
    if isAtFileEnd { return [] }
    let bytes = try file.read()
    bytesRead += bytes.count
    isAtFileEnd = bytes.isEmpty
    return bytes
  }
}

extension LineSplitter.Line {
  fileprivate var isRequest: Bool {
    guard case .text(let bytes) = self else { return false }
    return (try? AccessLogLine(parsing: bytes)) != nil
  }
}
