// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

// Inside the type the name means its own function.
private let systemWrite = unsafe write

/// The program's surroundings: standard error, its terminal, signals and the calendar.
enum Terminal {
  /// Writes to standard error at once; what cannot be written is left out.
  static func writeError(_ text: String) {
    write(text, to: STDERR_FILENO)
  }

  /// Writes to standard output at once, so that long work shows its results as they come.
  static func writeOutput(_ text: String) {
    write(text, to: STDOUT_FILENO)
  }

  private static func write(_ text: String, to file: CInt) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { bytes in
        unsafe systemWrite(file, bytes.baseAddress, bytes.count)
      }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// The columns of the terminal behind standard error, or `nil` if there is none.
  static var errorColumns: Int? {
    guard isatty(STDERR_FILENO) == 1 else { return nil }
    var size = winsize()
    guard unsafe ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return 80
    }
    return Int(size.ws_col)
  }

  /// Whether somebody can be asked and can answer.
  static var isInteractive: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

  /// Lets the system end the program when nobody reads its output any more, as it does with `cat`,
  /// even if whoever started the program had switched that off.
  static func endQuietlyAtClosedPipe() {
    signal(SIGPIPE, SIG_DFL)
  }

  /// Lets the next Ctrl-C end the program at once.
  static func stopTrappingInterrupts() {
    signal(SIGINT, SIG_DFL)
    signal(SIGTERM, SIG_DFL)
  }

  /// Whether something stands at a path.
  static func isFile(_ path: String) -> Bool {
    unsafe access(path, F_OK) == 0
  }

  /// Seconds since 1970, for the record of a run only.
  static var secondsSince1970: Int64 { Int64(time(nil)) }

  /// How many processors there are: 1 or more.
  static var processors: Int { max(Int(sysconf(CInt(_SC_NPROCESSORS_ONLN))), 1) }

  /// The system, the kind of processor and the number of processors.
  static var machine: String {
    var name = utsname()
    guard unsafe uname(&name) == 0 else { return "unknown" }
    let system = unsafe withUnsafeBytes(of: name.sysname) { unsafe text($0) }
    let processor = unsafe withUnsafeBytes(of: name.machine) { unsafe text($0) }
    return "\(system) \(processor), \(Self.processors) processors"
  }

  private static func text(_ bytes: UnsafeRawBufferPointer) -> String {
    unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }

  /// The value of an environment variable, or `nil` if it is not set.
  static func environment(_ name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }
}
