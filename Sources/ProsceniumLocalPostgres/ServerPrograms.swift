// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
  package import Foundation

  /// PostgreSQL's programs, and how programs are run.
  package struct ServerPrograms: Sendable {
    /// Who runs the server where the tests are run by root, whom it refuses.
    static let owner = "postgres"
    static let isRoot = geteuid() == 0

    /// The folder that has them.
    package let folder: String

    package func path(_ program: String) -> String { folder + "/" + program }

    /// The programs of the newest version that Debian's packages have installed, or those on
    /// `PATH`.
    package static func found() throws -> ServerPrograms {
      let debian = "/usr/lib/postgresql"
      let versions = (try? FileManager.default.contentsOfDirectory(atPath: debian)) ?? []
      let folders = versions.sorted { (Double($0) ?? 0) > (Double($1) ?? 0) }
        .map { "\(debian)/\($0)/bin" }
      let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
      let needed = ["initdb", "pg_ctl", "postgres", "psql"]
      for folder in folders + path.split(separator: ":").map(String.init) {
        let paths = needed.map { folder + "/" + $0 }
        if paths.allSatisfy(FileManager.default.isExecutableFile) {
          return ServerPrograms(folder: folder)
        }
      }
      throw ProgramFailure(
        description: "no folder of \(debian) or PATH has \(needed.joined(separator: ", ")): "
          + "scripts/bootstrap --test installs them")
    }

    /// A command, to be run as the one who owns the server.
    package static func asOwner(_ command: [String]) -> [String] {
      guard isRoot else { return command }
      return ["setpriv", "--reuid=\(owner)", "--regid=\(owner)", "--clear-groups"] + command
    }

    /// Commands of bash that close all files but the usual three.
    static let closeFiles = """
      for file in /dev/fd/*; do
        file="${file##*/}"
        if ((file > 2)); then eval "exec $file>&-"; fi
      done
      """

    /// Runs a program to its end, and gives what it wrote to its output.
    ///
    /// Throws ``ProgramFailure``, with what it wrote to its errors, if its status is not 0. A task
    /// that is cancelled ends the program, unless it is to come to its end.
    package static func run(
      _ command: [String], in folder: String = "/", environment: [String: String] = [:],
      input: FileHandle = .nullDevice, toItsEnd: Bool = false
    ) async throws -> String {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = command
      process.currentDirectoryURL = URL(fileURLWithPath: folder)
      process.environment = usualEnvironment.merging(environment) { $1 }
      process.standardInput = input
      // Files, not pipes: none has to be emptied while the program runs.
      let (output, errors) = (try temporaryFile(), try temporaryFile())
      // By hand: nothing tells when a `Process` lets go of its files.
      defer {
        try? output.close()
        try? errors.close()
      }
      process.standardOutput = output
      process.standardError = errors
      // Awaited without a thread, which would run no other test.
      if toItsEnd {
        try await withCheckedThrowingContinuation { end in
          process.terminationHandler = { _ in end.resume() }
          do { try start(process) } catch { end.resume(throwing: error) }
        }
      } else {
        try await runWhileWanted(process)
      }
      guard process.terminationReason == .exit, process.terminationStatus == 0 else {
        throw ProgramFailure(
          description: "\(command.joined(separator: " ").prefix(400)): status "
            + "\(process.terminationStatus)\n\(try text(errors))\(try text(output))")
      }
      return try text(output)
    }

    /// Runs a process until it ends, or until the task is cancelled.
    private static func runWhileWanted(_ process: Process) async throws {
      let (end, ended) = AsyncStream<Never>.makeStream()
      process.terminationHandler = { _ in ended.finish() }
      try start(process)
      // A test that has failed, or whose time is over, leaves no program behind.
      defer { if process.isRunning { process.terminate() } }
      for await _ in end {}
      try Task.checkCancellation()
    }

    /// Without what is set for another server.
    private static var usualEnvironment: [String: String] {
      ProcessInfo.processInfo.environment
        .filter { !$0.key.hasPrefix("PG") && !$0.key.hasPrefix("LC_") }
        .merging(["LC_ALL": "C"]) { $1 }
    }

    /// Starts a program with no signal blocked: threads of a pool block most, and pass that on.
    private static func start(_ process: Process) throws {
      var (none, before) = (sigset_t(), sigset_t())
      unsafe sigemptyset(&none)
      unsafe pthread_sigmask(SIG_SETMASK, &none, &before)
      defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
      try process.run()
    }

    /// An open file without a name.
    private static func temporaryFile() throws -> FileHandle {
      let path = FileManager.default.temporaryDirectory.path + "/proscenium-" + RandomText.make()
      try Data().write(to: URL(fileURLWithPath: path))
      defer { try? FileManager.default.removeItem(atPath: path) }
      return try FileHandle(forUpdating: URL(fileURLWithPath: path))
    }

    private static func text(_ file: FileHandle) throws -> String {
      try file.seek(toOffset: 0)
      return String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
    }
  }

  /// A program could not do what it was run for.
  package struct ProgramFailure: Error, CustomStringConvertible {
    package let description: String
  }
#endif
