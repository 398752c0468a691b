// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumClientProtocol

/// What one client has sent and was shown, and what of it must not be: a pure value.
struct TrialBook: Sendable {
  let client: Int
  /// How many inputs were sent; they are numbered from 1, and say their numbers.
  private(set) var sent: UInt64 = 0
  private(set) var acknowledged: UInt64 = 0
  private(set) var lastSeen: FrameNumber?
  /// What the client shows, or `nil` if the next frame has to be a whole one.
  private(set) var shown: TallyState?
  /// The run of the server to which the last line led.
  private(set) var run: UInt64?
  /// How often a reset came, by its cause, and how often a line was resumed.
  private(set) var resets: [OutputReset: Int] = [:]
  private(set) var resumed = 0
  /// How often frames were void after a break alone.
  private(set) var resetsWithoutCause = 0
  private(set) var findings: [String] = []

  init(client: Int) {
    self.client = client
  }

  private mutating func expect(_ isRight: Bool, _ finding: String) {
    if !isRight, findings.count < 5 { findings.append("client \(client): \(finding)") }
  }

  /// The inputs that have to be sent again.
  var pending: ClosedRange<UInt64>? { acknowledged < sent ? acknowledged + 1...sent : nil }

  /// Sends one more input.
  mutating func send() -> UInt64 {
    sent += 1
    return sent
  }

  /// Takes note of a line.
  mutating func take(_ welcome: ClientWelcome) {
    expect(
      welcome.lastInput >= acknowledged,
      "input \(acknowledged) was acknowledged, and \(welcome.lastInput) is the last")
    expect(
      welcome.lastInput >= shown?.count ?? 0,
      "input \(shown?.count ?? 0) was shown, and \(welcome.lastInput) is the last")
    expect(welcome.lastInput <= sent, "input \(welcome.lastInput) was not sent")
    acknowledged = max(acknowledged, welcome.lastInput)
    // The upper half of an epoch is the store's: each run of the server has another one.
    let new = welcome.epoch >> 32
    expect(new >= run ?? 0, "run \(new) follows run \(run ?? 0)")
    if let reset = welcome.reset {
      // A line that broke before anything was shown had its reset already.
      let isAgain = new == run && shown == nil
      if !isAgain { resets[reset, default: 0] += 1 }
      if new == run, !isAgain, reset != .overflow { resetsWithoutCause += 1 }
      shown = nil
    } else {
      resumed += 1
      expect(welcome.epoch == lastSeen?.epoch, "a line goes on in another epoch")
    }
    run = new
  }

  /// Takes note of a frame.
  mutating func take(_ frame: SceneFrame) {
    let text = frame.content.string
    if let lastSeen, shown != nil {
      expect(
        frame.number.epoch == lastSeen.epoch && frame.number.count == lastSeen.count + 1,
        "frame \(frame.number.count) came after frame \(lastSeen.count)")
    }
    lastSeen = frame.number
    if text.hasPrefix("="), let state = TallyState(text.dropFirst()) {
      if let shown { expect(state == shown, "\(text) came while \(shown.text) is shown") }
      shown = state
      return
    }
    let parts = text.dropFirst().split(separator: " ")
    guard text.hasPrefix("+"), parts.count == 2, let input = UInt64(parts[0]),
      let state = TallyState(parts[1])
    else { return expect(false, "\(text) is no frame of a tally") }
    guard var next = shown else { return expect(false, "\(text) came before a whole frame") }
    next.take(input)
    expect(input == next.count, "input \(input) is number \(next.count)")
    expect(state == next, "\(text) follows \(shown?.text ?? "nothing")")
    shown = state
  }

  /// Shows nothing any more.
  mutating func forget() {
    (lastSeen, shown) = (nil, nil)
  }

  /// Takes note of an acknowledgement.
  mutating func acknowledge(_ input: UInt64) {
    expect(input <= sent, "input \(input) is acknowledged, and was not sent")
    acknowledged = max(acknowledged, input)
  }

  /// Checks that everything has come, once and in order.
  mutating func finish() {
    var right = TallyState()
    for input in stride(from: 1, through: sent, by: 1) { right.take(input) }
    expect(acknowledged == sent, "\(acknowledged) of \(sent) inputs are acknowledged")
    expect(shown == right, "\(shown?.text ?? "nothing") is shown, not \(right.text)")
  }
}
