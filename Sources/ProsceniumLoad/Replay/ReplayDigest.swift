// SPDX-License-Identifier: Apache-2.0

/// Sums up texts and numbers in 64 bits (FNV-1a), the same on every machine.
///
/// It tells contents apart that differ by accident; it is no protection against intent.
struct ReplayDigest: Hashable, Sendable {
  private(set) var value: UInt64

  /// Makes the digest that has a value; that of nothing unless another is given.
  init(value: UInt64 = 0xCBF2_9CE4_8422_2325) {
    self.value = value
  }

  /// Adds a text and its end, so that `ab`, `c` differs from `a`, `bc`.
  mutating func add(_ text: String) {
    for byte in text.utf8 { add(byte: byte) }
    add(byte: 0xFF)
  }

  /// Adds a number.
  mutating func add(number: Int64) {
    for shift in stride(from: Int64(0), to: 64, by: 8) {
      add(byte: UInt8(truncatingIfNeeded: number >> shift))
    }
  }

  /// Adds everything of a request that a replay uses.
  mutating func add(_ request: AccessLogLine, line: Int) {
    add(number: Int64(line))
    add(request.client)
    add(request.userAgent ?? "-")
    add(request.location)
    add(number: request.time)
    add(number: request.bytes)
    add(number: request.referrer == nil ? 0 : 1)
  }

  private mutating func add(byte: UInt8) {
    value = (value ^ UInt64(byte)) &* 0x100_0000_01B3
  }
}

extension ReplayDigest {
  /// Reads the sixteen lower-case hexadecimal digits that ``text`` gives.
  init?(_ text: some StringProtocol) {
    guard let value = UInt64(text, radix: 16) else { return nil }
    self.init(value: value)
    if self.text != text { return nil }
  }

  /// The sum as sixteen lower-case hexadecimal digits.
  var text: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
