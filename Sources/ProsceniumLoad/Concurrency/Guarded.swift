// SPDX-License-Identifier: Apache-2.0

import CProscenium
import Synchronization

/// A value behind a lock that the thread sanitizer understands on Linux, too.
///
/// Sections are short, never suspend and never call foreign code.
struct Guarded<Value: Sendable>: ~Copyable, Sendable {
  private let mutex: Mutex<Value>
  // The sanitizer watches the value's own address, so that the lock is announced under another one.
  private let key = Atomic<UInt8>(0)

  init(_ value: Value) {
    mutex = Mutex(value)
  }

  /// Runs `body` with the lock held and returns its result.
  borrowing func withLock<Result: Sendable, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try mutex.withLock { (value) throws(Failure) -> Result in
      unsafe withUnsafePointer(to: key) { unsafe proscenium_sanitizer_acquire($0) }
      defer { unsafe withUnsafePointer(to: key) { unsafe proscenium_sanitizer_release($0) } }
      return try body(&value)
    }
  }
}
