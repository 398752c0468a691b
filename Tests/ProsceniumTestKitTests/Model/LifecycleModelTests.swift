// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
import Foundation
import Testing

@testable import ProsceniumTestKit

/// The model predicts what vectors say that were written without it.
@Suite struct LifecycleModelTests {
  private static let samples = vectors(in: Array(ModelVectorSamples.file.utf8), name: "samples")

  /// The vectors of the files that `PROSCENIUM_VECTORS` names, separated by colons.
  private static let namedVectors = {
    let names = ProcessInfo.processInfo.environment["PROSCENIUM_VECTORS"] ?? ""
    return names.split(separator: ":").flatMap { name in
      let content = FileManager.default.contents(atPath: String(name)) ?? Data()
      return vectors(in: Array(content), name: String(name))
    }
  }()

  private static func vectors(in bytes: [UInt8], name: String) -> [ModelVector] {
    do {
      return try ModelVector.vectors(in: bytes, name: name)
    } catch {
      Issue.record("\(error)")
      return []
    }
  }

  @Test(arguments: samples + namedVectors)
  func `the model predicts a vector`(vector: ModelVector) throws {
    let differences = try vector.differences()
    #expect(differences == [])
  }

  @Test(
    arguments: [
      ("\"S2#2.init\", ", "", "step 1, user.open: expected"),
      ("foregroundInactive", "foregroundActive", "step 1, user.open: scenes.S1#1.activationState"),
      ("\"applicationState\": \"active\"", "\"openSessions\": [\"S1\"]", "openSessions: expected"),
    ])
  func `a vector that is wrong differs from the model`(
    text: String, wrong: String, difference: String
  ) throws {
    let file = ModelVectorSamples.file.replacingOccurrences(of: text, with: wrong)
    let vector = try #require(Self.vectors(in: Array(file.utf8), name: "wrong").first)
    let differences = try vector.differences()
    #expect(differences.contains { $0.contains(difference) })
  }

  @Test func `a command that one scene could not carry out twice is not determined`() throws {
    let setup = #"{"process": "running", "sessions": [{"label": "S1", "state": "archived"}]}"#
    let node = try JSONParser.parse(Array(setup.utf8), file: "setup")
    var model = LifecycleModel(try ModelSetup(node))
    _ = model.perform(.completeRestoration(ModelLabel(1)))
    #expect(!model.doubts.isEmpty)
  }
}
