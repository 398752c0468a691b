// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Makes the identifiers of new sessions.
///
/// It is asked with the application's gate held, in the order in which sessions are admitted, and
/// must neither block nor call back. It is asked again for an identifier that a session has, be it
/// open or just being discarded.
public struct SessionIdentifierSource: Sendable {
  package let next: @Sendable () -> SessionIdentifier

  /// Creates a source from a function.
  ///
  /// - Parameter next: Returns an identifier that no session ever had.
  public init(_ next: @escaping @Sendable () -> SessionIdentifier) {
    self.next = next
  }

  /// Random version-4 UUIDs from the system's secure generator; the default.
  public static var random: SessionIdentifierSource {
    let pool = EntropyPool()
    return SessionIdentifierSource { pool.next() }
  }

  /// Counted identifiers, `00000000-0000-4000-8000-000000000001` and so on, for tests.
  ///
  /// - Parameter first: The number of the first identifier, up to 48 bits.
  /// - Returns: A source that counts up from there.
  public static func counted(from first: UInt64 = 1) -> SessionIdentifierSource {
    let counter = Counter(first)
    return SessionIdentifierSource { counter.next() }
  }
}

/// A lock-protected counter in an object, so that a closure can share it.
private final class Counter: Sendable {
  private let value: Guarded<UInt64>

  init(_ first: UInt64) {
    value = Guarded(first)
  }

  func next() -> SessionIdentifier {
    let number = value.withLock { value in
      defer { value &+= 1 }
      return value
    }
    return .numbered(Int(truncatingIfNeeded: number & 0xFFFF_FFFF_FFFF))
  }
}

/// Random bits fetched 256 bytes at a time: one system call serves 16 identifiers.
private final class EntropyPool: Sendable {
  private let words = Guarded<[UInt64]>([])

  func next() -> SessionIdentifier {
    words.withLock { words in
      if words.isEmpty { words = Self.fetch() }
      let high = words.removeLast()
      let low = words.removeLast()
      return SessionIdentifier(
        high: high & ~0xF000 | 0x4000, low: low & ~(0b11 << 62) | 0b10 << 62)
    }
  }

  private static func fetch() -> [UInt64] {
    unsafe [UInt64](unsafeUninitializedCapacity: 32) { buffer, count in
      let result = unsafe getentropy(buffer.baseAddress!, 256)
      precondition(result == 0, "the system has no entropy to give")
      count = 32
    }
  }
}
