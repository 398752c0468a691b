// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Foundation
  import ProsceniumSimulation
  import Testing

  @testable import ProsceniumTestKit

  /// The vectors of the life cycle hold on three nodes of a cluster, asked by way of one that owns
  /// nothing.
  ///
  /// What is about a session goes to that node, and over its link to the owner. What a node decides
  /// for itself is asked of the owner: windows without content, `home`, memory pressure, hand-offs.
  @Suite(.timeLimit(.minutes(10))) struct ClusterVectorTests {
    /// A vector that says something which is otherwise in a cluster.
    private struct Other {
      let difference: String
      let reason: String
    }

    private static let leftInStore = "saved states stay in the store while a scene is not connected"

    private static let singleScene = Other(
      difference: "setup: expected a running process, found that its launch failed",
      reason: "one session is not for many nodes")
    private static let discarded =
      "a slice tells what was discarded before the sessions are open that it has"

    /// Of the package's own vectors.
    private static let own = [
      "launch-locked": Other(
        difference: "step 3 (sys.unlock): expect.sessions.S2.stateRestorationActivity: "
          + "expected b, found null",
        reason: leftInStore),
      "disconnect": Other(
        difference: "the end: expect.sessions.S2.stateRestorationActivity: expected a, found null; "
          + #"expect.sessions.S2.userInfo: expected {"k": "v"}, found null"#,
        reason: leftInStore),
      "session-values": Other(
        difference: "the end: expect.sessions.S1.userInfo: expected "
          + #"{"b": false, "i": 1, "l": [{"$date": "2026-01-02T03:04:05Z"}], "r": 1.0, "s": "t"}, "#
          + "found null; "
          + "expect.sessions.S2.stateRestorationActivity: expected a, found null",
        reason: leftInStore),
      "single-scene": singleScene,
      "single-scene-first": singleScene,
      "discard-while-down": Other(
        difference: "step 3 (launch): during app.didDiscardSceneSessions{S1, S2}: "
          + "expect.openSessions: expected {S3}, found {}",
        reason: discarded),
      "parallel-launch": Other(
        difference: "run 1: step 1 (parallel): log line 4: expected S1#2.willConnect({}), "
          + "found S1#2.willConnect({url:[u:1]})",
        reason: "a node launches without sessions: what is to be opened is asked for later"),
    ]

    /// Of the files that `PROSCENIUM_VECTORS` names.
    private static let others = [
      "A11": Other(
        difference: "the end: expect.sessions.S1.stateRestorationActivity: expected a, found null",
        reason: leftInStore),
      "A17": Other(
        difference: "step 3 (launch): during app.didFinishLaunching(nil): expect.openSessions: "
          + "expected {S1}, found {}; during app.didDiscardSceneSessions{S2, S3}: "
          + "expect.openSessions: expected {S1}, found {}",
        reason: discarded),
      "A30": singleScene,
      "A40": Other(
        difference: #"the end: expect.sessions.S1.userInfo: expected {"v": 1}, found null"#,
        reason: leftInStore),
      "A55": singleScene,
    ]

    private static func check(_ content: Data, seed: UInt64, _ others: [String: Other]) throws {
      let file = try ConformanceFile(Array(content), name: "vectors")
      let executor = SeededExecutor(seed: seed)
      var options = ConformanceOptions()
      options.limit = .seconds(3_600)
      options.shards = 4
      options.executor = executor
      var suite = try #require(file.suite as? LifecycleSuite)
      suite.program = ClusterProgram.self
      let results = try executor.run { [suite, options] in await suite.run(options) }
      #expect(results.count > 50 && Set(others.keys).isSubset(of: results.map(\.id)))
      for result in results {
        let expected = others[result.id]
        #expect(
          result.difference == expected?.difference,
          "\(result.id): \(expected?.reason ?? "it is so in a cluster as well")")
      }
    }

    @Test(arguments: [1, 2] as [UInt64])
    func `the own vectors hold in a cluster, but for what is otherwise there`(seed: UInt64) throws {
      let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      let path = tests.appendingPathComponent("../../Suites/life-cycle.json")
      try Self.check(Data(contentsOf: path), seed: seed, Self.own)
    }

    @Test(.enabled(if: !named.isEmpty, "PROSCENIUM_VECTORS names files"), arguments: named)
    func `vectors of other files hold as well`(name: String) throws {
      try Self.check(Data(contentsOf: URL(fileURLWithPath: name)), seed: 1, Self.others)
    }

    /// The files of vectors that were written without the package.
    private static let named = {
      let names = ProcessInfo.processInfo.environment["PROSCENIUM_VECTORS"] ?? ""
      return names.split(separator: ":").map { String($0) }
    }()
  }
#endif
