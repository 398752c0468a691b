// SPDX-License-Identifier: Apache-2.0

/// What a page shows to be allowed to act: 128 random bits.
///
/// The program that mounts a dashboard makes a token for each run and prints its ``text`` for the
/// person who is to act. Its description hides it, so that it does not come into logs by chance.
public struct DashboardToken: Sendable, CustomStringConvertible {
  /// The token as 32 lower-case hexadecimal digits.
  public let text: String

  /// Draws a token.
  ///
  /// - Parameter random: Where the bits come from. Outside of tests they must be
  ///   unpredictable: `SystemRandomNumberGenerator`.
  public init(using random: inout some RandomNumberGenerator) {
    let halves = [random.next(), random.next()]
    text = halves.map { half in
      let digits = String(half, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }
    .joined()
  }

  /// A word instead of the token.
  public var description: String { "DashboardToken" }

  /// Tells whether a text is the token, in a time that does not depend on where they differ.
  func matches(_ candidate: String) -> Bool {
    let expected = Array(text.utf8)
    let given = Array(candidate.utf8.prefix(expected.count + 1))
    var difference = given.count ^ expected.count
    for (index, byte) in expected.enumerated() {
      difference |= Int(byte ^ (index < given.count ? given[index] : 0))
    }
    return difference == 0
  }
}
