// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumSealing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Reads parts of a file that SQLite is not asked to read; closes it at its end.
///
/// Closing a file that SQLite locks, such as the database or the log's index, ends the locks of the
/// whole process: nothing else in the process may have the database open.
struct ReadOnlyFile: ~Copyable {
  private let path: String
  private let descriptor: CInt

  /// Opens a file, or returns `nil` if there is none.
  ///
  /// - Throws: `failed` if the system refuses.
  init?(_ path: String) throws(StoreError) {
    self.path = path
    descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    if descriptor >= 0 { return }
    if errno == ENOENT { return nil }
    throw Self.failure(path)
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Reads bytes from an offset on.
  ///
  /// - Returns: As many bytes as were asked for; fewer at the end of the file alone.
  /// - Throws: `failed` if the system refuses.
  func read(_ count: Int, at offset: Int) throws(StoreError) -> [UInt8] {
    var number: CInt = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let result = unsafe pread(
          descriptor, buffer.baseAddress?.advanced(by: filled), count - filled,
          off_t(offset + filled))
        if result < 0, errno == EINTR { continue }
        if result < 0 { number = errno }
        if result <= 0 { return }
        filled += result
      }
    }
    if number != 0 { throw Self.failure(path, number) }
    return bytes
  }

  /// The number of bytes of the file.
  ///
  /// - Throws: `failed` if the system refuses.
  func size() throws(StoreError) -> Int {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw Self.failure(path) }
    return Int(status.st_size)
  }

  private static func failure(_ path: String, _ number: CInt = errno) -> StoreError {
    StoreError(
      .failed, "\(path): expected a file that can be read: \(SystemError.text(number))")
  }
}
