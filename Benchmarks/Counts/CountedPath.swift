// SPDX-License-Identifier: Apache-2.0

import CFloors

/// Does the work of a path, and returns how many operations of it were counted.
typealias CountedPath = @Sendable () async throws -> Int

/// Does work twice, and lets the second time be counted: what is made once is there by then.
///
/// - Parameter work: The work; it says how many operations it was.
/// - Returns: The operations that were counted.
func counting(_ work: () async throws -> Int) async rethrows -> Int {
  _ = try await work()
  counting_begin()
  defer { counting_end() }
  return try await work()
}
