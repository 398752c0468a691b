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
