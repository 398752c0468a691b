// SPDX-License-Identifier: Apache-2.0

public import ProsceniumJSON

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
  /// What is being done, which decides what its failure means.
  private enum Purpose {
    case reading, opening, writing
  }

  /// The number of bytes that one read asks for.
  static let chunkSize = 65_536

  private let descriptor: CInt
  private let closesAtEnd: Bool
  private let purpose: Purpose
  /// What errors call it.
  let name: String

  /// Opens a file, a pipe or a device for reading; `-` is standard input.
  ///
  /// - Throws: `.noSuchFile`, `.isDirectory` or `.unreadable`.
  init(reading path: String) throws(FileError) {
    try self.init(path, O_RDONLY, .reading, standard: (0, "-"))
  }

  /// Opens a file for reading and for writing at its end, and makes it if there is none.
  ///
  /// - Throws: `.cannotOpen`.
  init(appendingTo path: String) throws(FileError) {
    try self.init(path, O_RDWR | O_CREAT | O_APPEND, .writing)
  }

  /// Opens an empty file for writing in the place of any file there; `-` is standard output.
  ///
  /// - Throws: `.cannotOpen`.
  init(replacing path: String) throws(FileError) {
    try self.init(
      path, O_WRONLY | O_CREAT | O_TRUNC, .writing, standard: (1, StandardStream.output.name))
  }

  /// Takes one of the streams that the program was given.
  init(_ stream: StandardStream) {
    (descriptor, name, purpose) = (stream.rawValue, stream.name, .writing)
    closesAtEnd = false
  }

  /// Makes sure that a file can be written; one that is not there yet is made and removed again.
  ///
  /// - Throws: `.cannotOpen`.
  static func checkWritable(_ path: String) throws(FileError) {
    if (try? ByteFile(path, O_WRONLY | O_CREAT | O_EXCL, .writing)) != nil {
      unsafe unlink(path)
    } else {
      _ = try ByteFile(appendingTo: path).size()
    }
  }

  private init(
    _ path: String, _ flags: CInt, _ purpose: Purpose, standard: (CInt, String)? = nil
  ) throws(FileError) {
    if path == "-", let (descriptor, name) = standard {
      (self.descriptor, self.name, self.purpose) = (descriptor, name, purpose)
      closesAtEnd = false
      return
    }
    // A C string would end at the NUL, and another file would be opened.
    let opened = path.utf8.contains(0) ? -1 : unsafe open(path, flags | O_CLOEXEC, 0o644)
    guard opened >= 0 else {
      throw Self.error(
        path.utf8.contains(0) ? ENOENT : errno, path, purpose == .reading ? .reading : .opening)
    }
    (descriptor, name, self.purpose) = (opened, path, purpose)
    closesAtEnd = true
  }

  deinit {
    if closesAtEnd { close(descriptor) }
  }

  // MARK: - Bytes

  /// The size of a regular file in bytes; nil for a pipe, a terminal or a device.
  ///
  /// - Throws: `.isDirectory` where the path names one, which can be opened but not read.
  func size() throws(FileError) -> Int? {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw failure(errno) }
    let kind = status.st_mode & S_IFMT
    if kind == S_IFDIR { throw failure(EISDIR) }
    return kind == S_IFREG ? Int(status.st_size) : nil
  }

  /// Reads the next bytes, at most `chunkSize`; none at the end of the file.
  func read() throws(FileError) -> [UInt8] {
    try unsafe read(Self.chunkSize) { unsafe systemRead(descriptor, $0, Self.chunkSize) }
  }

  /// Reads bytes at a place of a regular file, without moving on; fewer at the end of the file.
  func read(_ count: Int, at offset: Int) throws(FileError) -> [UInt8] {
    try unsafe read(count) { unsafe pread(descriptor, $0, count, off_t(offset)) }
  }

  private func read(
    _ count: Int, _ body: (UnsafeMutableRawPointer?) -> Int
  ) throws(FileError) -> [UInt8] {
    while true {
      var number: Int32 = 0
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
        let result = unsafe body(buffer.baseAddress)
        if result < 0 { number = errno }
        filled = max(0, result)
      }
      if number == 0 { return bytes }
      if number != EINTR { throw failure(number) }
    }
  }

  /// Writes all bytes, in as many steps as the system needs.
  func write(_ bytes: [UInt8]) throws(FileError) {
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
      default: throw failure(number)
      }
    }
  }

  /// Waits until a pipe that was made not to wait itself can take something.
  private func waitForRoom() {
    var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    _ = unsafe poll(&entry, 1, -1)
  }

  /// Makes a regular file shorter.
  func cut(to size: Int) throws(FileError) {
    guard ftruncate(descriptor, off_t(size)) == 0 else { throw failure(errno) }
  }

  /// Holds the file, which keeps out all that ask for the same, in this process as well.
  func locked<Result>(_ body: () throws(FileError) -> Result) throws(FileError) -> Result {
    while flock(descriptor, LOCK_EX) != 0 {
      if errno != EINTR { throw failure(errno) }
    }
    defer { _ = flock(descriptor, LOCK_UN) }
    return try body()
  }

  // MARK: - Errors

  private func failure(_ number: Int32) -> FileError { Self.error(number, name, purpose) }

  private static func error(_ number: Int32, _ name: String, _ purpose: Purpose) -> FileError {
    let reason = unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
    let (code, message): (FileError.Code, String) =
      switch (purpose, number) {
      case (.reading, ENOENT), (.reading, ENOTDIR): (.noSuchFile, "expected a file, found none.")
      case (.reading, EISDIR): (.isDirectory, "expected a file, found a directory.")
      case (.reading, _): (.unreadable, "expected a file that can be read: \(reason).")
      case (.opening, _): (.cannotOpen, "expected a file that can be written: \(reason).")
      case (.writing, EPIPE): (.closedPipe, "expected that more can be written: \(reason).")
      case (.writing, _): (.writeFailed, "expected that more can be written: \(reason).")
      }
    return FileError(code, file: name, message)
  }
}

// The members above would hide the system's functions of the same name.
private func systemRead(_ file: CInt, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  unsafe read(file, buffer, count)
}

private func systemWrite(_ file: CInt, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
  unsafe write(file, buffer, count)
}

/// One of the two streams that a program is given for what it says.
package enum StandardStream: CInt, Sendable {
  /// Standard output.
  case output = 1
  /// Standard error.
  case errors = 2

  /// What errors call it.
  package var name: String { self == .output ? "standard output" : "standard error" }

  /// Writes a text at once, so that long work shows its results as they come.
  ///
  /// - Parameter text: The text, with its line ends.
  /// - Throws: `.closedPipe` or `.writeFailed`, if not all of it could be written.
  package func write(_ text: String) throws(FileError) {
    try ByteFile(self).write(Array(text.utf8))
  }
}

/// Reads small files as a whole.
public enum FileContents: Sendable {
  /// The largest size in bytes, 256 MiB.
  public static let byteLimit = 256 << 20

  /// Reads all bytes of a file or a pipe.
  ///
  /// - Parameter path: The path of the file; `-` is standard input.
  /// - Returns: The bytes, at most ``byteLimit``.
  /// - Throws: `.noSuchFile`, `.isDirectory`, `.unreadable` or `.tooLarge`.
  public static func read(_ path: String) throws(FileError) -> [UInt8] {
    let file = try ByteFile(reading: path)
    var bytes: [UInt8] = []
    if let size = try file.size() { bytes.reserveCapacity(min(size, byteLimit)) }
    while bytes.count <= byteLimit {
      let chunk = try file.read()
      if chunk.isEmpty { return bytes }
      bytes += chunk
    }
    throw FileError(
      .tooLarge, file: path, "expected a file of at most \(byteLimit >> 20) MiB.")
  }
}

/// Writes lines of text to a new file or to standard output, in blocks of 64 KiB.
///
/// Call ``finish()`` at the end: lines that are still in memory are lost without it.
public struct LineWriter: ~Copyable, Sendable {
  private let file: ByteFile
  private var buffer: [UInt8] = []

  /// Opens the file and removes what is in it.
  ///
  /// - Parameter path: The path of the file; `-` is standard output.
  /// - Throws: `.cannotOpen`.
  public init(path: String) throws(FileError) {
    file = try ByteFile(replacing: path)
  }

  /// Adds a line and its end.
  ///
  /// - Parameter line: The text, without a line end.
  /// - Throws: `.writeFailed` or `.closedPipe` where a full block could not be written.
  public mutating func write(_ line: String) throws(FileError) {
    buffer.append(contentsOf: line.utf8)
    buffer.append(UInt8(ascii: "\n"))
    if buffer.count >= ByteFile.chunkSize { try flush() }
  }

  /// Writes what is still in memory and closes the file.
  ///
  /// - Throws: `.writeFailed`, `.closedPipe`.
  public consuming func finish() throws(FileError) {
    try flush()
  }

  private mutating func flush() throws(FileError) {
    try file.write(buffer)
    buffer.removeAll(keepingCapacity: true)
  }
}
