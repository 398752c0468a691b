// SPDX-License-Identifier: Apache-2.0

package import ProsceniumJSON

/// Lines of standard output that are written in blocks.
package struct OutputBuffer: Sendable {
  private var text = ""

  package init() {}

  /// Adds a line, with its line end.
  package mutating func add(_ line: String) throws(FileError) {
    text += line
    if text.utf8.count > 1 << 16 { try flush() }
  }

  /// Writes what is left.
  package mutating func flush() throws(FileError) {
    try Terminal.writeOutput(text)
    text = ""
  }
}
