// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Testing

@testable import Proscenium

@Suite struct BytesChecksTests {
  /// The bytes at which the rules of UTF-8 change.
  private static let edges: [UInt8] = [
    0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED,
    0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF,
  ]

  @Test func `what is UTF-8 is what the standard library takes for it`() {
    for first in Self.edges {
      check([first])
      for second in Self.edges {
        check([first, second])
        for third in Self.edges {
          check([first, second, third])
          for fourth in Self.edges { check([first, second, third, fourth]) }
        }
      }
    }
  }

  @Test(arguments: 0...17)
  func `a wrong byte is found wherever it stands`(length: Int) {
    let text = [UInt8](repeating: 0x61, count: length)
    check(text)
    for index in text.indices {
      for byte in [0x80, 0xC3, 0xFF] as [UInt8] {
        var broken = text
        broken[index] = byte
        check(broken)
        broken.insert(0xA9, at: index + 1)
        check(broken)
      }
    }
  }

  private func check(_ bytes: [UInt8]) {
    let isText = unsafe bytes.withUnsafeBytes { unsafe Bytes.areUTF8($0) }
    if isText != (String(validating: bytes, as: UTF8.self) != nil) {
      Issue.record("\(bytes)")
    }
  }

  @Test func `bytes come before others as in a dictionary`() {
    var random = SplitMix64(seed: 61)
    for _ in 0..<20_000 {
      let bytes = (0..<60).map { _ in UInt8.random(in: 0...2, using: &random) }
      let ranges = (0..<2).map { _ in
        let start = Int.random(in: 0...60, using: &random)
        return start..<Int.random(in: start...60, using: &random)
      }
      let precedes = unsafe bytes.withUnsafeBytes {
        unsafe Bytes.precede($0, ranges[0], ranges[1])
      }
      #expect(precedes == bytes[ranges[0]].lexicographicallyPrecedes(bytes[ranges[1]]))
    }
  }
}
