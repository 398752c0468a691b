// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// How the tests themselves run programs.
@Suite(.timeLimit(.minutes(5))) struct ProgramRunTests {
  #if os(Linux)
    /// Hundreds of programs are run, and starting one looks at every open file of the tests.
    @Test func `a run that has ended leaves no file of its own open`() async throws {
      for _ in 0..<3 { _ = try await ProgramRun(shell: "echo 1; echo 2 >&2") }
      let files = "/proc/self/fd/"
      let left = try FileManager.default.contentsOfDirectory(atPath: files)
        .compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: files + $0) }
        .filter { $0.hasSuffix("/output (deleted)") || $0.hasSuffix("/errors (deleted)") }
      #expect(left.isEmpty)
    }

    /// A shell that is not told of the end of a child waits for it for ever.
    @Test func `a program is started with no signal blocked, as a shell starts it`() async throws {
      let run = try await ProgramRun(shell: "sed -n 's/^SigBlk:[[:space:]]*//p' /proc/self/status")
      #expect(run.lastLine == "0000000000000000")
    }
  #endif
}
