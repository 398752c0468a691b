// SPDX-License-Identifier: Apache-2.0

/// What a session remembers of its events: the number of the last one, and a value that depends on
/// each of them and on their order.
///
/// Whoever sends the events computes the same: if both agree in the end, each came once, and in its
/// order.
struct LoadHistory: Hashable, Sendable {
  /// The greatest number so far; 0 before the first event.
  private(set) var last: UInt32 = 0
  private var chain: UInt64 = 0

  init() {}

  /// Adds the event with a number.
  mutating func append(_ number: UInt32) {
    last = max(last, number)
    // The mixing steps of a generator of random numbers: every bit of the last value reaches all.
    var value = (chain ^ UInt64(number)) &+ 0x9E37_79B9_7F4A_7C15
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    chain = value ^ value >> 27
  }

  /// Reads a history; nil if the text is none.
  init?(text: String) {
    var numbers = DottedNumbers(text.utf8)
    guard let last: UInt32 = numbers.next(), let chain: UInt64 = numbers.next(radix: 16),
      numbers.isAtEnd
    else { return nil }
    self.last = last
    self.chain = chain
  }

  var text: String { String(dottedCapacity: Self.textSize, write) }

  /// The bytes of the text.
  var bytes: [UInt8] { [UInt8](dottedCapacity: Self.textSize, write) }

  private static let textSize = 2 * DottedText.numberSize

  private func write(_ text: inout DottedText) {
    text.append(last)
    text.append(chain, radix: 16)
  }
}
