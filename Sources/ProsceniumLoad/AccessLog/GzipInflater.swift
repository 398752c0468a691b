// SPDX-License-Identifier: Apache-2.0

import CZlib
import ProsceniumJSON

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
    // 16 stands for the gzip format, 15 for the largest window.
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
