// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
@testable import ProsceniumSealing
import Testing

/// The published examples of what sealing is made of.
@Suite struct StandardVectorTests {
  @Test func `a key is wrapped as in RFC 3394, section 4_6`() throws {
    let wrapper = KeyWrapper(
      wrappingKey: key("000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F"),
      check: [])
    let session = SessionKey(
      key: key("00112233445566778899AABBCCDDEEFF000102030405060708090A0B0C0D0E0F"))
    let wrapped = Bytes(
      hexadecimal: """
        28C9F404C4B810F4 CBCCB35CFB87F826 3F5786E2D80ED326 CBC7F0E71A99F43B FB988B9B7A02DD21
        """)
    #expect(try wrapper.wrap(session) == wrapped)
    #expect(wrapper.unwrap(wrapped)?.key == session.key)
  }

  @Test(arguments: [
    (
      "077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5",
      "f0f1f2f3f4f5f6f7f8f9",
      "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf"
    ),
    (
      "19ef24a32c717b167f33a91d6f648bdf96596776afdb6377ac434c1c293ccb04", "",
      "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d"
    ),
  ])
  func `keys are expanded as in RFC 5869, cases 1 and 3`(
    pseudorandom: String, info: String, output: String
  ) {
    let session = SessionKey(key: key(pseudorandom))
    #expect(session.expanded(Bytes(hexadecimal: info)) == key(output))
  }

  @Test func `keys are extracted as in RFC 5869, case 3`() {
    #expect(
      CodeKey.known.secret(of: Bytes(repeating: 0x0b, count: 22))
        == key("19ef24a32c717b167f33a91d6f648bdf96596776afdb6377ac434c1c293ccb04"))
  }

  /// Computed with another library.
  @Test func `stores of other builds are opened with the keys that are derived`() {
    let application = SecretKey(Bytes(0..<32))
    #expect(
      KeyWrapper(applicationKey: application).check
        == Bytes(hexadecimal: "fcc89e7b1c94760f9762029bdf574b1b"))
    #expect(
      SessionKey(key: application).expanded(Bytes("proscenium record 1".utf8) + Bytes(32..<64))
        == key("05197d4dfb055c820a160b6f76b0422e6ddd04bfba33b94db993a19a6f5c8c8d"))
  }

  @Test(arguments: [
    // Cases 13, 14, 16 of the submission of GCM to NIST.
    GCMVector(
      key: String(repeating: "00", count: 32), nonce: "000000000000000000000000", plaintext: "",
      binding: "", ciphertext: "", tag: "530f8afbc74536b9a963b4f1c4cb738b"),
    GCMVector(
      key: String(repeating: "00", count: 32), nonce: "000000000000000000000000",
      plaintext: "00000000000000000000000000000000", binding: "",
      ciphertext: "cea7403d4d606b6e074ec5d3baf39d18", tag: "d0d1c8a799996bf0265b98b5d48ab919"),
    GCMVector(
      key: "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308",
      nonce: "cafebabefacedbaddecaf888",
      plaintext: """
        d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72
        1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39
        """,
      binding: "feedfacedeadbeeffeedfacedeadbeefabaddad2",
      ciphertext: """
        522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa
        8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662
        """, tag: "76fc6ece0f4e1768cddf8853bb2d551b"),
  ])
  func `bytes are sealed as in the examples of GCM`(vector: GCMVector) throws {
    let (nonce, binding) = (Bytes(hexadecimal: vector.nonce), Bytes(hexadecimal: vector.binding))
    let plaintext = Bytes(hexadecimal: vector.plaintext)
    let sealed = Bytes(hexadecimal: vector.ciphertext + vector.tag)
    #expect(PreferredSealing.sealed(plaintext, nonce, binding, key(vector.key)) == sealed)
    #expect(PreferredSealing.opened(sealed, nonce, binding, key(vector.key)) == plaintext)
  }

  @Test(arguments: 1...200)
  func `what was sealed or wrapped opens as it was, or not at all`(seed: UInt64) throws {
    typealias Library = PreferredSealing
    var generator = SplitMix64(seed: seed)
    let (nonce, binding) = (Bytes.drawn(12, &generator), Bytes.drawn(28, &generator))
    let plaintext = Bytes.drawn(Int.random(in: 0...3_000, using: &generator), &generator)
    let (one, other) = (
      SecretKey(Bytes.drawn(32, &generator)),
      SecretKey(Bytes.drawn(32, &generator))
    )
    let box = Library.sealed(plaintext, nonce, binding, one)
    let wrapped = try #require(Library.wrap(one, with: other))
    var (damagedBox, damagedWrap) = (box, wrapped)
    damagedBox[Int.random(in: box.indices, using: &generator)] ^= 1
    damagedWrap[Int.random(in: wrapped.indices, using: &generator)] ^= 128
    let states = [
      Library.opened(box, nonce, binding, one), Library.opened(damagedBox, nonce, binding, one),
      Library.opened(box, nonce, binding, other), Library.opened(box, nonce, binding + [0], one),
    ]
    #expect(states == [plaintext, nil, nil, nil])
    let keys = [
      Library.unwrap(wrapped, with: other), Library.unwrap(damagedWrap, with: other),
      Library.unwrap(wrapped, with: one),
    ]
    #expect(keys == [one, nil, nil])
  }

  private func key(_ digits: String) -> SecretKey {
    SecretKey(Bytes(hexadecimal: digits))
  }
}

extension SealingLibrary {
  fileprivate static func sealed(
    _ plaintext: Bytes, _ nonce: Bytes, _ binding: Bytes, _ key: SecretKey
  ) -> Bytes {
    unsafe Bytes(unsafeUninitializedCapacity: plaintext.count + 16) { buffer, count in
      let isSealed = unsafe seal(
        plaintext.span.bytes, nonce: nonce.span.bytes, binding: binding.span.bytes, key: key,
        into: UnsafeMutableRawBufferPointer(
          start: buffer.baseAddress, count: plaintext.count + 16))
      count = isSealed ? plaintext.count + 16 : 0
    }
  }

  fileprivate static func opened(
    _ sealed: Bytes, _ nonce: Bytes, _ binding: Bytes, _ key: SecretKey
  ) -> Bytes? {
    var isIntact = false
    let plaintext = unsafe Bytes(unsafeUninitializedCapacity: sealed.count - 16) { buffer, count in
      isIntact = unsafe open(
        sealed.span.bytes, nonce: nonce.span.bytes, binding: binding.span.bytes, key: key,
        into: UnsafeMutableRawBufferPointer(start: buffer.baseAddress, count: sealed.count - 16))
      count = isIntact ? sealed.count - 16 : 0
    }
    return isIntact ? plaintext : nil
  }
}

/// One example of GCM, in hexadecimal digits.
struct GCMVector: Sendable {
  let key: String
  let nonce: String
  let plaintext: String
  let binding: String
  let ciphertext: String
  let tag: String
}
