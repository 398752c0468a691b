// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Proscenium

@Suite struct RunningHashTests {
  private static func hash(_ text: some Sequence<UInt8>, salt: UInt8 = 0) -> UInt64 {
    var hash = RunningHash(salt: salt)
    let bytes = Array(text)
    return hash.value(of: bytes.count, in: bytes.span)
  }

  @Test func `equal texts have equal hashes, and those with another salt have others`() {
    let text = (0..<100).map { UInt8($0) }
    for count in 0...64 {
      #expect(Self.hash(text.prefix(count)) == Self.hash(text.prefix(count)))
      #expect(Self.hash(text.prefix(count)) != Self.hash(text.prefix(count), salt: 1))
    }
  }

  @Test(arguments: [0, 1, 0x61, 0xFF] as [UInt8])
  func `texts of one letter and of every length have different hashes`(_ letter: UInt8) {
    let hashes = (0...200).map { Self.hash(repeatElement(letter, count: $0)) }
    #expect(Set(hashes).count == hashes.count)
  }

  @Test func `every byte of a text counts`() {
    for count in 1...64 {
      let text = [UInt8](repeating: 0x61, count: count)
      var hashes: Set<UInt64> = [Self.hash(text)]
      for index in text.indices {
        for bit in 0..<8 {
          var other = text
          other[index] ^= 1 << UInt8(bit)
          hashes.insert(Self.hash(other))
        }
      }
      #expect(hashes.count == 1 + count * 8)
    }
  }
}
