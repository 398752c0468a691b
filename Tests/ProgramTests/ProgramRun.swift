// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// One run of the built program, and what came out of it.
struct ProgramRun {
  let status: Int32
  /// Whether the program ended by itself, rather than by a signal as a trap does.
  let isExit: Bool
  let output: String
  let errors: String

  var lastLine: Substring? { output.split(separator: "\n").last }
  var errorLines: Int { errors.split(separator: "\n").count }

  /// Runs the program to its end; a closure is called with the started program.
  ///
  /// What is written to streams that are given is not read.
  init(
    _ arguments: [String], input: FileHandle = .nullDevice, output: FileHandle? = nil,
    errors: FileHandle? = nil, environment: [String: String] = [:],
    meanwhile: (Process) throws -> Void = { _ in }
  ) async throws {
    try await self.init(
      Self.program, arguments, input, environment, [output, errors], meanwhile)
  }

  /// Runs another program of the package, as one of the examples, to its end.
  init(product: String, _ arguments: [String] = []) async throws {
    try await self.init(Self.product(product), arguments, .nullDevice, [:], [nil, nil], { _ in })
  }

  /// Runs a line of the shell, in which `$program` is the program.
  init(shell line: String) async throws {
    try await self.init(
      "/bin/sh", ["-c", line], .nullDevice, ["program": Self.program], [nil, nil], { _ in })
  }

  private init(
    _ executable: String, _ arguments: [String], _ input: FileHandle,
    _ environment: [String: String], _ streams: [FileHandle?],
    _ meanwhile: (Process) throws -> Void
  ) async throws {
    // Files, not pipes: none has to be emptied while the program runs.
    let folder = try TemporaryFolder()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: executable)
    process.arguments = arguments
    process.standardInput = input
    let files = [try folder.newFile("output"), try folder.newFile("errors")]
    process.standardOutput = streams[0] ?? files[0]
    process.standardError = streams[1] ?? files[1]
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let (end, ended) = AsyncStream<Never>.makeStream()
    process.terminationHandler = { _ in ended.finish() }
    await ProgramTurns.take()
    defer { ProgramTurns.giveBack() }
    try Self.start(process)
    // A test that has failed, or whose time is over, leaves no program behind.
    defer { if process.isRunning { process.terminate() } }
    // By hand: nothing tells when a `Process` lets go of its files, and after hundreds of runs
    // starting one more would find too many open.
    for file in files { try file.close() }
    try meanwhile(process)
    // Awaited without a thread, which would run no other test.
    for await _ in end {}
    try Task.checkCancellation()
    status = process.terminationStatus
    isExit = process.terminationReason == .exit
    output = try folder.text("output")
    errors = try folder.text("errors")
  }

  /// Starts a program with no signal blocked: threads of a pool block most, and pass that on.
  private static func start(_ process: Process) throws {
    var (none, before) = (sigset_t(), sigset_t())
    unsafe sigemptyset(&none)
    unsafe pthread_sigmask(SIG_SETMASK, &none, &before)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
    try process.run()
  }

  private static let program = product("proscenium")

  /// The package's programs are next to the tests' own bundle.
  private static func product(_ name: String) -> String {
    var folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    for bundle in Bundle.allBundles where bundle.bundlePath.hasSuffix(".xctest") {
      folder = bundle.bundleURL.deletingLastPathComponent()
    }
    return folder.appendingPathComponent(name).path
  }
}
