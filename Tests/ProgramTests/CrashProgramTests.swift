// SPDX-License-Identifier: Apache-2.0

import Testing

/// `proscenium crash-test`, in small; `make test-crash` runs it at its full size.
@Suite(.timeLimit(.minutes(20))) struct CrashProgramTests {
  private static let small = ["crash-test", "--sessions", "60", "--writers", "8"]

  @Test func `what was acknowledged survives`() async throws {
    let run = try await ProgramRun(Self.small + ["--kills", "40", "--seed", "3"])
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(run.lastLine == "held")
    #expect(run.output.hasPrefix("seed 3\n"))
  }

  @Test func `the process that is killed is nothing to start by hand`() async throws {
    let run = try await ProgramRun(["--help"])
    #expect(run.output.contains("crash-test"))
    #expect(!run.output.contains("crash-writer"))
  }

  @Test(arguments: [["--kills", "-1"], ["--seconds", "0"], ["x"]])
  func `flags that cannot be used are refused`(flags: [String]) async throws {
    let run = try await ProgramRun(["crash-test"] + flags)
    #expect(run.status == 2)
    #expect(run.errorLines == 1, "\(run.errors)")
  }
}
