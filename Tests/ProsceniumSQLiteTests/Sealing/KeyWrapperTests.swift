// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Proscenium
@testable import ProsceniumSealing
import Testing

@Suite struct KeyWrapperTests {
  @Test(arguments: 1...50)
  func `what one application key wrapped, no other unwraps`(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    let (wrapper, other) = (drawn(&generator), drawn(&generator))
    let key = SessionKey.random(using: &generator)
    let wrapped = try wrapper.wrap(key)
    #expect(wrapped.count == KeyWrapper.wrappedSize)
    #expect(wrapper.unwrap(wrapped)?.key == key.key)
    #expect(other.unwrap(wrapped) == nil)
    #expect(wrapper.check.count == 16)
    #expect(wrapper.check != other.check)
  }

  @Test func `every flipped bit and every other length of a wrapped key is found`() throws {
    var generator = SplitMix64(seed: 1)
    let wrapper = drawn(&generator)
    let wrapped = try wrapper.wrap(.random(using: &generator))
    for bit in 0..<(8 * wrapped.count) {
      var changed = wrapped
      changed[bit / 8] ^= 1 << (bit % 8)
      #expect(wrapper.unwrap(changed) == nil, "bit \(bit)")
    }
    for count in 0...200 where count != wrapped.count {
      let bytes = Array((wrapped + Bytes(repeating: 0, count: 200)).prefix(count))
      #expect(wrapper.unwrap(bytes) == nil, "\(count) bytes")
    }
  }

  @Test func `a ring unwraps with either key, and says when the older one did`() throws {
    var generator = SplitMix64(seed: 2)
    let (old, new) = (Bytes.drawn(32, &generator), Bytes.drawn(32, &generator))
    let before = KeyRing(try ApplicationKeys(primary: old))
    let during = KeyRing(try ApplicationKeys(primary: new, previous: old))
    let after = KeyRing(try ApplicationKeys(primary: new))
    let key = SessionKey.random(using: &generator)
    let wrapped = try before.primary.wrap(key)
    let unwrapped = try during.unwrap(wrapped)
    #expect(unwrapped.key.key == key.key)
    #expect(unwrapped.isOutdated)
    let again = try during.unwrap(try during.primary.wrap(key))
    #expect(!again.isOutdated)
    let refusal = SealingError(
      .wrongKey, "the session's key is not wrapped by the application key.")
    #expect(throws: refusal) { try after.unwrap(wrapped) }
    #expect(throws: SealingError.self) { try after.unwrap([1, 2]) }
    #expect(during.recognises(before.primary.check))
    #expect(during.recognises(after.primary.check))
    #expect(!after.recognises(before.primary.check))
    #expect(!after.recognises([]))
  }

  private func drawn(_ generator: inout SplitMix64) -> KeyWrapper {
    KeyWrapper(applicationKey: SecretKey(Bytes.drawn(32, &generator)))
  }
}
