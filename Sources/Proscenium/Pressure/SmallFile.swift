// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A file of the system that says a few numbers.
enum SmallFile {
  /// How many bytes are read of it.
  private static let byteLimit = 16_384

  /// The beginning of a file's text, or `nil` if it cannot be read.
  static func text(_ path: String) -> String? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    if descriptor < 0 { return nil }
    defer { close(descriptor) }
    var isRead = true
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: byteLimit) { buffer, count in
      while count < buffer.count {
        let result = unsafe read(
          descriptor, buffer.baseAddress?.advanced(by: count), buffer.count - count)
        if result < 0, errno == EINTR { continue }
        if result < 0 { isRead = false }
        if result <= 0 { return }
        count += result
      }
    }
    return isRead ? String(decoding: bytes, as: UTF8.self) : nil
  }
}
