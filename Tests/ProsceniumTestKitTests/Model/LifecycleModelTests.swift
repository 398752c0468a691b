// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import ProsceniumTestKit

/// The model predicts what vectors say that were written without it.
@Suite struct LifecycleModelTests {
  /// The vectors of the files that `PROSCENIUM_VECTORS` names, separated by colons.
  private static let namedVectors: [ModelVector] = {
    let names = ProcessInfo.processInfo.environment["PROSCENIUM_VECTORS"] ?? ""
    return names.split(separator: ":").flatMap { name in
      let content = FileManager.default.contents(atPath: String(name)) ?? Data()
      do {
        return try ModelVector.vectors(in: Array(content), name: String(name))
      } catch {
        Issue.record("\(error)")
        return []
      }
    }
  }()

  @Test(arguments: namedVectors)
  func `the model predicts a vector of a named file`(vector: ModelVector) throws {
    let differences = try vector.differences()
    #expect(differences == [])
  }
}
