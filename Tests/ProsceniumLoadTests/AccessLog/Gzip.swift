// SPDX-License-Identifier: Apache-2.0

import CZlib

/// Makes compressed input for the reader.
enum Gzip {
  /// Compresses a text to one gzip member.
  static func member(_ bytes: [UInt8]) -> [UInt8] {
    var input = bytes
    var output = [UInt8](repeating: 0, count: bytes.count + bytes.count / 100 + 1_024)
    let count = unsafe input.withUnsafeMutableBufferPointer { input in
      unsafe output.withUnsafeMutableBufferPointer { output in
        var stream = unsafe z_stream()
        unsafe deflateInit2_(
          &stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
          CInt(MemoryLayout<z_stream>.size))
        defer { unsafe deflateEnd(&stream) }
        unsafe stream.next_in = input.baseAddress
        unsafe stream.avail_in = uInt(input.count)
        unsafe stream.next_out = output.baseAddress
        unsafe stream.avail_out = uInt(output.count)
        unsafe deflate(&stream, Z_FINISH)
        return unsafe Int(stream.total_out)
      }
    }
    return Array(output.prefix(count))
  }

  static func member(_ text: String) -> [UInt8] { member(Array(text.utf8)) }
}
