// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Says why a benchmark's figures are worth nothing.
package struct BenchmarkFailure: Error, CustomStringConvertible {
  package let description: String

  /// Makes a failure of one sentence.
  package init(_ description: String) {
    self.description = description
  }

  /// Ends the program with the sentence on standard error, and exit code 1.
  package func end() -> Never {
    FileHandle.standardError.write(Data("\(description)\n".utf8))
    exit(1)
  }
}
