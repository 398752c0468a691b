// SPDX-License-Identifier: Apache-2.0

/// Reads small files as a whole.
public enum FileContents: Sendable {
  /// The largest size in bytes, 256 MiB.
  public static let byteLimit = 256 << 20

  /// Reads all bytes of a file or a pipe.
  ///
  /// - Parameter path: The path of the file; `-` is standard input.
  /// - Returns: The bytes, at most ``byteLimit``.
  /// - Throws: `InputError`: `.noSuchFile`, `.isDirectory`, `.unreadable` or `.tooLarge`.
  public static func read(_ path: String) throws(InputError) -> [UInt8] {
    do {
      let file = try ByteFile(reading: path)
      var bytes: [UInt8] = []
      if let size = try file.size() { bytes.reserveCapacity(min(size, byteLimit)) }
      while bytes.count <= byteLimit {
        let chunk = try file.read()
        if chunk.isEmpty { return bytes }
        bytes += chunk
      }
    } catch {
      throw self.error(error, path)
    }
    throw InputError(
      .tooLarge, path: path, message: "expected a file of at most \(byteLimit >> 20) MiB.")
  }

  static func error(_ failure: SystemFailure, _ path: String) -> InputError {
    if failure.isMissingFile {
      InputError(.noSuchFile, path: path, message: "expected a file, found none.")
    } else if failure.isDirectory {
      InputError(.isDirectory, path: path, message: "expected a file, found a directory.")
    } else {
      InputError(
        .unreadable, path: path, message: "expected a file that can be read: \(failure.text).")
    }
  }
}

/// Reports that a call to the operating system failed, by its error number.
struct SystemFailure: Error, Hashable, Sendable {
  /// The number of the error, as the system gave it.
  let number: Int32
  /// The system's own words for it, such as `Permission denied`.
  let text: String
  /// Says whether the file does not exist.
  let isMissingFile: Bool
  /// Says whether a directory stands where a file was wanted.
  let isDirectory: Bool
  /// Says whether the reader of a pipe has closed it.
  var isClosedPipe = false
}
