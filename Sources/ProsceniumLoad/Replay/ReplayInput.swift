// SPDX-License-Identifier: Apache-2.0

/// What was read of a log.
struct ReplayInput: Sendable {
  /// How many malformed lines are shown.
  static let malformedShown = 5

  var verifier: ReplayVerifier
  var lines = 0
  var malformedCount = 0
  var malformed: [String] = []
  var time = LogTime()
  /// Whether the log was read to its end.
  var isComplete = false
  /// The line after which the run went on, or nil if it was the first one.
  var continuation: Int?

  mutating func note(_ line: AccessLogLine, _ request: ReplayRequest) {
    time.advance(to: line.time)
    verifier.append(line, line: request.line)
  }

  mutating func note(_ error: AccessLogSyntaxError, line: Int) {
    malformedCount += 1
    if malformed.count < Self.malformedShown { malformed.append("line \(line): \(error)") }
  }
}
