// SPDX-License-Identifier: Apache-2.0

import CSignals
import Foundation
import Proscenium
package import ProsceniumJSON
package import ProsceniumLoad
import ProsceniumTestKit

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The program's surroundings: its streams, its terminal, signals and the calendar.
package enum Terminal: Sendable {
  /// Lets what cannot be written be an error, and nothing worse.
  ///
  /// A write to a closed pipe would end the program even if it only says how far it is. And where
  /// a stream is missing, the next file that is opened would take its number, and get what the
  /// program says: so that each stream is there, and refuses what it is used for.
  package static func prepareStreams() {
    signal(SIGPIPE, SIG_IGN)
    for (stream, mode) in [
      (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY),
    ] where fcntl(stream, F_GETFD) < 0 {
      _ = unsafe open("/dev/null", mode)
    }
  }

  /// Writes to standard error at once; what cannot be written is left out.
  package static func writeError(_ text: String) {
    try? StandardStream.errors.write(text)
  }

  /// Writes to standard output at once, so that long work shows its results as they come.
  ///
  /// Everything that the program says there goes through here, or through a `LineWriter`.
  ///
  /// - Throws: `.closedPipe`, `.writeFailed`.
  package static func writeOutput(_ text: String) throws(FileError) {
    try StandardStream.output.write(text)
  }

  /// Writes to standard output from where no error can be thrown: the program ends instead.
  package static func announce(_ text: String) {
    do throws(FileError) {
      try writeOutput(text)
    } catch {
      endAtOnce(error)
    }
  }

  /// Ends the program since output cannot be used, while other tasks are still at work.
  package static func endAtOnce(_ error: FileError) -> Never {
    complain(error)
    endRefused()
  }

  /// Says why the program ends; at a closed pipe it does so quietly, by the signal, as `cat` does.
  package static func complain(_ error: any Error) {
    if let error = error as? FileError, error.code == .closedPipe,
      error.file == StandardStream.output.name
    {
      endAtClosedPipe()
    }
    let text =
      if let error = error as? StoreError {
        (error.session.map { "session \($0): " } ?? "") + error.message
      } else {
        "\(error)"
      }
    writeError("proscenium: \(text)\n")
  }

  /// The columns of the terminal behind standard error, or `nil` if there is none.
  package static var errorColumns: Int? {
    guard isatty(STDERR_FILENO) == 1 else { return nil }
    var size = winsize()
    guard unsafe ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return 80
    }
    return Int(size.ws_col)
  }

  /// Whether standard output is a terminal, on which a person sees what is written.
  package static var isOutputScreen: Bool { isatty(STDOUT_FILENO) == 1 }

  /// What brings a terminal to its first line and leaves nothing on it.
  package static let emptyScreen = "\u{1B}[H\u{1B}[2J"

  /// A line on standard error for work that begins now.
  package static func progress() -> ProgressLine {
    ProgressLine(columns: errorColumns, clock: ContinuousClock()) { writeError($0) }
  }

  /// Whether a person can be asked and can answer.
  package static var isInteractive: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

  /// Whether there is something at a path.
  package static func isFile(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: path)
  }

  /// Seconds since 1970, for the record of a run only.
  package static var secondsSince1970: Int64 { Int64(time(nil)) }

  /// How many processors there are: 1 or more.
  package static var processors: Int { max(Int(sysconf(CInt(_SC_NPROCESSORS_ONLN))), 1) }

  /// The system, the kind of processor and the number of processors.
  package static var machine: String {
    var name = utsname()
    guard unsafe uname(&name) == 0 else { return "unknown" }
    let system = unsafe withUnsafeBytes(of: name.sysname) { unsafe text($0) }
    let processor = unsafe withUnsafeBytes(of: name.machine) { unsafe text($0) }
    return "\(system) \(processor), \(Self.processors) processors"
  }

  private static func text(_ bytes: UnsafeRawBufferPointer) -> String {
    unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }
}

// How a program ends before its time: asked to, or at once.
extension Terminal {
  /// Lets the next Ctrl-C, or another signal that asks for the end, set ``isInterrupted``; a second
  /// one ends the program.
  ///
  /// - Parameter folder: What is removed if the program is ended at once, now or by a closed pipe.
  package static func trapInterrupts(removing folder: String? = nil) {
    unsafe proscenium_set_leftovers(folder)
    proscenium_trap_signals()
  }

  /// Whether Ctrl-C was pressed since ``trapInterrupts(removing:)``.
  package static var isInterrupted: Bool { proscenium_is_end_asked() }

  /// Lets the folder stay that was to be removed.
  package static func keepFolder() {
    proscenium_set_leftovers(nil)
  }

  /// Lets the next Ctrl-C end the program at once.
  package static func stopTrappingInterrupts() {
    signal(SIGINT, SIG_DFL)
    signal(SIGTERM, SIG_DFL)
  }

  /// Ends the program at once, and without a word, as a write to a closed pipe does.
  package static func endAtClosedPipe() -> Never { proscenium_end_by_signal(SIGPIPE) }

  /// Ends the program at once with the exit code of what cannot be used.
  package static func endRefused() -> Never { proscenium_end_refused() }
}

extension Terminal {
  /// A text from outside as it is, or quoted if it is empty or could break the line or drive the
  /// terminal.
  package static func printable(_ text: String) -> String {
    let isPlain = !text.isEmpty && !text.unicodeScalars.contains(where: isControl)
    return isPlain ? text : JSONValue.text(text).description
  }

  /// A sentence that may quote texts from outside, with spaces in place of control characters.
  package static func oneLine(_ text: String) -> String {
    String(text.unicodeScalars.map { isControl($0) ? " " : Character($0) })
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
  }
}

// What a program does that starts others and kills them.
extension Terminal {
  /// The path of this program.
  package static var programPath: String {
    Bundle.main.executablePath ?? CommandLine.arguments[0]
  }

  /// Lets signals limit the sizes of the files that the program writes, and lift the limit.
  ///
  /// What may not be written is an error then, as on a full disk.
  ///
  /// - Parameter isLimited: Whether they are limited from now on.
  package static func limitFilesBySignals(_ isLimited: Bool) {
    signal(SIGXFSZ, SIG_IGN)
    signal(SIGUSR1) { _ in Terminal.limitFiles(true) }
    signal(SIGUSR2) { _ in Terminal.limitFiles(false) }
    if isLimited { limitFiles(true) }
  }

  /// Beyond the first pages nothing can be written, neither to a store nor to its log.
  private static func limitFiles(_ isLimited: Bool) {
    var limit = rlimit()
    #if canImport(Glibc)
      let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
    #else
      let resource = RLIMIT_FSIZE
    #endif
    guard unsafe getrlimit(resource, &limit) == 0 else { return }
    limit.rlim_cur = isLimited ? 192 << 10 : limit.rlim_max
    _ = unsafe setrlimit(resource, &limit)
  }
}
