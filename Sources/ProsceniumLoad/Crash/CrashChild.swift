// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A process that was started to be killed, and what it writes to its standard output.
struct CrashChild: ~Copyable {
  /// How a process ended.
  enum Ending: Hashable {
    case exit(Int32)
    case signal(Int32)
  }

  /// The process's number.
  let process: pid_t
  private let output: CInt
  private var rest: [UInt8] = []
  private var isWaitedFor = false

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - program: Its path.
  ///   - arguments: Its arguments, without its name.
  ///   - errors: The path of the file that its standard error goes to.
  /// - Throws: What the system refuses.
  init(_ program: String, _ arguments: [String], errors: String) throws(FileError) {
    var ends: [CInt] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { throw Self.failure(errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[1]) }
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = unsafe posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    unsafe posix_spawn_file_actions_init(&actions)
    unsafe posix_spawnattr_init(&attributes)
    defer {
      unsafe posix_spawn_file_actions_destroy(&actions)
      unsafe posix_spawnattr_destroy(&attributes)
    }
    unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    unsafe posix_spawn_file_actions_addopen(
      &actions, STDERR_FILENO, errors, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    // A group of its own: an interrupt from the terminal is for the parent.
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    var words = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
    defer { unsafe words.forEach { unsafe free($0) } }
    var process: pid_t = 0
    let number = unsafe posix_spawn(&process, program, &actions, &attributes, &words, environ)
    guard number == 0 else {
      close(ends[0])
      throw Self.failure(number)
    }
    self.process = process
    output = ends[0]
  }

  private static func failure(_ number: Int32) -> FileError {
    let reason = unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
    return FileError(.unreadable, "expected a program that can be started: \(reason).")
  }

  deinit {
    if !isWaitedFor {
      _ = systemKill(process)
      var status: CInt = 0
      unsafe waitpid(process, &status, 0)
    }
    close(output)
  }

  /// Reads lines until some have come, the time is over, or the output has ended.
  ///
  /// - Parameter milliseconds: How long to wait at most.
  /// - Returns: Whole lines, without their ends; none when the time is over, or after a signal;
  ///   nil at the end of the output.
  mutating func lines(within milliseconds: Int) -> [Substring]? {
    var entry = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&entry, 1, Int32(clamping: max(milliseconds, 0))) > 0 else { return [] }
    let chunk = unsafe [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
      count = max(0, unsafe systemRead(output, buffer.baseAddress, 65_536))
    }
    if chunk.isEmpty { return nil }
    rest += chunk
    guard let end = rest.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
    let text = String(decoding: rest[..<end], as: UTF8.self)
    rest.removeFirst(end + 1)
    return text.split(separator: "\n")
  }

  /// Kills the process; what it has written before can still be read.
  func kill() {
    _ = systemKill(process)
  }

  /// Waits for the end of the process.
  mutating func wait() -> Ending {
    var status: CInt = 0
    while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
    isWaitedFor = true
    let signal = status & 0x7F
    return signal == 0 ? .exit((status >> 8) & 0xFF) : .signal(signal)
  }

  /// Tells the process to limit the sizes of the files that it writes, or to lift the limit.
  func limitFiles(_ isLimited: Bool) {
    _ = systemKill(process, isLimited ? Self.limiting : Self.lifting)
  }

  /// The signals by which a process is told.
  static var limiting: CInt { SIGUSR1 }
  static var lifting: CInt { SIGUSR2 }
}

// The members above would hide the system's functions of the same name.
private func systemKill(_ process: pid_t, _ signal: CInt = SIGKILL) -> CInt {
  kill(process, signal)
}

private func systemRead(_ file: CInt, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  unsafe read(file, buffer, count)
}
