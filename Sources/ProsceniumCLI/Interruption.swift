// SPDX-License-Identifier: Apache-2.0

import UnixSignals

/// Ctrl-C while something is measured: what was found by then stands there already.
enum Interruption {
  /// Does work until it is done, or ends the process when it is interrupted.
  ///
  /// - Parameters:
  ///   - removeFiles: Removes what the work has written; it is not waited for, since it may wait
  ///     for the disk.
  ///   - work: The work.
  /// - Returns: What the work returned.
  /// - Throws: What the work throws.
  static func watching<Success: Sendable>(
    removeFiles: @escaping @Sendable () -> Void,
    _ work: @escaping @Sendable () async throws -> Success
  ) async throws -> Success {
    let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
    return try await withThrowingTaskGroup { group in
      // Beside the work, and ended with it.
      group.addTask {
        for await _ in signals {
          removeFiles()
          Terminal.writeError("interrupted: the figures above are those that were complete\n")
          Terminal.leave()
        }
      }
      defer { group.cancelAll() }
      return try await work()
    }
  }
}
