// SPDX-License-Identifier: Apache-2.0

/// Yields the text of a log in chunks, whether it is stored plain or compressed by gzip.
struct AccessLogSource: ~Copyable {
  /// The number of bytes read from the file so far, compressed where the file is.
  private(set) var bytesRead = 0
  /// The size of the file in bytes; nil where it is none, as of a pipe.
  let size: Int?

  // A file ends, however long a run of NUL bytes it has; a device may give them for ever.
  private static let pipeLimit = 16 * 1_048_576

  private let path: String
  private let file: ByteFile
  private var pending: [UInt8]
  private var inflater: GzipInflater?
  private var isAtFileEnd = false

  init(path: String) throws(InputError) {
    let file = try Self.open(path)
    let (size, beginning) = try Self.beginning(of: file, path)
    inflater = try Self.inflater(for: beginning, path)
    self.path = path
    self.file = file
    self.size = size
    bytesRead = beginning.count
    pending = inflater == nil ? beginning : []
  }

  /// The first bytes of text, without a byte order mark.
  ///
  /// - Parameter content: What the file is expected to hold, for the error.
  /// - Returns: The bytes; none if the file has none.
  /// - Throws: As ``chunk()``, and `.notALog` for NUL bytes, as binary files have, and no request
  ///   among the first 64 KiB of others; of a pipe or a device, among its first 16 MiB.
  mutating func firstChunk(expecting content: String) throws(InputError) -> [UInt8] {
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
  ) throws(InputError) -> [UInt8] {
    var splitter = LineSplitter(limit: AccessLogReader.lineLimit)
    var text: [UInt8] = []
    var piece = first
    while !piece.isEmpty {
      let start = text.count
      var rest = text.last == 0 ? piece.drop { $0 == 0 } : piece[...]
      while let place = rest.firstIndex(of: 0) {
        text += rest[...place]
        rest = rest[place...].drop { $0 == 0 }
      }
      text += rest
      splitter.feed(Array(text[start...]))
      while let line = splitter.nextLine() { if line.isRequest { return text } }
      let isOver = size == nil && bytesRead >= Self.pipeLimit
      piece = text.count < ByteFile.chunkSize && !isOver ? try chunk() : []
    }
    if splitter.lastLine()?.isRequest == true { return text }
    throw InputError(
      .notALog, path: path,
      message: "expected \(content), found binary data (NUL bytes, and no request among them).")
  }

  /// The next bytes of text; none at the end.
  mutating func chunk() throws(InputError) -> [UInt8] {
    if inflater == nil {
      if pending.isEmpty { return try readFile() }
      defer { pending = [] }
      return pending
    }
    while true {
      let inflated = try inflate()
      if !inflated.isEmpty { return inflated }
      if inflater?.needsInput == false { continue }
      let compressed = try readFile()
      if compressed.isEmpty {
        if inflater?.isAtMemberEnd == true { return [] }
        throw InputError(
          .truncatedGzip, path: path,
          message: "expected more gzip data after \(bytesRead) bytes: the file is truncated.")
      }
      inflater?.feed(compressed)
    }
  }

  private mutating func inflate() throws(InputError) -> [UInt8] {
    do {
      return try inflater?.inflateChunk() ?? []
    } catch {
      throw Self.error(error, path)
    }
  }

  private mutating func readFile() throws(InputError) -> [UInt8] {
    if isAtFileEnd { return [] }
    do {
      let bytes = try file.read()
      bytesRead += bytes.count
      // A terminal could be read again after its end.
      isAtFileEnd = bytes.isEmpty
      return bytes
    } catch {
      throw FileContents.error(error, path)
    }
  }

  // MARK: - Opening

  private static func open(_ path: String) throws(InputError) -> ByteFile {
    do {
      return try ByteFile(reading: path)
    } catch {
      throw FileContents.error(error, path)
    }
  }

  private static func beginning(
    of file: borrowing ByteFile, _ path: String
  ) throws(InputError) -> (size: Int?, bytes: [UInt8]) {
    do {
      return (try file.size(), try beginning(of: file))
    } catch {
      throw FileContents.error(error, path)
    }
  }

  // A pipe may give a single byte, which does not tell the format.
  private static func beginning(of file: borrowing ByteFile) throws(SystemFailure) -> [UInt8] {
    var bytes = try file.read()
    while !bytes.isEmpty, bytes.count < 6 {
      let more = try file.read()
      if more.isEmpty { break }
      bytes += more
    }
    return bytes
  }

  private static func inflater(
    for beginning: [UInt8], _ path: String
  ) throws(InputError) -> GzipInflater? {
    if let format = foreignFormat(beginning) {
      throw InputError(
        .notALog, path: path, message: "expected text or gzip, found data compressed by \(format).")
    }
    guard beginning.starts(with: GzipInflater.magic) else { return nil }
    do {
      var inflater = try GzipInflater()
      inflater.feed(beginning)
      return inflater
    } catch {
      throw Self.error(error, path)
    }
  }

  // MARK: - Errors

  private static func error(_ failure: GzipInflater.Failure, _ path: String) -> InputError {
    switch failure {
    case .damaged(let text):
      InputError(.damagedGzip, path: path, message: "expected sound gzip data: \(text).")
    case .noMemory:
      InputError(.unreadable, path: path, message: "expected memory for inflating gzip data.")
    }
  }

  // Other compressors, so that the message can name what to do away with.
  private static func foreignFormat(_ bytes: [UInt8]) -> String? {
    let magics: [(name: String, bytes: [UInt8])] = [
      ("xz", [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]),
      ("zstd", [0x28, 0xB5, 0x2F, 0xFD]), ("zip", [0x50, 0x4B, 0x03, 0x04]),
    ]
    return magics.first { bytes.starts(with: $0.bytes) }?.name
  }
}

extension LineSplitter.Line {
  fileprivate var isRequest: Bool {
    guard case .text(let bytes) = self else { return false }
    return (try? AccessLogLine(parsing: bytes)) != nil
  }
}
