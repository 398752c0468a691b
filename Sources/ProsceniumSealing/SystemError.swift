// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// What the system says about its last refusal.
package enum SystemError {
  /// No room is left on the device.
  package static let noSpace = ENOSPC

  /// The number of the last refusal on this thread.
  package static var last: CInt { errno }

  /// The sentence for a number.
  package static func text(_ number: CInt) -> String {
    unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
  }
}
