// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

/// Bytes of a test vector, from hexadecimal digits.
typealias Bytes = [UInt8]

extension Bytes {
  /// Reads pairs of hexadecimal digits; anything else between them is ignored.
  init(hexadecimal text: String) {
    let digits = text.compactMap { $0.hexDigitValue.map(UInt8.init) }
    self = stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }

  /// Draws bytes.
  static func drawn(_ count: Int, _ generator: inout SplitMix64) -> Bytes {
    (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
  }

  /// The bytes as lower-case hexadecimal digits.
  var hexadecimal: String {
    map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
