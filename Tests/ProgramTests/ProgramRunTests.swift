// SPDX-License-Identifier: Apache-2.0

import Testing

/// What the tests of programs rest on.
@Suite struct ProgramRunTests {
  #if os(Linux)
    @Test func `a program is started with no signal blocked, as a shell starts it`() async throws {
      // A shell that is never told of the end of a child waits for it for ever.
      let run = try await ProgramRun(shell: "sed -n 's/^SigBlk:[[:space:]]*//p' /proc/self/status")
      #expect(run.lastLine == "0000000000000000")
    }
  #endif
}
