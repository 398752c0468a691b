// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Says why a benchmark's figures are worth nothing.
package struct BenchmarkFailure: Error, CustomStringConvertible {
  package let description: String

  /// Makes a failure of one sentence.
  package init(_ description: String) {
    self.description = description
  }

  /// Where a failure is told: standard error as it was when the program began.
  ///
  /// The library that runs the benchmarks sends what is written to the present one nowhere.
  private static let standardError = FileHandle(fileDescriptor: dup(STDERR_FILENO))

  /// Keeps standard error; before the first benchmark.
  static func keepStandardError() {
    _ = standardError
  }

  /// Ends the program with the sentence on standard error, and exit code 1.
  package func end() -> Never {
    Self.standardError.write(Data("\(description)\n".utf8))
    exit(1)
  }
}
