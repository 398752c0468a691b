// SPDX-License-Identifier: Apache-2.0

import Proscenium
import Testing

@testable import ProsceniumLoad

@Suite struct CrashReportTests {
  private static let session = SessionIdentifier(high: .max, low: 1)

  @Test(
    arguments: [
      .ready, .found(session, sequence: 0, counter: .max), .activating(session),
      .activated(session), .ordered(session), .durable(session, sequence: 7),
      .effect(session, sequence: .max), .leaving(session), .gone(session),
      .refused(session, sequence: 3, code: "notDurable"), .wrong("this and that"), .wrong(""),
    ] as [CrashReport])
  func `a line gives back its report`(report: CrashReport) {
    let line = report.line
    #expect(line.last == "\n")
    #expect(line.utf8.count <= CrashReport.lineLimit)
    #expect(CrashReport(line.dropLast()) == report)
  }

  @Test func `no line is longer than what a pipe keeps together`() {
    let report = CrashReport.wrong(String(repeating: "ä\n", count: 5_000))
    #expect(report.line.utf8.count <= CrashReport.lineLimit)
    #expect(report.line.split(separator: "\n").count == 1)
  }

  @Test(
    arguments: [
      "", "ready now", "durable", "durable x 1", "durable \(session)", "durable \(session) x",
      "durable \(session) 1 2", "found \(session) 1", "found \(session) 1 x", "gone \(session) 1",
      "refused \(session) 1", "other \(session) 1",
    ])
  func `another text is no report`(text: String) {
    #expect(CrashReport(text[...]) == nil)
  }

  @Test func `a state says whose it is and from which write`() throws {
    let (one, other) = (SessionIdentifier(high: 1, low: 2), SessionIdentifier(high: 2, low: 1))
    for sequence in [1, 7, 8, 1_000_000] {
      let state = CrashState(session: one, sequence: sequence)
      #expect(CrashState(state.activity, of: one) == state)
      #expect(CrashState(state.activity, of: other) == nil)
      var mixed = state.activity
      mixed.userInfo["sequence"] = .integer(Int64(sequence) + 1)
      #expect(CrashState(mixed, of: one) == nil)
    }
    #expect(CrashState(nil, of: one)?.sequence == 0)
    let titles = [0, 7, 8, 15, 16].map { CrashState(session: one, sequence: $0).title }
    #expect(titles == [nil, nil, "8", "8", "16"])
  }

  @Test(
    arguments: [
      CrashOrder(sequence: 1, previous: 0, hasEffect: false),
      CrashOrder(sequence: 9, previous: nil, hasEffect: true),
    ])
  func `a message gives back its order`(order: CrashOrder) {
    #expect(CrashOrder(order.message) == order)
  }
}
