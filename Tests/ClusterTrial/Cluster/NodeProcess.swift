// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import Foundation
  import ProsceniumPrimitives

  /// The lines that a process has written, and when each came.
  private final class NodeOutput: Sendable {
    private let lines = Guarded<[(text: String, time: Date)]>([])

    func add(_ text: String) {
      let now = Date()
      lines.withLock { $0 += text.split(separator: "\n").map { (String($0), now) } }
    }

    /// When a line came, each time.
    func times(of line: String) -> [Date] {
      lines.withLock { $0.filter { $0.text == line }.map(\.time) }
    }

    /// The first line that begins with a text.
    func line(with beginning: String) -> String? {
      lines.withLock { $0.first { $0.text.hasPrefix(beginning) }?.text }
    }
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
    ///   - wrapper: A program that starts the node's, with its arguments.
    ///   - arguments: What else it is told.
    /// - Throws: That it cannot be started.
    convenience init(
      _ name: String, in folder: String, address: String, by wrapper: [String] = [],
      _ arguments: [String]
    ) throws {
      try self.init(
        name, in: folder, by: wrapper, command: "node",
        [address, "--name", name, "--history", "\(folder)/\(name).history"] + arguments)
    }

    /// Starts a process that runs a command of this program.
    init(
      _ name: String, in folder: String, by wrapper: [String] = [], command: String,
      _ arguments: [String]
    ) throws {
      self.name = name
      log = "\(folder)/\(name).log"
      let process = Process()
      let program = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath().path
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments =
        wrapper + [program, command] + arguments
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

    /// Whether the process has not ended.
    var isRunning: Bool { process.withLock { $0.isRunning } }

    /// How often the process has written a line.
    func count(of line: String) -> Int { output.times(of: line).count }

    /// Waits until the process has written a line.
    ///
    /// - Parameters:
    ///   - line: The line.
    ///   - count: How often it was written before.
    ///   - time: How long it is waited.
    /// - Returns: When the line came.
    /// - Throws: That it did not come, or that the process has ended.
    @discardableResult
    func wait(
      for line: String, after count: Int = 0, within time: Duration = .seconds(60)
    ) async throws -> Date {
      try await wait(line, within: time) {
        let times = output.times(of: line)
        return times.count > count ? times[count] : nil
      }
    }

    /// Waits until the process has written a line that begins with a text, and gives it.
    func wait(forLineWith beginning: String) async throws -> String {
      try await wait(beginning, within: .seconds(60)) { output.line(with: beginning) }
    }

    /// Waits until its log has more lines with a text than before, and gives the last of them.
    func wait(
      forLog text: String, after count: Int = 0, within time: Duration = .seconds(60)
    ) async throws -> String {
      try await wait(text, within: time) {
        let lines = said(text)
        return lines.count > count ? lines.last : nil
      }
    }

    private func wait<Found>(
      _ text: String, within time: Duration, _ find: () -> Found?
    ) async throws -> Found {
      let end = ContinuousClock.now + time
      while true {
        if let found = find() { return found }
        guard isRunning, ContinuousClock.now < end else {
          throw TrialFailure(
            "node \(name) did not say \"\(text)\" within \(time): \(lastWords)")
        }
        // Nothing tells when a line has come.
        try await Task.sleep(for: .milliseconds(5))
      }
    }

    /// The end of its log, or where it has crashed.
    private var lastWords: Substring {
      let said = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
      let crash = said.ranges(of: "Fatal error").last ?? said.ranges(of: "Program crashed").last
      return crash.map { said[$0.lowerBound...].prefix(6_000) } ?? said.suffix(600)
    }

    /// The number that a line of a log gives under a name.
    static func value(_ name: String, in line: String) -> Double {
      let text = line.split(separator: "\(name)=").dropFirst().first ?? ""
      return Double(text.prefix { $0.isNumber || $0 == "." }) ?? 0
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

    /// Waits until the process ends by itself.
    ///
    /// - Throws: That it did not.
    func waitForEnd(within time: Duration) async throws {
      let end = ContinuousClock.now + time
      while isRunning {
        guard ContinuousClock.now < end else {
          throw TrialFailure("node \(name) did not end within \(time): \(lastWords)")
        }
        // A process that does not end is not waited for without end.
        try await Task.sleep(for: .milliseconds(5))
      }
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
        // A process that does not end has to be killed at some time.
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
