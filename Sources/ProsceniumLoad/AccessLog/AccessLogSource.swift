// SPDX-License-Identifier: Apache-2.0

import CZlib
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

/// Inflates gzip data in pieces, one member after another.
@safe struct GzipInflater: ~Copyable {
  /// The bytes that begin every member.
  static let magic: [UInt8] = [0x1F, 0x8B]

  private let file: String
  // On the heap: zlib keeps the address of its stream.
  private let stream: UnsafeMutablePointer<z_stream>
  private var input: [UInt8] = []
  private var consumed = 0
  // A member begins at the next byte, if there is one.
  private var isBetweenMembers = false

  // zlib may hold more than the last chunk had room for.
  private var hasPendingOutput = false

  /// Says whether all input so far has been inflated.
  var needsInput: Bool { consumed == input.count && !hasPendingOutput }

  /// Says whether the data may end here: after a whole member, with nothing behind it.
  var isAtMemberEnd: Bool { isBetweenMembers && consumed == input.count }

  init(file: String) throws(FileError) {
    self.file = file
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    // 16 means the gzip format, 15 for the largest window.
    let result = unsafe inflateInit2_(
      stream, 16 + MAX_WBITS, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size))
    if result != Z_OK {
      // A value that was never made has no end.
      unsafe stream.deallocate()
      throw Self.failure(result, nil, file)
    }
  }

  deinit {
    unsafe inflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// Takes the next compressed bytes; the earlier ones must have been used up.
  mutating func feed(_ bytes: [UInt8]) {
    input = bytes
    consumed = 0
  }

  /// Inflates up to 64 KiB; none where more input is needed.
  mutating func inflateChunk() throws(FileError) -> [UInt8] {
    if isBetweenMembers, try !beginMember() { return [] }
    var result = Z_OK
    let offset = consumed
    var left = 0
    let chunk = unsafe [UInt8](unsafeUninitializedCapacity: ByteFile.chunkSize) { output, count in
      unsafe input.withUnsafeMutableBufferPointer { input in
        unsafe stream.pointee.next_in = input.baseAddress?.advanced(by: offset)
        unsafe stream.pointee.avail_in = uInt(input.count - offset)
        unsafe stream.pointee.next_out = output.baseAddress
        unsafe stream.pointee.avail_out = uInt(ByteFile.chunkSize)
        result = unsafe inflate(stream, Z_NO_FLUSH)
        left = unsafe Int(stream.pointee.avail_in)
      }
      count = unsafe ByteFile.chunkSize - Int(stream.pointee.avail_out)
    }
    consumed = input.count - left
    hasPendingOutput = chunk.count == ByteFile.chunkSize
    switch result {
    case Z_OK, Z_BUF_ERROR: break
    case Z_STREAM_END:
      isBetweenMembers = true
      hasPendingOutput = false
    default:
      throw Self.failure(
        result, unsafe stream.pointee.msg.map { unsafe String(cString: $0) }, file)
    }
    return chunk
  }

  private static func failure(_ result: CInt, _ text: String?, _ file: String) -> FileError {
    if result == Z_MEM_ERROR {
      return FileError(.unreadable, file: file, "expected memory for inflating gzip data.")
    }
    return FileError(
      .damagedGzip, file: file, "expected sound gzip data: \(text ?? "zlib's error \(result)").")
  }

  // Skips the zeros with which some writers fill a block; anything else must be a member, and
  // zlib says so if it is none.
  private mutating func beginMember() throws(FileError) -> Bool {
    while consumed < input.count, input[consumed] == 0 { consumed += 1 }
    guard consumed < input.count else { return false }
    unsafe inflateReset(stream)
    isBetweenMembers = false
    return true
  }
}

/// Cuts chunks of text into lines, and stores no more of a line than its limit.
struct LineSplitter: Sendable {
  /// One line of the input, without its end (LF or CR LF).
  enum Line: Equatable, Sendable {
    case text(ArraySlice<UInt8>)
    /// A line over the limit, of which nothing is kept.
    case tooLong
  }

  private static let newline = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")

  private let limit: Int
  private var chunk: [UInt8] = []
  private var position = 0
  // The beginning of a line whose end is not in the chunk.
  private var beginning: [UInt8] = []
  private var isTooLong = false

  /// Makes a splitter; the limit is in bytes, without the line end.
  init(limit: Int) { self.limit = limit }

  /// Takes the next chunk; the earlier one must have been used up.
  mutating func feed(_ bytes: [UInt8]) {
    chunk = bytes
    position = 0
  }

  /// The next line that ends in what was fed; nil where more is needed.
  mutating func nextLine() -> Line? {
    guard let end = chunk[position...].firstIndex(of: Self.newline) else {
      keep(chunk[position...])
      position = chunk.count
      return nil
    }
    let rest = chunk[position..<end]
    position = end + 1
    if beginning.isEmpty, !isTooLong { return line(rest) }
    keep(rest)
    return takeBeginning()
  }

  /// The last line, if the input does not end with a line end.
  mutating func lastLine() -> Line? {
    beginning.isEmpty && !isTooLong ? nil : takeBeginning()
  }

  private mutating func keep(_ bytes: ArraySlice<UInt8>) {
    // One byte more than the limit, for a CR that belongs to the line end.
    if isTooLong || beginning.count + bytes.count > limit + 1 {
      isTooLong = true
      beginning = []
    } else {
      beginning += bytes
    }
  }

  private mutating func takeBeginning() -> Line {
    defer {
      beginning = []
      isTooLong = false
    }
    return isTooLong ? .tooLong : line(beginning[...])
  }

  private func line(_ bytes: ArraySlice<UInt8>) -> Line {
    let text = bytes.last == Self.carriageReturn ? bytes.dropLast() : bytes
    return text.count > limit ? .tooLong : .text(text)
  }
}
