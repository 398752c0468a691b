// SPDX-License-Identifier: Apache-2.0

package import ProsceniumJSON

/// A file of conformance cases, of any format that there is a runner for.
package struct ConformanceFile: Sendable {
  /// The name of the file, as it was given.
  package let name: String
  /// Its cases.
  package let suite: any ConformanceSuite

  private static let formats: [any ConformanceSuite.Type] = [
    RoutingSuite.self, LifecycleSuite.self,
  ]

  /// Reads a file and checks it against its format.
  ///
  /// - Parameters:
  ///   - bytes: The file's content.
  ///   - name: The file's name, for messages.
  /// - Throws: `JSONFileError` if the file does not fit its format, or its format is unknown.
  package init(_ bytes: [UInt8], name: String) throws(JSONFileError) {
    let file = try JSONParser.parse(bytes, file: name)
    let format = try file.member("format")
    let formatName = try format.text()
    guard let suite = Self.formats.first(where: { $0.format == formatName }) else {
      let known = Self.formats.map { $0.format }.joined(separator: ", ")
      throw format.failure(.unknownValue, "one of the formats \(known)")
    }
    self.name = name
    self.suite = try suite.init(file)
  }
}

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
