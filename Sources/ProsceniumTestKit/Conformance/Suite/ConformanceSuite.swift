// SPDX-License-Identifier: Apache-2.0

package import ProsceniumJSON
package import ProsceniumSimulation

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

/// How suites are run; a suite that runs no application takes no notice.
package struct ConformanceOptions: Sendable {
  /// How many shards an application has.
  package var shards = 64
  /// Whether scenes stay connected in the background.
  ///
  /// If not, each is disconnected as soon as it has settled there; then only what is stored is
  /// compared, which must not depend on it.
  package var keepsScenes = true
  /// How long one run of a case may take.
  package var limit = Duration.seconds(30)
  /// Times the limit.
  package var clock: any Clock<Duration> = ContinuousClock()
  /// Runs everything in the order of a seed, and by its clock, if there is one.
  package var executor: SeededExecutor?

  package init() {}
}

/// What came of one case of a suite.
package struct ConformanceResult: Sendable, Hashable {
  /// The case's name, unique in its file.
  package let id: String
  /// What the file says about the case.
  package let note: String?
  /// What differs from what the case expects, in one line; nil if nothing does.
  package let difference: String?

  package init(id: String, note: String? = nil, difference: String?) {
    self.id = id
    self.note = note
    self.difference = difference
  }
}

/// Which half of a divided suite a file has.
enum SuiteHalf: String, JSONWord {
  case first = "A"
  case second = "B"
}
