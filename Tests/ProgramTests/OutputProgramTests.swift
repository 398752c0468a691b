// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// What every command does when its output cannot be written.
@Suite(.timeLimit(.minutes(20))) struct OutputProgramTests {
  /// Input of every kind: a task that all tests wait for, so that it is made once.
  private static let made = Task { try await makeInput() }

  private static func makeInput() async throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let log = folder.path + "/access.log"
    try #require(
      try await ProgramRun(["generate-log", "--lines", "200", "--output", log]).status == 0)
    for arguments in [
      ["replay", log, "--store", folder.path + "/windows"],
      load + ["--csv", folder.path + "/runs.csv"],
    ] {
      let run = try await ProgramRun(arguments)
      try #require(run.status == 0, "\(run.errors)")
    }
    _ = try folder.file("Info.plist", ManifestPage().file)
    _ = try folder.file("sessions.json", #"[{"id": "inbox"}]"#)
    let suite = #"{"format": "scene-routing/1", "cases": []}"#
    _ = try folder.file("suite.json", suite)
    return folder
  }

  private static let load = [
    "load", "--sessions", "50", "--rate", "500", "--duration", "1s", "--warmup", "0s", "--store",
    "memory", "--seed", "1",
  ]

  /// Commands with arguments, in which `@` is the folder of the input.
  private static let commands: [[String]] = [
    ["--help"], ["--version"], ["help", "load"], ["load", "--help"],
    ["--generate-completion-script", "bash"], ["--experimental-dump-help"],
    load, load + ["--json"], load + ["--quiet"], ["load", "--list-scenarios"],
    ["replay", "@/access.log"], ["replay", "@/access.log", "--store", "@/windows"],
    ["report", "@/runs.csv", "-o", "@/one.html"],
    ["report", "@/runs.csv", "@/runs.csv", "-o", "@/two.html", "--threshold", "1%"],
    ["generate-log", "--lines", "3"], ["generate-log", "--lines", "3", "--output", "-"],
    ["simulate", "--seed", "1", "--steps", "50"], ["simulate", "--options"],
    ["policy", "@/access.log"],
    ["route", "--conditions", "@/sessions.json", "--identifier", "a"],
    ["route", "--conditions", "@/sessions.json", "--identifier", "a", "--json"],
    ["route", "--conditions", "@/sessions.json", "--identifier", "a", "--explain"],
    ["predicate", "SELF == 'a'"], ["predicate", "SELF == 'a'", "--match", "a"],
    ["conform", "@/suite.json"],
    ["manifest", "@/Info.plist"], ["manifest", "@/Info.plist", "--json"],
    ["inspect", "@/windows"], ["inspect", "@/windows", "--json"],
    ["verify", "@/windows"], ["backup", "@/windows", "@/copy"],
    ["forget", "@/windows", "--all", "--yes"], ["store", "--help"],
    ["crash-test", "--kills", "1", "--sessions", "10"],
    ["crash-writer", "--store", "@/crashed", "--key", "@/crashed.key"],
  ]

  /// Runs a command on a copy of the input.
  private static func run(_ arguments: [String], output: FileHandle) async throws -> ProgramRun {
    let folder = try TemporaryFolder()
    let input = folder.path + "/input"
    try FileManager.default.copyItem(atPath: try await made.value.path, toPath: input)
    return try await ProgramRun(
      arguments.map { $0.replacing("@", with: input) }, output: output)
  }

  @Test func `every command is among those whose output is taken away`() async throws {
    struct Help: Decodable {
      struct Command: Decodable {
        let commandName: String
        let subcommands: [Command]?
      }
      let command: Command
    }
    let run = try await ProgramRun(["--experimental-dump-help"])
    let help = try JSONDecoder().decode(Help.self, from: Data(run.output.utf8))
    let names = Set(try #require(help.command.subcommands).map(\.commandName))
    #expect(names.count > 10)
    #expect(names.subtracting(Self.commands.map { $0[0] }).isEmpty)
  }

  #if os(Linux)
    @Test(arguments: commands)
    func `output that cannot be written is exit code 2, and one line says so`(
      arguments: [String]
    ) async throws {
      let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
      let run = try await Self.run(arguments, output: full)
      try full.close()
      #expect(run.isExit)
      #expect(run.status == 2)
      #expect(run.errorLines == 1, "\(run.errors)")
      #expect(run.errors.hasPrefix("proscenium: standard output: "), "\(run.errors)")
      #expect(run.errors.hasSuffix(": No space left on device.\n"), "\(run.errors)")
    }

    @Test func `what does not fit as a whole counts as not written`() async throws {
      // The file has room for some of the text.
      let folder = try TemporaryFolder()
      let file = try folder.file("most", Data(count: 1_020))
      let run = try await ProgramRun(
        shell: """
          trap '' XFSZ; ulimit -f 2; "$program" predicate "SELF == 'a'" >> '\(file)'
          echo "$?"; wc -c < '\(file)'
          """)
      #expect(run.output == "2\n1024\n", "\(run.output)")
      #expect(
        run.errors == "proscenium: standard output: expected that more can be written: "
          + "File too large.\n")
    }
  #endif

  @Test(arguments: commands)
  func `a closed pipe ends every command quietly, by the signal`(
    arguments: [String]
  ) async throws {
    let pipe = Pipe()
    try pipe.fileHandleForReading.close()
    let run = try await Self.run(arguments, output: pipe.fileHandleForWriting)
    try pipe.fileHandleForWriting.close()
    #expect(!run.isExit && run.status == SIGPIPE, "\(run.status)")
    #expect(run.errors.isEmpty, "\(run.errors)")
  }

  @Test func `a pipe that does not wait for room is waited for`() async throws {
    let pipe = Pipe()
    let end = pipe.fileHandleForWriting.fileDescriptor
    #expect(fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK) == 0)
    let read = try await ProgramRun(
      ["generate-log", "--lines", "5000"], output: pipe.fileHandleForWriting
    ) { _ in
      try pipe.fileHandleForWriting.close()
      let text = try pipe.fileHandleForReading.readToEnd() ?? Data()
      #expect(text.count { $0 == UInt8(ascii: "\n") } == 5_000)
    }
    #expect(read.status == 0, "\(read.errors)")
  }

  @Test func `a program without standard output writes no results into its files`() async throws {
    let folder = try await Self.made.value.path
    let own = try TemporaryFolder()
    let run = try await ProgramRun(
      shell: """
        cd '\(own.path)'
        "$program" policy '\(folder)/access.log' --csv policy.csv >&-; echo $?
        "$program" report policy.csv -o page.html
        """)
    #expect(run.output == "2\nreport: page.html, 1 runs\n", "\(run.errors)")
    #expect(
      run.errors == "proscenium: standard output: expected that more can be written: "
        + "Bad file descriptor.\n")
    // Who has nothing to say there needs none.
    let log = own.path + "/access.log"
    let silent = try await ProgramRun(
      shell: """
        "$program" generate-log --lines 5 -o '\(log)' <&- >&- 2>&-; echo $?; wc -l < '\(log)'
        """)
    #expect(silent.output == "0\n5\n")
  }

  @Test func `an error that ends a command is said, and not that its output failed`() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("none", "no store")
    let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
    let run = try await ProgramRun(["verify", file], output: full)
    try full.close()
    #expect(run.status == 2)
    #expect(run.errorLines == 1, "\(run.errors)")
    #expect(run.errors.contains(file))
  }

  @Test func `a message on standard error that cannot be written changes nothing`() async throws {
    // With --json it says there where the page is.
    let arguments = Self.load + ["--json", "--dashboard"]
    let pipe = Pipe()
    try pipe.fileHandleForReading.close()
    let unread = try await ProgramRun(arguments, errors: pipe.fileHandleForWriting)
    try pipe.fileHandleForWriting.close()
    let closed = try await ProgramRun(
      shell: "\"$program\" \(arguments.joined(separator: " ")) 2>&-")
    for run in [unread, closed] {
      #expect(run.isExit && run.status == 0)
      #expect(run.output.contains(#""verdict":"held""#))
    }
  }
}
