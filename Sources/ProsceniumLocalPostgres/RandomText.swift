// SPDX-License-Identifier: Apache-2.0

/// A text that cannot be guessed, for names and passwords.
enum RandomText {
  /// Makes one of 128 random bits, in small letters and digits.
  static func make() -> String {
    var system = SystemRandomNumberGenerator()
    return String(system.next(), radix: 36) + String(system.next(), radix: 36)
  }
}
