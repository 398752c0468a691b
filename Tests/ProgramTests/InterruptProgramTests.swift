// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// What Ctrl-C, or any other signal that asks for the end, leaves of a run.
@Suite(.timeLimit(.minutes(20))) struct InterruptProgramTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.path + "/tmp", withIntermediateDirectories: false)
  }

  /// The files that a run has left in its folder for temporary files.
  private var leftovers: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path + "/tmp") }
  }

  /// Runs a command and sends it signals when a condition of the shell is true.
  ///
  /// The signals arrive together: the program is stopped while they are sent.
  ///
  /// - Returns: The exit code as the shell knows it, what was written to standard output, and all
  ///   that was written to standard error.
  private func run(
    _ arguments: String, signals: [String], when condition: String
  ) async throws -> (status: Int, output: String, errors: String) {
    let signals = (["STOP"] + signals + ["CONT"]).map { "kill -s \($0) $p" }
    let run = try await ProgramRun(
      shell: """
        cd '\(folder.path)'
        TMPDIR=$PWD/tmp "$program" \(arguments) > out.txt 2> err.txt & p=$!
        until \(condition) || ! kill -s 0 $p; do sleep 0.1; done
        \(signals.joined(separator: "; "))
        wait $p; echo $?
        """)
    let status = try #require(run.output.split(separator: "\n").last.flatMap { Int($0) })
    return (status, try folder.text("out.txt"), try folder.text("err.txt"))
  }

  // MARK: - load

  private static let load =
    "load --sessions 50 --rate 500 --duration 600s --warmup 0s --metrics-port 0 "

  /// Whether events were delivered, as the program's metrics say.
  private static let isDelivering = """
    python3 -c 'import re, sys, urllib.request
    url = re.search("metrics: (.*)", open("out.txt").read() + open("err.txt").read())
    text = urllib.request.urlopen(url[1]).read().decode() if url else ""
    sys.exit(not re.search("proscenium_load_events_delivered_total [1-9]", text))' 2>/dev/null
    """

  @Test(arguments: ["INT", "TERM", "HUP"])
  func `a load that is stopped says so wherever its results are`(signal: String) async throws {
    let run = try await run(
      Self.load + "--csv load.csv --report load.html", signals: [signal],
      when: Self.isDelivering)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("\nstopped early: what follows is about what ran until then\n"))
    #expect(run.output.hasSuffix("\nheld, stopped early\n"))
    let table = try CSVTable(folder.text("load.csv"))
    #expect(table.value(of: "complete") == "0")
    #expect(table.value(of: "verdict") == "1")
    #expect(try folder.text("load.html").contains("stopped early"))
    #expect(try leftovers == [])
  }

  @Test func `a load that is stopped says so in its JSON`() async throws {
    let run = try await run(
      Self.load + "--json", signals: ["INT"], when: Self.isDelivering)
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    #expect(object["complete"] as? Bool == false)
    #expect(object["verdict"] as? String == "held, stopped early")
  }

  @Test func `a second signal leaves no folder of a load behind`() async throws {
    let run = try await run(Self.load, signals: ["INT", "TERM"], when: Self.isDelivering)
    #expect([128 + SIGINT, 128 + SIGTERM].contains(Int32(run.status)))
    #expect(!run.output.contains("held"))
    #expect(try leftovers == [])
  }

  @Test func `a search that is stopped has not found the highest rate`() async throws {
    let run = try await run(
      """
      load --find-rate --sessions 50 --rate 100 --duration 1s --warmup 0s --store memory \
      --disconnects 0 --discards 0
      """, signals: ["INT"], when: "grep -q ' held' out.txt")
    #expect(run.output.hasSuffix("held, stopped early\n"), "\(run.output)")
    #expect(!run.output.contains("highest rate held"))
  }

  // MARK: - The others

  @Test func `a pipe that is closed in the middle leaves no folder behind`() async throws {
    // The first line is there at once, the others when the load is over.
    let run = try await ProgramRun(
      shell: """
        cd '\(folder.path)'
        export TMPDIR=$PWD/tmp
        { "$program" load --sessions 100 --rate 500 --duration 2s 2> err.txt
          echo $? > status; } | head -n 1
        cat status err.txt
        """)
    #expect(run.output.hasSuffix("\n\(128 + SIGPIPE)\n"), "\(run.output)")
    #expect(try leftovers == [])
  }

  @Test(arguments: [["INT"], ["TERM", "INT"]])
  func `a crash test that is stopped says so, and leaves no folder`(
    signals: [String]
  ) async throws {
    let run = try await run(
      "crash-test --sessions 60 --writers 8 --kills 1000000", signals: signals,
      when: "ls tmp/*/* | grep -q .")
    if signals.count == 1 {
      #expect(run.status == 0, "\(run.errors)")
      #expect(run.output.hasSuffix("\nheld, stopped early\n"))
    } else {
      #expect(run.status > 128)
    }
    #expect(try leftovers == [])
  }

  @Test func `seeds that were not run are said to be missing`() async throws {
    let run = try await run(
      "simulate --seeds 1000000000 --steps 50 --trace trace.txt", signals: ["INT"],
      when: "grep -q steps out.txt")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains(/\n[0-9]+ seeds passed, 0 failed, stopped early\n$/))
    #expect(try folder.text("trace.txt").hasSuffix("stopped early\n"))
  }
}
