// SPDX-License-Identifier: Apache-2.0

/// Reads numbers that dots separate, without a text for each.
struct DottedNumbers<Bytes: IteratorProtocol<UInt8>> {
  private static var dot: UInt8 { UInt8(ascii: ".") }

  private var bytes: Bytes
  private(set) var isAtEnd = false

  init<Text: Sequence<UInt8>>(_ text: Text) where Text.Iterator == Bytes {
    bytes = text.makeIterator()
  }

  /// The next number; nil if there is none, if something else is there, or if it is too large.
  mutating func next<Number: FixedWidthInteger & UnsignedInteger>(
    _: Number.Type = Number.self, radix: Number = 10
  ) -> Number? {
    var number: Number?
    while !isAtEnd {
      guard let byte = bytes.next() else {
        isAtEnd = true
        break
      }
      if byte == Self.dot { return number }
      guard let digit = Self.digit(byte), digit < radix else { return nil }
      let (tens, isTooLarge) = (number ?? 0).multipliedReportingOverflow(by: radix)
      let (sum, isTooLargeNow) = tens.addingReportingOverflow(Number(digit))
      if isTooLarge || isTooLargeNow { return nil }
      number = sum
    }
    return number
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
