// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
  import Foundation

  /// The server's processes, and what tests do to them.
  extension PostgresServer {
    /// The first process of the server, if it runs.
    package var postmaster: Int32? {
      let text = try? String(contentsOfFile: folder + "/postmaster.pid", encoding: .utf8)
      guard let line = text?.split(separator: "\n").first, let identifier = Int32(line),
        Self.parent(of: identifier) != nil
      else { return nil }
      return identifier
    }

    /// The first process of the server and its children, none if it does not run.
    package var processes: [Int32] {
      guard let postmaster else { return [] }
      let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
      return [postmaster]
        + all.compactMap { Int32($0) }.filter { Self.parent(of: $0) == postmaster }
    }

    /// Kills the server's first process, then its children, and waits until all have ended.
    ///
    /// Children that are left to themselves go on with a statement that they have begun, and no
    /// server could be started.
    package func kill() async throws {
      let processes = try stopProcesses()
      for process in processes { Foundation.kill(process, SIGKILL) }
      try await Watchdog.killAll(in: home)
    }

    /// Has the server stop in the middle of what it does: connections stay open, without an answer.
    package func freeze() throws {
      _ = try stopProcesses()
    }

    /// Lets a frozen server go on.
    package func thaw() throws {
      for process in try running(processes).reversed() { Foundation.kill(process, SIGCONT) }
    }

    /// Whether a process is there, and not only the record of its end.
    package static func isRunning(_ process: Int32) -> Bool { parent(of: process) != nil }

    private func stopProcesses() throws -> [Int32] {
      let first = try running(postmaster.map { [$0] } ?? [])
      // It makes no more children then.
      for process in first { Foundation.kill(process, SIGSTOP) }
      let all = processes
      for process in all { Foundation.kill(process, SIGSTOP) }
      return all
    }

    private func running(_ processes: [Int32]) throws -> [Int32] {
      guard !processes.isEmpty else {
        throw ProgramFailure(description: "the server in \(home) does not run")
      }
      return processes
    }

    /// The process that started another one; nil if that one has ended.
    private static func parent(of process: Int32) -> Int32? {
      guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
        let end = text.lastIndex(of: ")")
      else { return nil }
      let words = text[end...].split(separator: " ")
      guard words.count > 2, words[1] != "Z", words[1] != "X" else { return nil }
      return Int32(words[2])
    }
  }
#endif
