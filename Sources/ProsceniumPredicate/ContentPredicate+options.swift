// SPDX-License-Identifier: Apache-2.0

extension ContentPredicate {
  /// Differences between texts that a comparison ignores, `[c]`, `[d]` and `[cd]`.
  ///
  /// With any option canonically equivalent texts are equal too: a composed and a decomposed "é".
  public struct Options: OptionSet, Sendable, Hashable {
    /// The options' bits.
    public let rawValue: UInt8

    /// Creates options from their bits.
    ///
    /// - Parameter rawValue: The bits; those that are no option's are dropped.
    public init(rawValue: UInt8) {
      self.rawValue = rawValue & 0b11
    }

    /// Ignores case, by Unicode's full case folding: "STRASSE" equals "straße".
    public static let caseInsensitive = Options(rawValue: 1)

    /// Ignores the diacritics U+0300 to U+036F: "cafe" equals "café".
    public static let diacriticInsensitive = Options(rawValue: 2)
  }
}
