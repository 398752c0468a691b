// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Proscenium

@Suite struct ByteHashTests {
  private static func hash(_ text: some Sequence<UInt8>) -> UInt64 {
    unsafe Array(text).withUnsafeBytes { unsafe ByteHash.shared($0) }
  }

  @Test func `equal texts have equal hashes wherever they lie`() {
    let text = (0..<100).map { UInt8($0) }
    for count in 0...64 {
      let hashes = (0..<8).map { offset in
        // The same bytes at every alignment, with other bytes around them.
        let memory = [UInt8](repeating: 0xEE, count: offset) + text.prefix(count) + [0xEE, 0xEE]
        return unsafe memory.withUnsafeBytes { bytes in
          unsafe ByteHash.shared(
            UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count]))
        }
      }
      #expect(Set(hashes).count == 1)
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
