// SPDX-License-Identifier: Apache-2.0

#if Live && Complete
  import Foundation
  import ProsceniumJSON
  import ProsceniumPrimitives
  import ProsceniumTerminal

  /// The host, which is a process of its own: this program, with other arguments.
  final class HostProcess: Sendable {
    private let process: Guarded<Process>
    private let end: AsyncStream<Never>

    /// Starts a host, and waits until it can be connected to.
    ///
    /// - Throws: ``HostFailure`` if it ends before.
    static func start(_ arguments: [String]) async throws -> HostProcess {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: Terminal.programPath)
      process.arguments = arguments
      let output = Pipe()
      process.standardOutput = output
      let (end, ended) = AsyncStream<Never>.makeStream()
      let (said, saying) = AsyncStream<String>.makeStream()
      process.terminationHandler = { _ in
        ended.finish()
        saying.finish()
      }
      output.fileHandleForReading.readabilityHandler = { file in
        let data = file.availableData
        if data.isEmpty { file.readabilityHandler = nil }
        saying.yield(String(decoding: data, as: UTF8.self))
      }
      try process.run()
      var text = ""
      for await part in said {
        text += part
        let line = text.trimmingCharacters(in: .newlines)
        guard text.hasSuffix("\n"), let port = Int(line.dropFirst(LoadHost.ready.count)) else {
          continue
        }
        return HostProcess(process, end, port: port)
      }
      process.waitUntilExit()
      throw HostFailure(status: process.terminationStatus)
    }

    private init(_ process: Process, _ end: AsyncStream<Never>, port: Int) {
      self.process = Guarded(process)
      self.end = end
      self.port = port
    }

    /// The port on 127.0.0.1 at which it serves.
    let port: Int

    var identifier: Int32 { process.withLock { $0.processIdentifier } }

    /// Kills it.
    func kill() async {
      Foundation.kill(identifier, SIGKILL)
      await waitForEnd()
    }

    /// Has it end in order.
    ///
    /// - Throws: ``HostFailure`` if it does not.
    func terminate() async throws {
      Foundation.kill(identifier, SIGTERM)
      await waitForEnd()
      let (isExit, status) = process.withLock {
        ($0.terminationReason == .exit, $0.terminationStatus)
      }
      guard isExit, status == 0 else { throw HostFailure(status: status) }
    }

    private func waitForEnd() async {
      // Awaited also by a task that was cancelled.
      await withTaskGroup { group in
        group.addTask { [end] in for await _ in end {} }
        await group.waitForAll()
      }
      process.withLock { $0.waitUntilExit() }
    }

    /// How many bytes of its memory are resident, 0 if that is not known.
    var resident: Int {
      let path = "/proc/\(identifier)/statm"
      guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return 0 }
      let words = text.split(separator: " ")
      return words.count > 1 ? (Int(words[1]) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE))) : 0
    }

    /// How much processor time it has used, in seconds; 0 if that is not known.
    var processorTime: Double {
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
  }

  /// The host has ended otherwise than it was to.
  struct HostFailure: Error, CustomStringConvertible {
    let status: Int32

    var description: String { "the host has ended by itself, with status \(status)" }
  }

  /// How many files the process may open.
  enum OpenFiles {
    /// Raises the limit as far as it goes.
    ///
    /// - Returns: The limit.
    static func raise() -> Int {
      var limit = rlimit()
      #if canImport(Glibc)
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
      #else
        let resource = RLIMIT_NOFILE
      #endif
      guard unsafe getrlimit(resource, &limit) == 0 else { return 0 }
      limit.rlim_cur = limit.rlim_max
      _ = unsafe setrlimit(resource, &limit)
      return Int(clamping: limit.rlim_cur)
    }
  }
#endif
