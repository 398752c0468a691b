// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProsceniumPrimitives
import ProsceniumTerminal

/// A process of this program with other arguments, which says in lines how far it is.
///
/// It is killed with its last reference.
package final class ChildProcess: Sendable {
  /// How many lines are kept that nothing has asked for; the oldest go first.
  private static let lineLimit = 1_000

  /// Leaves room behind each list of files that the system makes from here on.
  ///
  /// Foundation reads which files are open before it starts a process, and copies more of each name
  /// than there is: with thousands of files it can read past the end of the memory. glibc gives
  /// what is as large as such a list pages of its own, if it is told to, and no list fills its own.
  private static let makeRoom: Void = {
    #if canImport(Glibc)
      typealias Function = @convention(c) (CInt, CInt) -> CInt
      let threshold: CInt = -3  // M_MMAP_THRESHOLD
      // Its module does not have the function; the type is the one of its manual.
      guard let symbol = unsafe dlsym(nil, "mallopt") else { return }
      _ = unsafe unsafeBitCast(symbol, to: Function.self)(threshold, 32 << 10)
    #endif
  }()

  /// What the process has said, and what is waited for.
  private struct State: Sendable {
    var part = ""
    var lines: [String] = []
    var waiters: [(beginning: String, sink: AsyncStream<String>.Continuation)] = []
    var hasEnded = false

    /// Takes what was written; returns the lines that are whole now.
    mutating func split(_ text: String) -> [String] {
      let parts = (part + text).split(separator: "\n", omittingEmptySubsequences: false)
      part = parts.last.map(String.init) ?? ""
      return parts.dropLast().map(String.init)
    }

    /// Gives each line that is waited for to who waits, and keeps the others.
    mutating func take(_ new: [String]) {
      for line in new {
        if let index = waiters.firstIndex(where: { line.hasPrefix($0.beginning) }) {
          waiters.remove(at: index).sink.yield(line)
        } else {
          lines.append(line)
        }
      }
      lines.removeFirst(max(0, lines.count - lineLimit))
    }

    mutating func end() {
      hasEnded = true
      for waiter in waiters { waiter.sink.finish() }
      waiters = []
    }
  }

  private let process: Guarded<Process>
  private let state: GuardedState
  private let ended: AsyncStream<Never>
  package let identifier: Int32

  /// A lock that closures can have.
  private final class GuardedState: Sendable {
    let value = Guarded(State())
  }

  /// Starts a process.
  ///
  /// - Parameters:
  ///   - arguments: What it is told.
  ///   - log: The file that its errors are added to; those of this process unless given.
  ///   - hear: Is given each line, and says whether it has taken it; otherwise the line can be
  ///     waited for.
  /// - Throws: That it cannot be started, or the file not be opened.
  package init(
    _ arguments: [String], log: String? = nil,
    hear: @escaping @Sendable (String) -> Bool = { _ in false }
  ) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Terminal.programPath)
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    let output = Pipe()
    process.standardOutput = output
    let errors = try log.map { try Self.opened($0) }
    if let errors { process.standardError = errors }
    let state = GuardedState()
    let (ended, end) = AsyncStream<Never>.makeStream()
    process.terminationHandler = { _ in end.finish() }
    output.fileHandleForReading.readabilityHandler = { file in
      let data = file.availableData
      if data.isEmpty {
        file.readabilityHandler = nil
        state.value.withLock { $0.end() }
      } else {
        let lines = state.value.withLock { $0.split(String(decoding: data, as: UTF8.self)) }
        let rest = lines.filter { !hear($0) }
        state.value.withLock { $0.take(rest) }
      }
    }
    Self.makeRoom
    try process.run()
    try errors?.close()
    identifier = process.processIdentifier
    self.process = Guarded(process)
    self.state = state
    self.ended = ended
  }

  private static func opened(_ path: String) throws -> FileHandle {
    if !FileManager.default.fileExists(atPath: path) {
      try Data().write(to: URL(fileURLWithPath: path))
    }
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try file.seekToEnd()
    return file
  }

  /// Takes the next line that begins with a text, and waits for it.
  ///
  /// - Parameter beginning: The text.
  /// - Returns: What comes behind it in the line.
  /// - Throws: ``ChildFailure`` if the process ends before.
  package func line(with beginning: String) async throws -> String {
    let (lines, sink) = AsyncStream<String>.makeStream()
    let known = state.value.withLock { state -> String? in
      if let index = state.lines.firstIndex(where: { $0.hasPrefix(beginning) }) {
        return state.lines.remove(at: index)
      }
      if state.hasEnded { sink.finish() } else { state.waiters.append((beginning, sink)) }
      return nil
    }
    if let known { return String(known.dropFirst(beginning.count)) }
    for await line in lines { return String(line.dropFirst(beginning.count)) }
    try Task.checkCancellation()
    await waitForEnd()
    throw ChildFailure(awaited: beginning, status: status.code)
  }

  /// Sends a signal.
  package func signal(_ number: Int32) { Foundation.kill(identifier, number) }

  /// Kills it, and returns when it has ended.
  package func kill() async {
    signal(SIGKILL)
    await waitForEnd()
  }

  /// Has it end in order.
  ///
  /// - Throws: ``ChildFailure`` if its status is another one than 0.
  package func terminate() async throws {
    signal(SIGTERM)
    try await waitUntilDone()
  }

  /// Waits until it has ended by itself, in order.
  ///
  /// - Throws: ``ChildFailure`` if its status is another one than 0.
  package func waitUntilDone() async throws {
    await waitForEnd()
    let (isExit, code) = status
    guard isExit, code == 0 else { throw ChildFailure(awaited: nil, status: code) }
  }

  /// Whether it has not ended.
  package var isRunning: Bool { process.withLock { $0.isRunning } }

  private var status: (isExit: Bool, code: Int32) {
    process.withLock { ($0.terminationReason == .exit, $0.terminationStatus) }
  }

  private func waitForEnd() async {
    // Awaited also by a task that was cancelled.
    await withTaskGroup { group in
      group.addTask { [ended] in for await _ in ended {} }
      await group.waitForAll()
    }
    process.withLock { $0.waitUntilExit() }
  }

  /// How many bytes of its memory are resident, 0 if that is not known.
  package var resident: Int {
    let path = "/proc/\(identifier)/statm"
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return 0 }
    let words = text.split(separator: " ")
    return words.count > 1 ? (Int(words[1]) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE))) : 0
  }

  /// How much processor time it has used, in seconds; 0 if that is not known.
  package var processorTime: Double {
    let path = "/proc/\(identifier)/stat"
    guard let text = try? String(contentsOfFile: path, encoding: .utf8),
      let end = text.lastIndex(of: ")")
    else { return 0 }
    let words = text[end...].split(separator: " ")
    guard words.count > 13, let user = Double(words[12]), let system = Double(words[13]) else {
      return 0
    }
    return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  deinit {
    process.withLock { if $0.isRunning { Foundation.kill($0.processIdentifier, SIGKILL) } }
  }
}

/// A process of a load test has ended otherwise than it was to.
package struct ChildFailure: Error, CustomStringConvertible {
  /// The beginning of the line that it was to say before, if that is what it has not done.
  let awaited: String?
  let status: Int32

  package var description: String {
    "a process of the test has ended by itself, with status \(status)"
      + (awaited.map { ", before it said '\($0.trimmingCharacters(in: .whitespaces))'" } ?? "")
  }
}
