// SPDX-License-Identifier: Apache-2.0

extension ContentPredicate: Codable {
  /// Creates a predicate of its canonical string, or of any other format without placeholders.
  ///
  /// - Parameter decoder: Gives one string.
  /// - Throws: `DecodingError.dataCorrupted` with the sentence of the `PredicateFormatError` if the
  ///   string makes no predicate; any other error of the decoder.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let format = try container.decode(String.self)
    do {
      try self.init(format: format, arguments: [])
    } catch {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: container.codingPath, debugDescription: error.description,
          underlyingError: error))
    }
  }

  /// Encodes the canonical string.
  ///
  /// - Parameter encoder: Takes one string.
  /// - Throws: The errors of the encoder.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
