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
  /// - Parameter folder: What is removed if the program is ended at once, now or by a closed pipe.
  static func trapInterrupts(removing folder: String? = nil) {
    unsafe proscenium_set_leftovers(folder)
    proscenium_trap_signals()
  }

  /// Whether Ctrl-C was pressed since ``trapInterrupts(removing:)``.
  static var isInterrupted: Bool { proscenium_is_end_asked() }

  /// Lets the folder stay that was to be removed.
  static func keepFolder() {
    proscenium_set_leftovers(nil)
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
