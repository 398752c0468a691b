// SPDX-License-Identifier: Apache-2.0

@testable import ProsceniumLoad
import Testing

@Suite struct ReplayVerifierTests {
  private typealias Call = PlayedRun.Call

  private static func request(
    _ client: String, _ path: String, bytes: Int64 = 10, referrer: String? = nil
  ) -> AccessLogLine {
    AccessLogLine(client: client, time: 0, path: path, bytes: bytes, referrer: referrer)
  }

  /// Two users; u1 opens /1, goes on to /2 there, opens /3, comes back to /2, opens /4 and /5;
  /// with two windows each the last one costs a window.
  private static let log = [
    request("a", "/1"), request("b", "/x"), request("a", "/2", referrer: "r"),
    request("a", "/3"), request("a", "/2"), request("b", "/y", referrer: "r"),
    request("a", "/4"), request("b", "/x", bytes: 7, referrer: "r"), request("a", "/5"),
  ]

  private func verify(_ calls: [Call], of log: [AccessLogLine] = log) -> ReplayVerification {
    var verifier = ReplayVerifier(windows: 2, tabs: 3)
    for (index, request) in log.enumerated() { verifier.append(request, line: index + 1) }
    return verifier.verify(PlayedRun.record(calls))
  }

  private var calls: [Call] { PlayedRun(Self.log, windows: 2, tabs: 3).calls }

  private func index(ofLine line: Int) throws -> Int {
    try #require(
      calls.firstIndex { call in
        if case .saw(_, line) = call { true } else { false }
      })
  }

  @Test func `a faithful run is verified`() {
    let result = verify(calls)
    #expect(result.verdict == "verified")
    #expect(result.isVerified)
    #expect(result.differences == [])
    #expect(result.requests == 9)
    #expect(result.users == 2)
    #expect(result.sessions == 5)
    #expect(result.restorations == 2)
    #expect(result.finalStates == 3)
  }

  @Test func `the calls of different users may come in any order`() {
    // All of b first: what concerns a is unchanged.
    let ofB = calls.filter { call in
      switch call {
      case .saw(let session, _), .restored(let session, _), .destroyed(let session, _),
        .ended(let session, _):
        session == 101
      }
    }
    let rest = calls.filter { !ofB.contains($0) }
    #expect(verify(ofB + rest).verdict == "verified")
    #expect(verify(rest + ofB).verdict == "verified")
  }

  @Test(arguments: 1...9)
  func `a dropped line is lost`(_ line: Int) throws {
    var calls = calls
    calls.remove(at: try index(ofLine: line))
    let result = verify(calls)
    #expect(result.lost == 1)
    #expect(!result.isVerified)
    #expect(result.verdict.hasPrefix("not verified: 1 lost"))
    #expect(result.differences.contains { $0.hasPrefix("line \(line) (") })
  }

  @Test(arguments: 1...9)
  func `a doubled line is duplicated`(_ line: Int) throws {
    var calls = calls
    let index = try index(ofLine: line)
    calls.insert(calls[index], at: index)
    #expect(verify(calls).verdict == "not verified: 1 duplicated")
  }

  @Test func `a line that two sessions saw is duplicated`() throws {
    var calls = calls
    calls.insert(.saw(101, line: 3), at: try index(ofLine: 3) + 1)
    #expect(verify(calls).verdict == "not verified: 1 duplicated")
  }

  @Test func `swapped lines of a session are reordered`() throws {
    var calls = calls
    calls.swapAt(try index(ofLine: 6), try index(ofLine: 8))
    #expect(verify(calls).reordered == 1)
    #expect(!verify(calls).isVerified)
  }

  @Test func `a line that is no request is unexpected`() {
    #expect(verify(calls + [.saw(101, line: 10)]).verdict == "not verified: 1 unexpected")
    #expect(verify([.saw(101, line: -1)] + calls).unexpected == 1)
  }

  @Test(
    arguments: [
      // An event to another user's session, a new one, a destroyed one.
      (3, 101, "session 101 of u2"), (6, 999, "a new session"), (8, 100, "session 100 of u1"),
      // An activation that misses the session that prefers it, and one into an old session.
      (5, 999, "a new session"), (4, 100, "session 100 of u1"), (9, 102, "session 102 of u1"),
    ] as [(Int, UInt32, String)])
  func `a wrong session is a wrong choice`(_ line: Int, _ session: UInt32, _ name: String) throws {
    var calls = calls
    calls[try index(ofLine: line)] = .saw(session, line: line)
    let result = verify(calls)
    #expect(result.wrongChoices >= 1)
    #expect(result.differences.contains { $0.hasPrefix("line \(line) ") && $0.contains(name) })
  }

  @Test func `any of several equal sessions is right for an event`() {
    let log = [
      Self.request("a", "/1"), Self.request("a", "/2"), Self.request("a", "/3", referrer: "r"),
    ]
    for chosen in [1, 2] as [UInt32] {
      let state = { (session: UInt32, tab: String) in
        var state = ReplayState()
        state.note(tab: tab, bytes: 10, line: Int(session), capacity: 3)
        if session == chosen { state.note(tab: "3", bytes: 10, line: 3, capacity: 3) }
        return state.summary
      }
      let calls: [Call] = [
        .saw(1, line: 1), .saw(2, line: 2), .saw(chosen, line: 3), .ended(1, state(1, "1")),
        .ended(2, state(2, "2")),
      ]
      #expect(verify(calls, of: log).verdict == "verified")
    }
  }

  @Test func `destructions are checked`() throws {
    let place = try #require(
      calls.firstIndex { if case .destroyed = $0 { true } else { false } })
    guard case .destroyed(let victim, let line) = calls[place] else { return }
    var left = calls
    left.remove(at: place)
    #expect(verify(left).wrongDestructions >= 1)
    var other = calls
    other[place] = .destroyed(victim == 100 ? 102 : 100, line: line)
    #expect(verify(other).wrongDestructions >= 1)
    var early = calls
    early[place] = .destroyed(victim, line: line - 1)
    #expect(verify(early).wrongDestructions >= 1)
    var twice = calls
    twice.insert(calls[place], at: place)
    #expect(verify(twice).wrongDestructions == 1)
    #expect(verify(calls + [.destroyed(101, line: 77)]).wrongDestructions == 1)
  }

  @Test func `every state is checked`() throws {
    for (place, call) in calls.enumerated() {
      var calls = calls
      let wrong = { (state: ReplayStateSummary) in
        ReplayStateSummary(
          requests: state.requests, bytes: state.bytes + 1, linesDigest: state.linesDigest,
          tabsDigest: state.tabsDigest)
      }
      switch call {
      case .restored(let session, let state): calls[place] = .restored(session, wrong(state))
      case .ended(let session, let state): calls[place] = .ended(session, wrong(state))
      default: continue
      }
      #expect(verify(calls).verdict == "not verified: 1 wrong states")
    }
  }

  @Test func `a final state is due for each open session, once`() throws {
    let last = try #require(calls.last)
    #expect(verify(calls.dropLast()).verdict == "not verified: 1 wrong states")
    #expect(verify(calls + [last]).verdict == "not verified: 1 wrong states")
    let empty = ReplayState().summary
    #expect(verify(calls + [.ended(999, empty)]).verdict == "not verified: 1 wrong states")
    #expect(verify(calls + [.ended(100, empty)]).wrongStates == 1)
  }

  @Test func `a restoration that no line follows is checked, too`() {
    let empty = ReplayState().summary
    #expect(verify(calls + [.restored(101, empty)]).verdict == "not verified: 1 wrong states")
    #expect(verify(calls + [.restored(999, empty)]).verdict == "not verified: 1 wrong states")
    guard case .ended(let session, let state) = calls.last else { return }
    #expect(verify(calls + [.restored(session, state)]).verdict == "verified")
  }

  @Test func `an empty record loses everything, and the first lines are told`() {
    let log = Self.log + Self.log
    let result = verify([], of: log)
    #expect(result.verdict == "not verified: 18 lost")
    #expect(result.differences.count == ReplayVerification.differenceLimit)
    #expect(result.differences.first == "line 1 (activation u1/1) went to no session")
  }

  @Test(arguments: [(1, 1), (2, 3), (8, 8)])
  func `a generated log is verified with any limits`(_ windows: Int, _ tabs: Int) throws {
    let generator = try AccessLogGenerator(lines: 3_000, users: 40, paths: 50)
    var log: [AccessLogLine] = []
    try generator.generate { line throws in log.append(try AccessLogLine(parsing: line)) }
    var verifier = ReplayVerifier(windows: windows, tabs: tabs)
    for (index, request) in log.enumerated() { verifier.append(request, line: index + 1) }
    let calls = PlayedRun(log, windows: windows, tabs: tabs).calls
    let result = verifier.verify(PlayedRun.record(calls))
    #expect(result.verdict == "verified")
    #expect(result.restorations > 300)
    // With other limits the same run is wrong.
    var other = ReplayVerifier(windows: windows + 1, tabs: tabs)
    for (index, request) in log.enumerated() { other.append(request, line: index + 1) }
    #expect(!other.verify(PlayedRun.record(calls)).isVerified)
  }
}
