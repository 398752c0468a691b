// SPDX-License-Identifier: Apache-2.0

import Testing

/// The trial of clients whose server is killed, at a small size: `make test-clients` is the large
/// one.
@Suite(.timeLimit(.minutes(10))) struct ClientTrialTests {
  @Test func `clients lose nothing to broken lines, a kill and a restart`() async throws {
    let run = try await ProgramRun(
      product: "ClientTrial",
      [
        "run", "--clients", "30", "--seconds", "4", "--rate", "150", "--breaks", "15", "--kills",
        "1", "--restarts", "1",
      ])
    #expect(run.lastLine == "held", "\(run.output)\(run.errors)")
    #expect(run.status == 0)
    #expect(run.output.contains("1 kills, 1 restarts in order"))
    let resumed = run.output.split(separator: "\n").first { $0.hasPrefix("resumed ") }
    #expect(resumed?.split(separator: " ").last.flatMap { Int($0) } ?? 0 > 0)
  }
}
