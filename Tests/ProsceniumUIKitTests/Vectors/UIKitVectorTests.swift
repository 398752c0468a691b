// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import ProsceniumTestKit

/// The vectors of the life cycle hold for a program that is written for UIKit.
@Suite(.timeLimit(.minutes(10))) struct UIKitVectorTests {
  /// A vector that says something which a program of UIKit's cannot say.
  private struct Unsaid {
    let difference: String
    let reason: String
  }

  private static let unmanifested = Unsaid(
    difference: "step 1 (launch): log line 1: expected err(launch, sceneLifecycleRequired), "
      + "found app.willFinishLaunching",
    reason: "here each delegate has the method, in default, so that none is refused for its lack")

  /// Of the package's own vectors.
  private static let own = [
    "launch-refused": unmanifested,
    "activate-refused": Unsaid(
      difference: "step 2 (request.activate): a program of UIKit's never sees an object of S9",
      reason: "a request takes a session's object, and of a session that never was there is none"),
    "refresh": Unsaid(
      difference: "step 5 (request.refresh): a program of UIKit's never sees an object of S8",
      reason: "a request takes a session's object, and of a session that never was there is none"),
    "deliver-connected": Unsaid(
      difference: "step 6 (event.url): log line 1: expected "
        + #"S1#1.openURLContexts{"a,\"b\"\u0001\n"}, "#
        + #"found S1#1.openURLContexts{"a,%22b%22%01%0A"}"#,
      reason: "a URL of Foundation's has no quotation marks and no control characters"),
  ]

  /// Of the files that `PROSCENIUM_VECTORS` names.
  private static let others = ["A06": unmanifested]

  private static func check(_ file: ConformanceFile, _ unsaid: [String: Unsaid]) async throws {
    var options = ConformanceOptions()
    options.limit = .seconds(600)
    var suite = try #require(file.suite as? LifecycleSuite)
    suite.program = UIKitVectorProgram.self
    let results = await suite.run(options)
    #expect(results.count > 50 && Set(unsaid.keys).isSubset(of: results.map(\.id)))
    for result in results {
      let expected = unsaid[result.id]
      #expect(
        result.difference == expected?.difference,
        "\(result.id): \(expected?.reason ?? "it can be said by UIKit's names")")
    }
  }

  @Test func `the own vectors hold for a program of UIKit, but for those it cannot say`()
    async throws
  {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let path = tests.appendingPathComponent("../../Suites/life-cycle.json")
    let file = try ConformanceFile(Array(Data(contentsOf: path)), name: "life-cycle.json")
    try await Self.check(file, Self.own)
  }

  @Test(.enabled(if: !named.isEmpty, "PROSCENIUM_VECTORS names files"), arguments: named)
  func `vectors of other files hold as well`(name: String) async throws {
    let content = try Data(contentsOf: URL(fileURLWithPath: name))
    try await Self.check(try ConformanceFile(Array(content), name: name), Self.others)
  }

  /// The files of vectors that were written without the package.
  private static let named = {
    let names = ProcessInfo.processInfo.environment["PROSCENIUM_VECTORS"] ?? ""
    return names.split(separator: ":").map { String($0) }
  }()
}
