// SPDX-License-Identifier: Apache-2.0

import Testing

/// `proscenium crash-test`, in small; `make test-crash` runs it at its full size.
@Suite(.timeLimit(.minutes(20))) struct CrashProgramTests {
  private static let small = ["crash-test", "--sessions", "60", "--writers", "8"]

  @Test(
    arguments: [
      ["--point", "insideCommit", "--point", "insideCreation", "--kills", "3", "--seed", "1"],
      ["--point", "afterCommit", "--kills", "3", "--seed", "2"],
      ["--point", "insideRotation", "--kills", "6", "--seed", "3"],
    ])
  func `what was acknowledged survives`(flags: [String]) async throws {
    let run = try await ProgramRun(Self.small + flags)
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(run.lastLine == "held")
    #expect(run.output.hasPrefix("seed \(flags.last ?? "")\n"))
  }

  #if DEBUG
    @Test(arguments: ["early", "lost", "swapped", "kept", "torn"])
    func `a store that makes a mistake is found out`(mistake: String) async throws {
      // It ends with the first violation; a torn commit is found only if the kill comes inside it.
      // The store that shows the mistake is kept.
      let folder = try TemporaryFolder()
      let run = try await ProgramRun(
        Self.small + ["--point", "afterCommit", "--kills", "80", "--mistake", mistake],
        environment: ["TMPDIR": folder.path])
      #expect(run.isExit)
      #expect(run.status == 1, "\(run.output)\(run.errors)")
      #expect(run.lastLine?.hasPrefix("violated: ") == true)
    }
  #endif

  @Test func `the process that is killed is nothing to start by hand`() async throws {
    let run = try await ProgramRun(["--help"])
    #expect(run.output.contains("crash-test"))
    #expect(!run.output.contains("crash-writer"))
  }

  @Test(arguments: [["--kills", "-1"], ["--seconds", "0"], ["--point", "nowhere"], ["x"]])
  func `flags that cannot be used are refused`(flags: [String]) async throws {
    let run = try await ProgramRun(["crash-test"] + flags)
    #expect(run.status == 2)
    #expect(run.errorLines == 1, "\(run.errors)")
  }
}
