// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A file that gets its name when it is complete and on the disk; until then it has another one.
package final class NewFile {
  private let path: String
  private let descriptor: CInt

  /// Where the file is until it is complete.
  package let temporaryPath: String

  /// Makes an empty file that only its user can read.
  ///
  /// - Throws: `full` or `failed` if the system refuses.
  package init(_ path: String) throws(SealingError) {
    self.path = path
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw SealingError(.failed, "expected the path of a new file, found none.")
    }
    var name = Array((path + ".XXXXXX").utf8CString)
    descriptor = unsafe name.withUnsafeMutableBufferPointer { name in
      unsafe name.baseAddress.map { unsafe mkstemp($0) } ?? -1
    }
    temporaryPath = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    guard descriptor >= 0 else { throw Self.failure(path) }
  }

  deinit {
    if descriptor >= 0 {
      close(descriptor)
      unsafe unlink(temporaryPath)
    }
  }

  /// Whether something has a name.
  package static func isThere(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0
  }

  /// Writes bytes at the end of the file.
  ///
  /// - Throws: `full` or `failed` if the system refuses.
  package func write(_ bytes: [UInt8]) throws(SealingError) {
    var written = 0
    while written < bytes.count {
      let result = unsafe bytes[written...].withUnsafeBytes {
        unsafe systemWrite(descriptor, $0.baseAddress, $0.count)
      }
      if result < 0, errno != EINTR { throw Self.failure(path) }
      written += max(0, result)
    }
  }

  /// Gives the file its name.
  ///
  /// - Returns: The size in bytes, or `nil` if another file has the name by now.
  /// - Throws: `full` or `failed` if the system refuses.
  package func finish() throws(SealingError) -> Int? {
    var status = stat()
    guard fsync(descriptor) == 0, unsafe fstat(descriptor, &status) == 0 else {
      throw Self.failure(path)
    }
    // Unlike a renaming, a link never replaces a file.
    let isNew = unsafe link(temporaryPath, path) == 0
    guard isNew || errno == EEXIST else { throw Self.failure(path) }
    // The process that made the other file may not have come this far.
    try syncFolder()
    return isNew ? Int(status.st_size) : nil
  }

  private func syncFolder() throws(SealingError) {
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let descriptor = unsafe open(folder, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.failure(path) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw Self.failure(path) }
  }

  private static func failure(_ path: String) -> SealingError {
    let number = errno
    return SealingError(
      number == ENOSPC ? .full : .failed,
      "\(path): expected a file that can be made: \(SystemError.text(number))")
  }
}

// The member above would hide the system's function of the same name.
private func systemWrite(_ file: CInt, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
  unsafe write(file, buffer, count)
}

/// What the system says about its last refusal.
package enum SystemError {
  /// No room is left on the device.
  package static let noSpace = ENOSPC

  /// The number of the last refusal on this thread.
  package static var last: CInt { errno }

  /// The sentence for a number.
  package static func text(_ number: CInt) -> String {
    unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
  }
}
