// SPDX-License-Identifier: Apache-2.0

/// Checks a run against a plain sequential fold over its log.
///
/// It shares no code with the runtime. The driver gives it each request as it reads the log, so
/// that a log from a pipe can be verified, too, and at the end what the run recorded. From the run
/// it takes only which session each line went to, which sessions were destroyed, and the states
/// that were seen; it checks all of it against its own model of the browser:
///
/// - A request goes to a session of its user that has the path among its tabs (*prefers*).
/// - If there is none: an event (a request with a referrer) goes to any open session of its user
///   (*can*); an activation (without one) goes to a new session.
/// - An event of a user without an open session goes to a new one.
/// - An activation that needs a new session while `windows` sessions of the user are open
///   destroys the least recently used of them first. Nothing else destroys a session.
///
/// Of several equal sessions any one is accepted: R-RT-6 decides by their states at the moment of
/// admission, which only the runtime knows. 32 bytes a request, and each path and user once.
public struct ReplayVerifier: Sendable {
  struct Request: Sendable {
    let line: Int
    let bytes: Int64
    let user: Int32
    let path: Int32
    let isActivation: Bool
  }

  let windows: Int
  let tabCapacity: Int
  private(set) var requests: [Request] = []
  // The short forms of all paths; requests and tabs name them by their index.
  private(set) var paths: [String] = []
  private var pathIndex: [String: Int32] = [:]
  private var users = ReplayUsers()

  /// Makes a verifier for a run with these limits.
  ///
  /// - Parameters:
  ///   - windows: The largest number of open sessions of a user.
  ///   - tabs: The number of tabs of a session.
  public init(windows: Int, tabs: Int) {
    self.windows = windows
    tabCapacity = tabs
  }

  /// The number of users so far.
  public var userCount: Int { users.count }

  /// Adds the next request of the log.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - line: The number of its line; larger than that of the request before.
  public mutating func append(_ request: AccessLogLine, line: Int) {
    let user = Int32(clamping: users.user(of: request).number - 1)
    let tab = ReplayIdentifier.tab(forPath: request.location)
    let nextPath = Int32(clamping: paths.count)
    let path = pathIndex[tab, default: nextPath]
    if path == nextPath {
      pathIndex[tab] = path
      paths.append(tab)
    }
    requests.append(
      Request(
        line: line, bytes: request.bytes, user: user, path: path,
        isActivation: request.referrer == nil))
  }

  /// Folds over the log and compares it with what the run recorded.
  public func verify(_ run: ReplayRun) -> ReplayVerification {
    var fold = ReplayFold(self, run)
    return fold.result()
  }

  /// Finds the index of the request of a line, in O(log n).
  func index(ofLine line: Int) -> Int? {
    var low = 0
    var high = requests.count
    while low < high {
      let middle = (low + high) / 2
      if requests[middle].line < line { low = middle + 1 } else { high = middle }
    }
    return low < requests.count && requests[low].line == line ? low : nil
  }
}

/// Says how far a run agrees with the plain fold over its log.
public struct ReplayVerification: Hashable, Sendable {
  /// The number of differences that are told in words.
  public static let differenceLimit = 10

  /// The number of requests in the log.
  public internal(set) var requests = 0
  /// The number of users in the log.
  public internal(set) var users = 0
  /// The number of sessions that saw a line.
  public internal(set) var sessions = 0
  /// The number of restored states that were compared.
  public internal(set) var restorations = 0
  /// The number of final states that were compared.
  public internal(set) var finalStates = 0

  /// The number of requests that no session saw.
  public internal(set) var lost = 0
  /// The number of times that a request was seen once too often.
  public internal(set) var duplicated = 0
  /// The number of times that a session saw a request after a later one.
  public internal(set) var reordered = 0
  /// The number of sightings of lines that are no requests.
  public internal(set) var unexpected = 0
  /// The number of requests that went to a session to which they should not have gone.
  public internal(set) var wrongChoices = 0
  /// The number of destructions that were not due, were left out, or met the wrong session.
  public internal(set) var wrongDestructions = 0
  /// The number of restored and final states that differ, are missing or have no session.
  public internal(set) var wrongStates = 0
  /// The first differences, in sentences with the numbers of their lines.
  public internal(set) var differences: [String] = []

  init() {}

  /// Says whether the run agrees with the fold in everything.
  public var isVerified: Bool { counts.allSatisfy { $0.count == 0 } }

  /// The verdict in one line: `verified`, or `not verified:` and what differs how often.
  public var verdict: String {
    if isVerified { return "verified" }
    let found = counts.filter { $0.count > 0 }.map { "\($0.count) \($0.name)" }
    return "not verified: " + found.joined(separator: ", ")
  }

  private var counts: [(name: String, count: Int)] {
    [
      ("lost", lost), ("duplicated", duplicated), ("reordered", reordered),
      ("unexpected", unexpected), ("wrong choices", wrongChoices),
      ("wrong destructions", wrongDestructions), ("wrong states", wrongStates),
    ]
  }

  mutating func note(
    _ counter: WritableKeyPath<ReplayVerification, Int>, _ sentence: String
  ) {
    self[keyPath: counter] += 1
    if differences.count < Self.differenceLimit { differences.append(sentence) }
  }
}

/// Keeps what a run tells the verifier: where each line went, and which states were seen.
///
/// The driver calls the methods from the callbacks of the scenes, behind its own lock. The calls
/// of one session must come in the order of its callbacks, and what concerns a line of a user
/// before anything that concerns the user's next line; nothing else about the order matters.
/// 16 bytes a line and 56 a restoration.
public struct ReplayRun: Sendable {
  /// Names a session towards the verifier, in whatever way the driver likes.
  public typealias Label = UInt32

  struct Sighting: Sendable {
    let line: Int
    let session: Label
  }

  struct Restoration: Sendable {
    let session: Label
    let state: ReplayStateSummary
    // The number of sightings, in the whole run, before it.
    let position: Int
  }

  struct Destruction: Sendable {
    let session: Label
    let line: Int
    let state: ReplayStateSummary?
  }

  private(set) var sightings: [Sighting] = []
  private(set) var restorations: [Restoration] = []
  private(set) var destructions: [Destruction] = []
  private(set) var endings: [(session: Label, state: ReplayStateSummary)] = []

  /// Makes an empty record.
  public init() {}

  /// Records that a session saw a line, whether in its connection options or as an event.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - line: The number of the line in the log, from 1.
  public mutating func saw(_ session: Label, line: Int) {
    sightings.append(Sighting(line: line, session: session))
  }

  /// Records that a session was connected again, and the state that it got back.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - state: The restored state, before the line for which it was connected.
  public mutating func restored(_ session: Label, state: ReplayStateSummary) {
    restorations.append(
      Restoration(session: session, state: state, position: sightings.count))
  }

  /// Records that the driver had a session destroyed, to make room for another one.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - line: The number of the line that needed the room.
  ///   - state: The state that went with the session, if it is known.
  public mutating func destroyed(
    _ session: Label, before line: Int, state: ReplayStateSummary? = nil
  ) {
    destructions.append(Destruction(session: session, line: line, state: state))
  }

  /// Records the state of an open session after the last line, be it connected or not.
  ///
  /// - Parameters:
  ///   - session: The session; every open one has to be recorded once.
  ///   - state: The state of its scene, or the captured one if it is not connected.
  public mutating func ended(_ session: Label, state: ReplayStateSummary) {
    endings.append((session, state))
  }
}
