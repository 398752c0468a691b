// SPDX-License-Identifier: Apache-2.0

import Testing

/// `proscenium simulate`, as people run it.
@Suite(.timeLimit(.minutes(20))) struct SimulateProgramTests {
  @Test func `two processes with the same seed write the same`() async throws {
    let folder = try TemporaryFolder()
    var traces: [String] = []
    for number in 0..<2 {
      let name = "trace\(number).txt"
      let run = try await ProgramRun([
        "simulate", "--seed", "18446744073709551615", "--seeds", "3", "--steps", "800",
        "--trace", folder.path + "/" + name,
      ])
      #expect(run.status == 0)
      #expect(run.lastLine == "3 seeds passed, 0 failed")
      traces.append(try folder.text(name))
    }
    #expect(traces[0] == traces[1])
    // The seeds go round the end of 64 bits.
    #expect(traces[0].contains("seed 18446744073709551615 "))
    #expect(traces[0].contains("\nseed 1 "))
  }

  @Test func `seeds are drawn unless one is given, and said`() async throws {
    var runs: [ProgramRun] = []
    for _ in 0..<2 {
      runs.append(try await ProgramRun(["simulate", "--seeds", "2", "--steps", "50"]))
    }
    #expect(runs.allSatisfy { $0.lastLine == "2 seeds passed, 0 failed" })
    #expect(runs[0].output.split(separator: "\n")[0] != runs[1].output.split(separator: "\n")[0])
  }

  @Test func `options can be set, and are listed`() async throws {
    let run = try await ProgramRun([
      "simulate", "--seed", "1", "--steps", "200", "--set", "clients=1,lives=2",
    ])
    #expect(run.lastLine == "1 seeds passed, 0 failed")
    #expect(run.output.contains("lives=2"))
    let list = try await ProgramRun(["simulate", "--options"])
    #expect(list.output.contains("lives"))
    #expect(list.status == 0)
  }

  @Test(arguments: [
    ["--seeds", "0"], ["--steps", "0"], ["--seed", "-1"], ["--set", "nothing=1"],
    ["--set", "clients=9"], ["--set", "clients"], ["--set", "clients=1,clients=2"],
    ["--trace", "/nowhere/trace.txt"],
  ])
  func `what cannot be used ends with 2`(arguments: [String]) async throws {
    let run = try await ProgramRun(["simulate"] + arguments)
    #expect(run.status == 2)
    #expect(!run.errors.isEmpty)
  }
}
