// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Which thread it is that runs.
public struct ThreadIdentity: Sendable, Hashable {
  /// The system's number for it: never 0, and used again after the thread has ended.
  public let rawValue: UInt

  /// The thread that runs the caller.
  public static var current: ThreadIdentity {
    #if canImport(Darwin)
      ThreadIdentity(rawValue: unsafe UInt(bitPattern: pthread_self()))
    #else
      ThreadIdentity(rawValue: UInt(pthread_self()))
    #endif
  }
}
