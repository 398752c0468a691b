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
