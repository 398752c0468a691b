// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ProsceniumTestKit

/// What the runner says of vectors that this build passes, and of the same with something wrong.
@Suite(.timeLimit(.minutes(10))) struct LifecycleSuiteTests {
  private static let home = [
    #""S1#1.willResignActive""#, #""S1#1.didEnterBackground""#,
    #""S1#1.stateRestorationActivity -> nil""#, #""S1#1.snapshot""#,
  ]

  /// The user leaves; the log is what is given.
  private static func leave(_ log: [String], _ members: String = "") -> String {
    "{\"cmd\": \"user.home\", \"log\": [\(log.joined(separator: ", "))]\(members)}"
  }

  private static func vector(
    _ steps: String..., setup: String = Vectors.active, expect: String? = nil
  ) -> String {
    Vectors.vector(setup, steps, expect: expect)
  }

  // MARK: - Logs

  @Test func `what happens as it is expected passes`() async throws {
    #expect(try await Vectors.difference(Self.vector(Self.leave(Self.home))) == nil)
    #expect(try await Vectors.difference(Vectors.vector("{}", [])) == nil)
  }

  @Test func `a result has the vector's name and title`() async throws {
    let text = Vectors.suite(Self.vector(Self.leave([])))
    let results = await (try Vectors.file(text)).suite.run()
    #expect(results.map(\.id) == ["v"])
    #expect(results.map(\.note) == ["t"])
    #expect(results.first?.difference != nil)
  }

  @Test(
    arguments: [
      ([1, 0, 2, 3], "log line 1: expected S1#1.didEnterBackground, found S1#1.willResignActive"),
      ([0, 1, 2], "log line 4: expected the end of the log, found S1#1.snapshot"),
      (
        [0, 2, 3],
        "log line 2: expected S1#1.stateRestorationActivity -> nil, "
          + "found S1#1.didEnterBackground"
      ),
      ([0, 1, 2, 3, 3], "log line 5: expected S1#1.snapshot, found the end of the log"),
      ([], "log line 1: expected the end of the log, found S1#1.willResignActive"),
    ])
  func `a wrong order, a missing line and one too many are found`(
    order: [Int], difference: String
  ) async throws {
    let found = try await Vectors.difference(Self.vector(Self.leave(order.map { Self.home[$0] })))
    #expect(found == "step 1 (user.home): \(difference)")
  }

  @Test func `another instance or another session is found`() async throws {
    let instance = Self.home.map { $0.replacing("S1#1", with: "S1#2") }
    #expect(
      try await Vectors.difference(Self.vector(Self.leave(instance)))
        == "step 1 (user.home): log line 1: expected S1#2.willResignActive, "
        + "found S1#1.willResignActive")
    let window = Vectors.step(
      #""cmd": "user.newWindow""#, #""app.configurationForConnecting(S1, {})""#)
    #expect(
      try await Vectors.difference(Self.vector(window))
        == "step 1 (user.newWindow): log line 1: expected app.configurationForConnecting(S1, {}), "
        + "found app.configurationForConnecting(S2, {})")
  }

  @Test func `the step that differs is named, and the first one only`() async throws {
    let found = try await Vectors.difference(
      Self.vector(Self.leave(Self.home), Self.leave(["\"x\""]), Self.leave(["\"y\""])))
    #expect(
      found == "step 2 (user.home): log line 1: expected x, found the end of the log")
  }

  // MARK: - Expectations

  @Test(
    arguments: [
      (#"{"process": "notRunning"}"#, "process: expected notRunning, found running"),
      (
        #"{"applicationState": "active"}"#, "applicationState: expected active, found background"
      ),
      (#"{"openSessions": []}"#, "openSessions: expected {}, found {S1}"),
      (#"{"storedSessions": ["S1", "S2"]}"#, "storedSessions: expected {S1, S2}, found {S1}"),
      (#"{"connectedScenes": ["S1#2"]}"#, "connectedScenes: expected {S1#2}, found {S1#1}"),
      (#"{"sessions": {"S2": {}}}"#, "sessions.S2: expected a session, found none"),
      (
        #"{"sessions": {"S1": {"scene": null}}}"#,
        "sessions.S1.scene: expected null, found S1#1"
      ),
      (
        #"{"sessions": {"S1": {"configuration": {"name": null}}}}"#,
        "sessions.S1.configuration.name: expected null, found Default"
      ),
      (
        #"{"sessions": {"S1": {"userInfo": {"a": 1.0}}}}"#,
        #"sessions.S1.userInfo: expected {"a": 1.0}, found null"#
      ),
      (
        #"{"sessions": {"S1": {"activationConditions": {"can": "FALSEPREDICATE"}}}}"#,
        "sessions.S1.activationConditions.can: expected FALSEPREDICATE, found TRUEPREDICATE"
      ),
      (
        #"{"sessions": {"S1": {"pendingRefresh": true}}}"#,
        "sessions.S1.pendingRefresh: expected true, found false"
      ),
      (#"{"stored": {"S2": {}}}"#, "stored.S2: expected a row, found none"),
      (
        #"{"stored": {"S1": {"stateRestorationActivity": "a"}}}"#,
        "stored.S1.stateRestorationActivity: expected a, found null"
      ),
      (#"{"scenes": {"S1#2": {}}}"#, "scenes.S1#2: expected a scene, found none"),
      (
        #"{"scenes": {"S1#1": {"activationState": "unattached"}}}"#,
        "scenes.S1#1.activationState: expected unattached, found background"
      ),
      (
        #"{"scenes": {"S1#1": {"rawActivationState": 0}}}"#,
        "scenes.S1#1.rawActivationState: expected 0, found 2"
      ),
      (
        #"{"scenes": {"S1#1": {"delegateClass": null}}}"#,
        "scenes.S1#1.delegateClass: expected null, found DefaultDelegate"
      ),
      (
        #"{"released": ["S1#1"]}"#,
        "released: expected S1#1 to be gone, found a scene or a delegate that is still alive"
      ),
      (
        #"{"errors": [{"op": "activate"}]}"#, "errors.count: expected 1, found 0"
      ),
      (
        #"{"discardReasons": {"S1": "commit"}}"#,
        "discardReasons.S1: expected commit, found none"
      ),
      (#"{"lastRoute": {}}"#, "lastRoute: expected a decision, found none"),
      (
        #"{"disjoint": [["openSessions", "connectedSessions"]]}"#,
        "disjoint: expected nothing both in openSessions and in connectedSessions, found {S1}"
      ),
    ])
  func `what is not as it is expected is named with its path`(
    expectation: String, difference: String
  ) async throws {
    let found = try await Vectors.difference(
      Self.vector(Self.leave(Self.home), expect: expectation))
    #expect(found == "the end: expect.\(difference)")
    let step = Self.leave(Self.home, ", \"expect\": \(expectation)")
    #expect(
      try await Vectors.difference(Self.vector(step))
        == "step 1 (user.home): expect.\(difference)")
  }

  @Test func `values differ by their types`() async throws {
    let setup = """
      {"process": "running", "sessions": [{"label": "S1", "state": "active", "userInfo": {"a": 1}}]}
      """
    func difference(_ value: String) async throws -> String? {
      try await Vectors.difference(
        Vectors.vector(
          setup, [], expect: "{\"sessions\": {\"S1\": {\"userInfo\": {\"a\": \(value)}}}}"))
    }
    #expect(try await difference("1") == nil)
    for value in ["1.0", "true", "\"1\"", "[1]", "null"] {
      #expect(try await difference(value) != nil, "\(value)")
    }
  }

  @Test func `errors are compared one by one`() async throws {
    let denied = Vectors.step(
      #""cmd": "request.destroy", "session": "S9""#, #""err(destroy, requestDenied)""#)
    func difference(_ error: String) async throws -> String? {
      try await Vectors.difference(
        Self.vector(denied, expect: "{\"errors\": [\(error)]}"))
    }
    #expect(
      try await difference(#"{"op": "destroy", "code": "requestDenied", "number": 1}"#) == nil)
    #expect(
      try await difference(#"{"op": "activate"}"#)
        == "the end: expect.errors[0].op: expected activate, found destroy")
    #expect(
      try await difference(#"{"number": null}"#)
        == "the end: expect.errors[0].number: expected null, found 1")
    #expect(
      try await difference("") == "the end: expect.errors.count: expected 0, found 1: "
        + "destroy requestDenied")
  }

  // MARK: - Hooks

  @Test(
    arguments: [
      (#"{"line": "S1#1.snapshot", "expect": {"applicationState": "background"}}"#, nil),
      (
        #"{"line": "S1#1.willResignActive", "expect": {"applicationState": "background"}}"#,
        "during S1#1.willResignActive: expect.applicationState: expected background, found active"
      ),
      (
        #"{"line": "S1#1.didMove", "expect": {}}"#,
        "during S1#1.didMove: expected the line 1 times, found 0"
      ),
      (
        #"{"line": "S1#1.snapshot", "nth": 2, "expect": {}}"#,
        "during S1#1.snapshot: expected the line 2 times, found 1"
      ),
    ] as [(String, String?)])
  func `what has to hold inside of a callback is looked at there`(
    hook: String, difference: String?
  ) async throws {
    let step = Self.leave(Self.home, ", \"during\": [\(hook)]")
    #expect(
      try await Vectors.difference(Self.vector(step))
        == difference.map { "step 1 (user.home): \($0)" })
  }

  // MARK: - Runs

  @Test func `a command that cannot be done is a difference`() async throws {
    let launch = Vectors.step(#""cmd": "launch""#)
    #expect(
      try await Vectors.difference(Self.vector(launch))
        == "step 1 (launch): expected no running process, found one")
    #expect(
      try await Vectors.difference(Vectors.vector("{}", [Self.leave([])]))
        == "step 1 (user.home): expected a running process, found none")
    let restore = Vectors.step(#""cmd": "store.restore", "name": "b""#)
    #expect(
      try await Vectors.difference(Vectors.vector("{}", [restore]))
        == "step 1 (store.restore): expected a backup with the name b, found none")
  }

  @Test func `a setup that cannot be built is a difference`() async throws {
    let setup = """
      {"process": "running", "sessions": [{"label": "S1", "state": "active"},
       {"label": "S2", "state": "active"}]}
      """
    #expect(
      try await Vectors.difference(Vectors.vector(setup, []))
        == "setup: S1: expected the state active, found background")
    let conditions = """
      {"sessions": [{"label": "S1", "state": "archived", "activationConditions": {"can": "SELF"}}]}
      """
    let difference = try await Vectors.difference(Vectors.vector(conditions, []))
    #expect(difference?.hasPrefix("setup: S1: expected conditions, found syntax") == true)
  }

  @Test func `a vector is repeated until something differs`() async throws {
    let vector = Vectors.vector(Vectors.active, [Self.leave(["\"x\""])], #""repeat": 3"#)
    let difference = try await Vectors.difference(vector)
    #expect(difference?.hasPrefix("run 1: step 1 (user.home): log line 1: expected x") == true)
  }
}
