// SPDX-License-Identifier: Apache-2.0

/// A value in memory that it shares with nothing else.
///
/// Where many threads read data in the cache line of a lock or a counter, each change of that takes
/// the line away from them. So what changes often lies apart from what is only read, on lines of
/// its own.
///
/// The address is in a word, of which any thread may have a copy; only this value hands out
/// what is there, and what is there may be shared.
@safe
public struct Apart<Value: ~Copyable & Sendable>: ~Copyable, Sendable {
  @usableFromInline let address: UInt

  /// Gives a value lines of its own.
  @inlinable
  public init(_ value: consuming Value) {
    // Processors fetch lines in pairs.
    let lines = 128
    let size = max(MemoryLayout<Value>.size, 1)
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: (size + lines - 1) / lines * lines, alignment: lines)
    unsafe memory.bindMemory(to: Value.self, capacity: 1).initialize(to: value)
    address = UInt(bitPattern: memory)
  }

  deinit {
    unsafe cell.deinitialize(count: 1)
    unsafe cell.deallocate()
  }

  @inlinable
  @inline(__always)
  var cell: UnsafeMutablePointer<Value> {
    unsafe UnsafeMutablePointer(bitPattern: address).unsafelyUnwrapped
  }

  /// The value.
  @inlinable
  public var value: Value {
    @inline(__always) _read { yield unsafe cell.pointee }
  }
}

extension Apart where Value: ~Copyable {
  /// Puts a value behind a lock that lies apart.
  @inlinable
  public init<State: ~Copyable>(guarding state: consuming sending State)
  where Value == Guarded<State> {
    self.init(Guarded(state))
  }

  /// Runs `body` with the lock held and returns its result.
  @inlinable
  @inline(__always)
  public borrowing func withLock<State: ~Copyable, Result: Sendable, Failure: Error>(
    _ body: (inout sending State) throws(Failure) -> Result
  ) throws(Failure) -> Result where Value == Guarded<State> {
    try unsafe cell.pointee.withLock(body)
  }
}
