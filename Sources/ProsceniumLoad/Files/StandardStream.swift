// SPDX-License-Identifier: Apache-2.0

/// One of the two streams that a program is given for what it says.
package enum StandardStream: CInt, Sendable {
  /// Standard output.
  case output = 1
  /// Standard error.
  case errors = 2

  /// Writes a text at once, so that long work shows its results as they come.
  ///
  /// - Parameter text: The text, with its line ends.
  /// - Throws: `.closedPipe` or `.writeFailed`, if not all of it could be written.
  package func write(_ text: String) throws(OutputError) {
    do {
      try ByteFile(self).write(Array(text.utf8))
    } catch {
      throw OutputError(error, path: self == .output ? "-" : "standard error")
    }
  }
}
