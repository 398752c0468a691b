// SPDX-License-Identifier: Apache-2.0

import Proscenium

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
  func read() throws(StoreError) -> [UInt8]? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    if descriptor < 0 {
      if errno == ENOENT { return nil }
      throw failure("be read")
    }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw failure("be read") }
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
    if number != 0 { throw failure("be read", number) }
    guard bytes.count <= Self.byteLimit else {
      throw refusal("a file of at most \(Self.byteLimit) bytes, found a larger one.")
    }
    return bytes
  }

  private func check(_ status: stat) throws(StoreError) {
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
  /// - Throws: `full` or `failed` if the system refuses.
  func create(_ bytes: [UInt8]) throws(StoreError) {
    // The bytes are complete before the name exists, and a link never replaces a file: whoever
    // finds the name finds a whole key, and of two that make it at once the second one yields.
    var temporary = Array((path + ".XXXXXX").utf8CString)
    let descriptor = unsafe temporary.withUnsafeMutableBufferPointer { name in
      unsafe name.baseAddress.map { unsafe mkstemp($0) } ?? -1
    }
    guard descriptor >= 0 else { throw failure("be made") }
    defer {
      close(descriptor)
      unsafe unlink(temporary)
    }
    var written = 0
    while written < bytes.count {
      let result = unsafe bytes[written...].withUnsafeBytes {
        unsafe systemWrite(descriptor, $0.baseAddress, $0.count)
      }
      if result < 0, errno != EINTR { throw failure("be written") }
      written += max(0, result)
    }
    guard fsync(descriptor) == 0 else { throw failure("be written") }
    guard unsafe link(temporary, path) == 0 || errno == EEXIST else { throw failure("be made") }
    try syncFolder()
  }

  private func syncFolder() throws(StoreError) {
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let descriptor = unsafe open(folder, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure("be made") }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw failure("be made") }
  }

  private func refusal(_ text: String) -> StoreError {
    StoreError(.keyUnavailable, "key file \(path): expected \(text)")
  }

  private func failure(_ verb: String, _ number: CInt = errno) -> StoreError {
    let reason = unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
    return StoreError(
      number == ENOSPC ? .full : .failed,
      "key file \(path): expected a file that can \(verb): \(reason).")
  }
}

// The members above would hide the system's functions of the same name.
private func systemRead(_ file: CInt, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  unsafe read(file, buffer, count)
}

private func systemWrite(_ file: CInt, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
  unsafe write(file, buffer, count)
}
