// SPDX-License-Identifier: Apache-2.0

import CSignals

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

// How a program ends before its time: asked to, or at once.
extension Terminal {
  /// Lets the next Ctrl-C, or another signal that asks for the end, set ``isInterrupted``; a second
  /// one ends the program.
  ///
  /// - Parameters:
  ///   - folder: What is removed if the program is ended at once, now or by a closed pipe.
  ///   - words: What it says then on standard output.
  ///   - endsAtFirst: Whether the first signal ends it.
  static func trapInterrupts(
    removing folder: String? = nil, saying words: String = "", endsAtFirst: Bool = false
  ) {
    unsafe proscenium_set_leftovers(folder, words)
    proscenium_trap_signals(endsAtFirst)
  }

  /// Whether Ctrl-C was pressed since ``trapInterrupts(removing:saying:endsAtFirst:)``.
  static var isInterrupted: Bool { proscenium_is_end_asked() }

  /// Lets the folder stay that was to be removed.
  static func keepFolder() {
    unsafe proscenium_set_leftovers(nil, "")
  }

  /// Lets the next Ctrl-C end the program at once.
  static func stopTrappingInterrupts() {
    signal(SIGINT, SIG_DFL)
    signal(SIGTERM, SIG_DFL)
  }

  /// Ends the program at once, and without a word, as a write to a closed pipe does.
  static func endAtClosedPipe() -> Never { proscenium_end_by_signal(SIGPIPE) }

  /// Ends the program at once with the exit code of what cannot be used.
  static func endRefused() -> Never { proscenium_end_refused() }
}
