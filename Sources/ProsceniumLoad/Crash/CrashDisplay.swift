// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Proscenium

/// Decides when to show how far a crash test is.
package final class CrashDisplay<C: Clock>: Sendable where C.Duration == Duration {
  private let progress: Guarded<ReplayProgress<C>>

  /// Makes a display that begins now.
  ///
  /// - Parameters:
  ///   - clock: Tells the time.
  ///   - columns: The columns of the terminal whose line is rewritten, or nil for plain lines.
  package init(clock: C, columns: Int?) {
    progress = Guarded(
      ReplayProgress(columns.map { .terminal(columns: $0) } ?? .lines, clock: clock))
  }

  /// The text to write now, or nil where it is too early.
  package func text(_ position: CrashPosition) -> String? {
    progress.withLock { $0.text { position.line(elapsed: $0, columns: $1) } }
  }

  /// The text that removes the rewritten line.
  package var end: String { progress.withLock { $0.end } }
}
