// SPDX-License-Identifier: Apache-2.0

package import ProsceniumJSON

/// The cases of one file, checked against its format and ready to run.
package protocol ConformanceSuite: Sendable {
  /// The value of the file's `format`, such as `scene-routing/1`.
  static var format: String { get }

  /// Reads the whole file, so that one which does not fit is refused before anything runs.
  init(_ file: JSONNode) throws(JSONFileError)

  /// Runs all cases, in the order of the file.
  func run(_ options: ConformanceOptions) async -> [ConformanceResult]
}

extension ConformanceSuite {
  /// Runs all cases as they are run unless something else is asked for.
  package func run() async -> [ConformanceResult] {
    await run(ConformanceOptions())
  }
}
