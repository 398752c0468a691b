// SPDX-License-Identifier: Apache-2.0

#if Cluster && Complete
  import Foundation
  import ProsceniumPrimitives

  /// The lines that a process has written.
  private final class NodeOutput: Sendable {
    private let lines = Guarded<[String]>([])

    func add(_ text: String) {
      lines.withLock { $0 += text.split(separator: "\n").map(String.init) }
    }

    func has(_ line: String) -> Bool { lines.withLock { $0.contains(line) } }
  }

  /// The process of a node, which a trial starts, stops and kills.
  final class NodeProcess: Sendable {
    let name: String
    let identifier: Int32
    private let output = NodeOutput()
    private let ended: AsyncStream<Never>
    /// Kept: it reaps the process.
    private let process: Guarded<Process>
    private let log: String

    /// Starts a node.
    ///
    /// - Parameters:
    ///   - name: What it is called.
    ///   - folder: Where its history and what it has to say are.
    ///   - address: The address of the database.
    ///   - arguments: What else it is told.
    /// - Throws: That it cannot be started.
    init(_ name: String, in folder: String, address: String, _ arguments: [String]) throws {
      self.name = name
      log = "\(folder)/\(name).log"
      let process = Process()
      process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        .resolvingSymlinksInPath()
      process.arguments =
        ["node", address, "--name", name, "--history", "\(folder)/\(name).history"] + arguments
      let pipe = Pipe()
      process.standardOutput = pipe
      process.standardInput = FileHandle.nullDevice
      if !FileManager.default.fileExists(atPath: log) {
        _ = FileManager.default.createFile(atPath: log, contents: nil)
      }
      let errors = try FileHandle(forWritingTo: URL(fileURLWithPath: log))
      try errors.seekToEnd()
      process.standardError = errors
      pipe.fileHandleForReading.readabilityHandler = { [output] handle in
        let data = handle.availableData
        if data.isEmpty { handle.readabilityHandler = nil }
        output.add(String(decoding: data, as: UTF8.self))
      }
      let (ended, end) = AsyncStream<Never>.makeStream()
      self.ended = ended
      process.terminationHandler = { _ in end.finish() }
      try process.run()
      try errors.close()
      identifier = process.processIdentifier
      self.process = Guarded(process)
    }

    /// Whether the process has ended.
    var isRunning: Bool { process.withLock { $0.isRunning } }

    /// Waits until the process has written a line, or has ended.
    func wait(for line: String, within time: Duration = .seconds(60)) async throws {
      let end = ContinuousClock.now + time
      while !output.has(line) {
        guard isRunning, ContinuousClock.now < end else {
          let said = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
          throw TrialFailure(
            "node \(name) did not say \"\(line)\" within \(time): \(said.suffix(600))")
        }
        // Nothing tells when a line has come.
        try await Task.sleep(for: .milliseconds(5))
      }
    }

    /// The lines of its log that have a text.
    func said(_ text: String) -> [String] {
      let log = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
      return log.split(separator: "\n").filter { $0.contains(text) }.map(String.init)
    }

    /// Sends a signal.
    func signal(_ number: CInt) {
      kill(identifier, number)
    }

    /// Kills the process, and returns when it has ended.
    func end() async {
      signal(SIGKILL)
      for await _ in ended {}
    }

    /// Lets the process end in order, and kills it after a time.
    func leave(within time: Duration = .seconds(20)) async {
      signal(SIGCONT)
      signal(SIGTERM)
      let end = ContinuousClock.now + time
      while isRunning, ContinuousClock.now < end {
        try? await Task.sleep(for: .milliseconds(20))
      }
      if isRunning { await self.end() }
    }

    deinit {
      // A trial that fails leaves no process behind.
      process.withLock { if $0.isRunning { kill(identifier, SIGKILL) } }
    }
  }

  /// Why a trial cannot go on.
  struct TrialFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
      self.description = description
    }
  }
#endif
