// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A small file that only its owner can read.
struct KeyFile {
  /// The largest size in bytes, more than two keys need.
  static let byteLimit = 256

  let path: String

  /// Reads the whole file, or returns `nil` if there is none.
  ///
  /// - Throws: `keyUnavailable` if it is no ordinary file of the process's user with the mode 0600
  ///   or a stricter one, or too large; `failed` if the system refuses.
  func read() throws(SealingError) -> [UInt8]? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    if descriptor < 0 {
      if errno == ENOENT { return nil }
      throw failure()
    }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw failure() }
    try check(status)
    var number: CInt = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: Self.byteLimit + 1) { buffer, count in
      while count < buffer.count {
        let result = unsafe systemRead(
          descriptor, buffer.baseAddress?.advanced(by: count), buffer.count - count)
        if result < 0, errno == EINTR { continue }
        if result < 0 { number = errno }
        if result <= 0 { return }
        count += result
      }
    }
    if number != 0 { throw failure(number) }
    guard bytes.count <= Self.byteLimit else {
      throw refusal("a file of at most \(Self.byteLimit) bytes, found a larger one.")
    }
    return bytes
  }

  private func check(_ status: stat) throws(SealingError) {
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw refusal("an ordinary file, found a directory or a device.")
    }
    guard status.st_uid == geteuid() else {
      throw refusal("a file of the user \(geteuid()), found one of the user \(status.st_uid).")
    }
    guard status.st_mode & 0o077 == 0 else {
      let mode = String(status.st_mode & 0o7777, radix: 8)
      throw refusal("the mode 0600, found 0\(mode): use chmod 600.")
    }
  }

  /// Makes the file, unless there is one by then, and returns when it is on the disk.
  ///
  /// The name always leads to a whole key, and of two that make it at once the second yields.
  ///
  /// - Throws: `full` or `failed` if the system refuses.
  func create(_ bytes: [UInt8]) throws(SealingError) {
    let file = try NewFile(path)
    try file.write(bytes)
    _ = try file.finish()
  }

  private func refusal(_ text: String) -> SealingError {
    SealingError(.keyUnavailable, "key file \(path): expected \(text)")
  }

  private func failure(_ number: CInt = errno) -> SealingError {
    SealingError(
      .failed,
      "key file \(path): expected a file that can be read: \(SystemError.text(number))")
  }
}

// The member above would hide the system's function of the same name.
private func systemRead(_ file: CInt, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  unsafe read(file, buffer, count)
}
