// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
import Foundation

@testable import ProsceniumTestKit

/// Makes small suites of one vector as text, and runs them.
enum Vectors {
  /// One session that is active.
  static let active = #"{"process": "running", "sessions": [{"label": "S1", "state": "active"}]}"#

  static func suite(_ vectors: String...) -> String {
    "{\"format\": \"scene-conformance/1\", \"vectors\": [" + vectors.joined(separator: ",\n") + "]}"
  }

  /// A vector; `members` are further members of its object.
  static func vector(
    _ setup: String, _ steps: [String], expect: String? = nil, _ members: String...
  ) -> String {
    let expect = expect.map { ", \"expect\": \($0)" } ?? ""
    let members = members.map { ", " + $0 }.joined()
    return "{\"id\": \"v\", \"title\": \"t\", \"rules\": [], \"grade\": \"spec\", "
      + "\"setup\": \(setup), \"steps\": [\(steps.joined(separator: ", "))]\(expect)\(members)}"
  }

  /// A step; `members` are its command and whatever else.
  static func step(_ members: String, _ log: String...) -> String {
    "{\(members), \"log\": [\(log.joined(separator: ", "))]}"
  }

  static func file(_ text: String) throws(JSONFileError) -> ConformanceFile {
    try ConformanceFile(Array(text.utf8), name: "vectors.json")
  }

  /// Runs a suite of one vector and returns what differs, or nil.
  static func difference(
    _ vector: String, _ options: ConformanceOptions = .patient()
  ) async throws -> String? {
    let results = await (try file(suite(vector))).suite.run(options)
    guard results.count == 1 else { return "expected one result, found \(results.count)" }
    return results[0].difference
  }

  /// The suite of the package's own vectors.
  static func own(filePath: String = #filePath) throws -> ConformanceFile {
    var tests = URL(fileURLWithPath: filePath)
    for _ in 0..<4 { tests.deleteLastPathComponent() }
    let suite = tests.appendingPathComponent("Suites/life-cycle.json")
    return try ConformanceFile(Array(Data(contentsOf: suite)), name: "life-cycle.json")
  }
}
