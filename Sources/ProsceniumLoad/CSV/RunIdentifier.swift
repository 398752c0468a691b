// SPDX-License-Identifier: Apache-2.0

/// Tells one run from all others in a CSV file: `load-1795375000-5b0c1f6d2e9a4730`.
///
/// The program and the second in which it began can be read, and are sorted by; 64 random bits tell
/// apart runs that begin in the same second, on whichever machine.
public struct RunIdentifier: Hashable, Sendable, CustomStringConvertible {
  /// The identifier.
  public let description: String

  /// Makes the identifier of a run that begins.
  ///
  /// - Parameters:
  ///   - program: The name of the program.
  ///   - startedAt: The start in seconds since 1970.
  ///   - generator: What the random bits are drawn from; two runs must not get the same ones.
  public init(
    of program: String, startedAt: Int64, using generator: inout some RandomNumberGenerator
  ) {
    let digits = String(generator.next() as UInt64, radix: 16)
    let zeros = String(repeating: "0", count: 16 - digits.count)
    description = "\(program)-\(startedAt)-\(zeros)\(digits)"
  }
}
