// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import CFloor
import Proscenium

/// Runs work on threads of its own.
///
/// Child tasks share as many threads as there are processors: to see what the scheduler does to
/// more threads than that, there must be more.
enum OwnThreads {
  private final class Work {
    let body: @Sendable (Int) -> Void

    init(_ body: @escaping @Sendable (Int) -> Void) {
      self.body = body
    }
  }

  /// Calls a function on several threads at once, and waits for all; the caller's thread is blocked
  /// meanwhile.
  ///
  /// - Parameters:
  ///   - count: The number of threads.
  ///   - body: The function; it gets the number of its thread, from 0.
  /// - Returns: The results, in the order of the threads.
  /// - Throws: An error if the system gives fewer threads.
  static func run<Result: Sendable>(
    _ count: Int, _ body: @escaping @Sendable (_ thread: Int) -> Result
  ) throws(SystemFailure) -> [Result] {
    let results = Guarded([Result?](repeating: nil, count: count))
    let work = Work { thread in
      let result = body(thread)
      results.withLock { $0[thread] = result }
    }
    let isDone = withExtendedLifetime(work) {
      unsafe floor_run_on_threads(count, Unmanaged.passUnretained(work).toOpaque()) {
        context, thread in
        guard let context = unsafe context else { return }
        unsafe Unmanaged<Work>.fromOpaque(context).takeUnretainedValue().body(thread)
      }
    }
    guard isDone else {
      throw SystemFailure(
        number: 0, text: "\(count) threads could not be started", isMissingFile: false,
        isDirectory: false)
    }
    return results.withLock { $0.compactMap(\.self) }
  }
}
