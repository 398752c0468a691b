// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// What the system says about its last refusal.
enum SystemError {
  /// No room is left on the device.
  static let noSpace = ENOSPC

  /// The number of the last refusal on this thread.
  static var last: CInt { errno }

  /// The sentence for a number.
  static func text(_ number: CInt) -> String {
    unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
  }
}
