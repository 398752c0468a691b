// SPDX-License-Identifier: Apache-2.0

/// Shows how far a replay is.
public struct ReplayDisplay<C: Clock>: Sendable where C.Duration == Duration {
  private var progress: ReplayProgress<C>
  private var start = 0.0
  private let write: @Sendable (String) -> Void

  /// Makes a display that begins now.
  ///
  /// - Parameters:
  ///   - progress: Decides what is shown and when.
  ///   - write: Takes the text; it is called by one task only, which it holds up.
  public init(_ progress: ReplayProgress<C>, write: @escaping @Sendable (String) -> Void) {
    self.progress = progress
    self.write = write
  }

  /// Says that the run begins so far within the log.
  mutating func begin(at fraction: Double?) {
    start = fraction ?? 0
  }

  mutating func show(_ requests: Int, _ fraction: Double?) {
    let position = ReplayPosition(requests: requests, fraction: fraction, start: start)
    if let text = progress.text(position) { write(text) }
  }

  func finish() {
    if !progress.end.isEmpty { write(progress.end) }
  }
}
