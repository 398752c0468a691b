// SPDX-License-Identifier: Apache-2.0

/// Writes numbers with dots between them, and fixed texts, where a text or bytes are being made.
@safe
struct DottedText {
  /// What the largest number takes, with a dot.
  static let numberSize = 21

  private let buffer: UnsafeMutableBufferPointer<UInt8>
  fileprivate private(set) var count = 0
  private var isBehindNumber = false

  fileprivate init(_ buffer: UnsafeMutableBufferPointer<UInt8>) {
    unsafe self.buffer = buffer
  }

  /// Adds a text, which no dot precedes or follows.
  mutating func append(_ text: StaticString) {
    for index in 0..<text.utf8CodeUnitCount { add(unsafe text.utf8Start[index]) }
    isBehindNumber = false
  }

  /// Adds a number.
  mutating func append(_ number: some FixedWidthInteger & UnsignedInteger, radix: UInt64 = 10) {
    if isBehindNumber { add(UInt8(ascii: ".")) }
    isBehindNumber = true
    let start = count
    var rest = UInt64(number)
    repeat {
      let digit = UInt8(truncatingIfNeeded: rest % radix)
      add(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
      rest /= radix
    } while rest > 0
    // The digits came last one first.
    unsafe buffer[start..<count].reverse()
  }

  private mutating func add(_ byte: UInt8) {
    precondition(unsafe count < buffer.count, "the text is longer than was said")
    unsafe buffer[count] = byte
    count += 1
  }
}

extension String {
  /// Makes a text of at most so many bytes.
  init(dottedCapacity capacity: Int, _ body: (inout DottedText) -> Void) {
    self = unsafe String(unsafeUninitializedCapacity: capacity) { buffer in
      unsafe [UInt8].write(
        UnsafeMutableBufferPointer(rebasing: buffer[..<capacity]), body)
    }
  }
}

extension [UInt8] {
  /// Makes the bytes of such a text.
  init(dottedCapacity capacity: Int, _ body: (inout DottedText) -> Void) {
    self = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      count = unsafe Self.write(buffer, body)
    }
  }

  fileprivate static func write(
    _ buffer: UnsafeMutableBufferPointer<UInt8>, _ body: (inout DottedText) -> Void
  ) -> Int {
    var text = unsafe DottedText(buffer)
    body(&text)
    return text.count
  }
}
