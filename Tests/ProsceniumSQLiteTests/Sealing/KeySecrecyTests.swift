// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Foundation
import Proscenium
@testable import ProsceniumSealing
import Testing

/// No text that a program could log shows a key.
@Suite struct KeySecrecyTests {
  @Test func `no description and no dump of a key shows its bytes`() throws {
    var generator = SplitMix64(seed: 1)
    let bytes = Bytes.drawn(32, &generator)
    let keys = try ApplicationKeys(primary: bytes, previous: Bytes.drawn(32, &generator))
    let session = SessionKey.random(using: &generator)
    let ring = KeyRing(keys)
    let code = CodeKey(session.key)
    let values: [Any] = [
      keys, keys.primary, session, code, code.recordKey(SealingSalt(words: [1, 2])), ring,
      ring.primary,
    ]
    // As bytes, and as the words in which a key keeps them.
    let words = unsafe bytes.withUnsafeBytes { unsafe Array($0.bindMemory(to: UInt64.self)) }
    for value in values {
      var dumped = ""
      dump(value, to: &dumped)
      for text in [dumped, String(describing: value), String(reflecting: value), "\(value)"] {
        #expect(!words.contains { text.contains("\($0)") }, "\(text)")
        let numbers = text.split { !$0.isNumber }.compactMap { UInt8($0) }
        #expect(numbers.count < 8, "\(text)")
      }
    }
    #expect("\(keys)" == "an application key and the one before it")
    #expect("\(try ApplicationKeys(primary: bytes))" == "an application key")
  }

  @Test func `an array of bytes is overwritten`() {
    var bytes: Bytes = [1, 2, 3]
    bytes.wipe()
    #expect(bytes == [0, 0, 0])
    var none: Bytes = []
    none.wipe()
    #expect(none.isEmpty)
  }
}
