// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
import ProsceniumPrimitives
@testable import ProsceniumTestKit

/// What went wrong with a random vector, and the fewest of its steps that show it.
struct FuzzFailure: CustomStringConvertible {
  let seed: UInt64
  let setup: String
  let stepCount: Int
  let difference: String
  /// A vector file that can be run by itself.
  let file: String

  var description: String {
    """
    seed \(seed), step \(stepCount): \(difference)
    options: \(setup)
    \(file)
    """
  }

  /// Runs a random vector; if it fails, looks for its shortest beginning that fails.
  ///
  /// - Parameters:
  ///   - fuzzer: The vector.
  ///   - difference: Runs a file and says what differs; nil if nothing does.
  /// - Returns: The failure, if there is one.
  /// - Throws: What running a file throws.
  static func find(
    in fuzzer: LifecycleFuzzer, _ difference: (String) async throws -> String?
  ) async throws -> FuzzFailure? {
    guard var found = try await difference(fuzzer.file()) else { return nil }
    // A beginning fails if a shorter one does: what was logged does not go away.
    var (passing, failing) = (0, fuzzer.steps.count)
    while failing - passing > 1 {
      let middle = (passing + failing) / 2
      if let earlier = try await difference(fuzzer.file(stepCount: middle)) {
        (failing, found) = (middle, earlier)
      } else {
        passing = middle
      }
    }
    return FuzzFailure(
      seed: fuzzer.seed, setup: fuzzer.setup.description, stepCount: failing, difference: found,
      file: fuzzer.file(stepCount: failing))
  }

  /// Runs a vector file on the runtime.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - options: How it is run.
  /// - Returns: What differs from the prediction; nil if nothing does.
  /// - Throws: `JSONFileError` if the file does not fit its format.
  static func run(
    _ file: String, _ options: ConformanceOptions = .patient()
  ) async throws(JSONFileError) -> String? {
    let suite = try ConformanceFile(Array(file.utf8), name: "random").suite
    return await suite.run(options).compactMap(\.difference).first
  }
}
