// SPDX-License-Identifier: Apache-2.0

// The only file of this target that knows on which system it runs.
#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Reads and writes the bytes of one open file, pipe or standard stream; closes it at its end.
struct ByteFile: ~Copyable, Sendable {
  /// The number of bytes that one read asks for.
  static let chunkSize = 65_536

  private let descriptor: CInt
  private let closesAtEnd: Bool

  /// Opens a file, a pipe or a device for reading; `-` is standard input.
  init(reading path: String) throws(SystemFailure) {
    try self.init(path, flags: O_RDONLY, standardStream: 0)
  }

  /// Opens a file for reading and for writing at its end, and makes it if there is none.
  init(appendingTo path: String) throws(SystemFailure) {
    try self.init(path, flags: O_RDWR | O_CREAT | O_APPEND, standardStream: nil)
  }

  /// Opens an empty file for writing, over whatever stood there; `-` is standard output.
  init(replacing path: String) throws(SystemFailure) {
    try self.init(path, flags: O_WRONLY | O_CREAT | O_TRUNC, standardStream: 1)
  }

  /// Takes one of the streams that the program was given.
  init(_ stream: StandardStream) {
    descriptor = stream.rawValue
    closesAtEnd = false
  }

  /// Makes sure that a file can be written; one that is not there yet is made and removed again.
  static func checkWritable(_ path: String) throws(SystemFailure) {
    if try isMade(path) {
      unsafe unlink(path)
    } else {
      _ = try ByteFile(appendingTo: path).size()
    }
  }

  /// Whether an empty file could be made: not where there is one.
  private static func isMade(_ path: String) throws(SystemFailure) -> Bool {
    do {
      _ = try ByteFile(path, flags: O_WRONLY | O_CREAT | O_EXCL, standardStream: nil)
      return true
    } catch  where error.number == EEXIST {
      return false
    }
  }

  private init(
    _ path: String, flags: CInt, standardStream: CInt?
  ) throws(SystemFailure) {
    if path == "-", let standardStream {
      descriptor = standardStream
      closesAtEnd = false
      return
    }
    // A C string would end at the NUL, and another file would be opened.
    let opened = path.utf8.contains(0) ? -1 : unsafe open(path, flags | O_CLOEXEC, 0o644)
    guard opened >= 0 else {
      throw path.utf8.contains(0) ? Self.failure(ENOENT) : Self.failure(errno)
    }
    descriptor = opened
    closesAtEnd = true
  }

  deinit {
    if closesAtEnd { close(descriptor) }
  }

  /// The size of a regular file in bytes; nil for a pipe, a terminal or a device.
  ///
  /// Throws where the path names a directory, which can be opened but not read.
  func size() throws(SystemFailure) -> Int? {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw Self.failure(errno) }
    let kind = status.st_mode & S_IFMT
    if kind == S_IFDIR { throw Self.failure(EISDIR) }
    return kind == S_IFREG ? Int(status.st_size) : nil
  }

  /// Reads the next bytes, at most `chunkSize`; none at the end of the file.
  func read() throws(SystemFailure) -> [UInt8] {
    while true {
      var number: Int32 = 0
      let chunk = unsafe [UInt8](unsafeUninitializedCapacity: Self.chunkSize) { buffer, count in
        let result = unsafe systemRead(descriptor, buffer.baseAddress, Self.chunkSize)
        if result < 0 { number = errno }
        count = max(0, result)
      }
      if number == 0 { return chunk }
      if number != EINTR { throw Self.failure(number) }
    }
  }

  /// Writes all bytes, in as many steps as the system needs.
  func write(_ bytes: [UInt8]) throws(SystemFailure) {
    var written = 0
    while written < bytes.count {
      var number: Int32 = 0
      let start = written
      let result = unsafe bytes.withUnsafeBytes { buffer in
        let result = unsafe systemWrite(
          descriptor, buffer.baseAddress?.advanced(by: start), buffer.count - start)
        if result < 0 { number = errno }
        return result
      }
      switch number {
      case 0, EINTR: written += max(0, result)
      case EAGAIN: waitForRoom()
      default: throw Self.failure(number)
      }
    }
  }

  /// Waits until a pipe that was made not to wait itself can take something.
  private func waitForRoom() {
    var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    _ = unsafe poll(&entry, 1, -1)
  }

  /// Reads bytes at a place of a regular file, without moving on; fewer at the end of the file.
  func read(_ count: Int, at offset: Int) throws(SystemFailure) -> [UInt8] {
    var number: Int32 = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      let result = unsafe pread(descriptor, buffer.baseAddress, count, off_t(offset))
      if result < 0 { number = errno }
      filled = max(0, result)
    }
    if number != 0 { throw Self.failure(number) }
    return bytes
  }

  /// Makes a regular file shorter.
  func cut(to size: Int) throws(SystemFailure) {
    guard ftruncate(descriptor, off_t(size)) == 0 else { throw Self.failure(errno) }
  }

  /// Waits until nobody else holds the file, and holds it until ``unlock()`` or the end.
  ///
  /// It keeps out those who ask for the same, in this process as well.
  func lock() throws(SystemFailure) {
    while flock(descriptor, LOCK_EX) != 0 {
      if errno != EINTR { throw Self.failure(errno) }
    }
  }

  /// Lets the next one have the file.
  func unlock() {
    _ = flock(descriptor, LOCK_UN)
  }

  static func failure(_ number: Int32) -> SystemFailure {
    SystemFailure(
      number: number,
      text: unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)",
      isMissingFile: number == ENOENT || number == ENOTDIR,
      isDirectory: number == EISDIR,
      isClosedPipe: number == EPIPE
    )
  }
}

// The members above would hide the system's functions of the same name.
private func systemRead(_ file: CInt, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  unsafe read(file, buffer, count)
}

private func systemWrite(_ file: CInt, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
  unsafe write(file, buffer, count)
}
