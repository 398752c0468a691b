// SPDX-License-Identifier: Apache-2.0

/// A hash of the beginnings of a text, or of its endings, that takes eight bytes in a step.
///
/// It goes on from one length to a greater one. Identifiers come from outside, so its constants are
/// drawn in each process, from the seed of the standard library's hash: without knowing them no
/// client can choose identifiers that collide. Nothing that a program can see depends on the hash.
struct RunningHash {
  private static let start = draw(1)
  private static let secret = draw(2)

  private let factor: UInt64
  private let isBackwards: Bool
  /// The hash of the words so far.
  private var words: UInt64
  /// How many bytes these have.
  private var count = 0

  /// Begins a hash; those with different salts differ.
  ///
  /// - Parameters:
  ///   - salt: What is hashed.
  ///   - isBackwards: Whether bytes are taken from the end of the text on.
  init(salt: UInt8, isBackwards: Bool = false) {
    words = Self.start ^ UInt64(salt) << 8
    factor = Self.secret
    self.isBackwards = isBackwards
  }

  /// Begins a hash that is the same in all processes, and in all builds.
  ///
  /// - Parameters:
  ///   - salt: What is hashed.
  ///   - isBackwards: Whether bytes are taken from the end of the text on.
  init(shared salt: UInt32, isBackwards: Bool) {
    words = 0x9E37_79B9_7F4A_7C15 ^ UInt64(salt) << 32
    factor = 0xD6E8_FEB8_6659_FD93
    self.isBackwards = isBackwards
  }

  private static func draw(_ number: Int) -> UInt64 {
    var hasher = Hasher()
    hasher.combine(number)
    return UInt64(truncatingIfNeeded: hasher.finalize()) | 1
  }

  /// The hash of the first bytes of a text, or of the last ones.
  ///
  /// - Parameters:
  ///   - length: How many bytes; no fewer than the last time.
  ///   - text: The same text each time.
  /// - Returns: The hash, which is that of the same bytes in any other text.
  mutating func value(of length: Int, in text: Span<UInt8>) -> UInt64 {
    while count + 8 <= length {
      words = mixed(words ^ word(at: count, in: text))
      count += 8
    }
    guard length < 8 else {
      // The last eight bytes, of which some were taken already.
      let last = count == length ? 0 : word(at: length - 8, in: text)
      return mixed(mixed(words ^ last) ^ UInt64(length))
    }
    var rest: UInt64 = 0
    for index in 0..<length {
      rest = rest << 8 | UInt64(text[isBackwards ? text.count - 1 - index : index])
    }
    return mixed(mixed(words ^ rest) ^ UInt64(length))
  }

  /// The hash of up to eight bytes in one number.
  func value(ofGram gram: UInt64, _ length: Int) -> UInt64 {
    mixed(mixed(words ^ gram) ^ UInt64(length))
  }

  private func word(at index: Int, in text: Span<UInt8>) -> UInt64 {
    let offset = isBackwards ? text.count - index - 8 : index
    // Safe: any eight bytes are an integer.
    return unsafe text.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
  }

  private func mixed(_ value: UInt64) -> UInt64 {
    let product = value.multipliedFullWidth(by: factor)
    return product.high ^ product.low
  }
}
