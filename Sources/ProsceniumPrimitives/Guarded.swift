// SPDX-License-Identifier: Apache-2.0

public import CProscenium
public import Synchronization

/// A value behind a lock, the only lock of the package.
///
/// On Linux the thread sanitizer does not understand `Synchronization.Mutex` and would report races
/// that are none, so each critical section is announced to it. The announcement is keyed by a byte
/// of its own: the address of the value does not do, because the sanitizer watches that one.
///
/// Sections are short, never suspend and never call a delegate. Locks nest in one order: the gate,
/// then the router or a policy's control, then a shard's mailbox, then a leaf (writer, catalog,
/// event hub).
public struct Guarded<Value: ~Copyable>: ~Copyable, Sendable {
  @usableFromInline let mutex: Mutex<Value>
  @usableFromInline let key = Atomic<UInt8>(0)

  /// Puts a value behind a lock.
  @inlinable
  public init(_ value: consuming sending Value) {
    mutex = Mutex(value)
  }

  /// Runs `body` with the lock held and returns its result.
  @inlinable
  #if DEBUG
    // Without optimization only a transparent function knows the types of its caller. Looking types
    // up took a third of the time of simulations in tests.
    @_transparent
  #else
    @inline(__always)
  #endif
  public borrowing func withLock<Result: Sendable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try mutex.withLock { (value) throws(Failure) -> Result in
      acquire()
      defer { release() }
      return try body(&value)
    }
  }

  @inlinable
  #if DEBUG
    @_transparent
  #else
    @inline(__always)
  #endif
  borrowing func acquire() {
    unsafe withUnsafePointer(to: key) { address in
      unsafe proscenium_sanitizer_acquire(address)
    }
  }

  @inlinable
  #if DEBUG
    @_transparent
  #else
    @inline(__always)
  #endif
  borrowing func release() {
    unsafe withUnsafePointer(to: key) { address in
      unsafe proscenium_sanitizer_release(address)
    }
  }
}
