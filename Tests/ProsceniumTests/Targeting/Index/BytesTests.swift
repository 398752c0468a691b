// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Proscenium

@Suite struct BytesTests {
  @Test func `a text backwards is a text backwards, whatever its length`() {
    for count in 0...70 {
      let text = (0..<count).map { UInt8($0) }
      let reversed = unsafe text.withUnsafeBytes { text in
        unsafe Bytes.withReversed(text) { unsafe Array($0) }
      }
      #expect(reversed == text.reversed())
    }
  }

  @Test func `texts are equal as far as they are compared, at every length`() {
    for count in 0...40 {
      let text = (0..<count).map { UInt8($0) }
      #expect(Self.areEqual(text + [1], text + [2], count))
      for index in 0..<count {
        var other = text
        other[index] ^= 0x80
        #expect(!Self.areEqual(text, other, count))
      }
    }
  }

  private static func areEqual(_ left: [UInt8], _ right: [UInt8], _ count: Int) -> Bool {
    unsafe left.withUnsafeBytes { left in
      unsafe right.withUnsafeBytes { right in
        unsafe Bytes.equal(left, right, byteCount: count)
      }
    }
  }
}
