// SPDX-License-Identifier: Apache-2.0

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
