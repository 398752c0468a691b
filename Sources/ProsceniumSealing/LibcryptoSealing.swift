// SPDX-License-Identifier: Apache-2.0

#if !canImport(CryptoKit)
  import CSealing

  /// The system's libcrypto.
  enum LibcryptoSealing: SealingLibrary {
    private static let wrappedSize = SecretKey.size + 8

    static func seal(
      _ plaintext: RawSpan, nonce: RawSpan, binding: RawSpan, key: SecretKey,
      into sealed: UnsafeMutableRawBufferPointer
    ) -> Bool {
      let count = plaintext.byteCount
      precondition(sealed.count == count + 16 && nonce.byteCount == 12)
      return unsafe withBytes(key) { key in
        unsafe nonce.withUnsafeBytes { nonce in
          unsafe binding.withUnsafeBytes { binding in
            unsafe plaintext.withUnsafeBytes { plaintext in
              unsafe proscenium_seal(
                key, bytes(nonce), bytes(binding), binding.count, bytes(plaintext), count,
                sealed.assumingMemoryBound(to: UInt8.self).baseAddress)
            }
          }
        }
      }
    }

    static func open(
      _ sealed: RawSpan, nonce: RawSpan, binding: RawSpan, key: SecretKey,
      into plaintext: UnsafeMutableRawBufferPointer
    ) -> Bool {
      let count = plaintext.count
      precondition(sealed.byteCount == count + 16 && nonce.byteCount == 12)
      return unsafe withBytes(key) { key in
        unsafe nonce.withUnsafeBytes { nonce in
          unsafe binding.withUnsafeBytes { binding in
            unsafe sealed.withUnsafeBytes { sealed in
              unsafe proscenium_open(
                key, bytes(nonce), bytes(binding), binding.count, bytes(sealed), count,
                plaintext.assumingMemoryBound(to: UInt8.self).baseAddress)
            }
          }
        }
      }
    }

    /// The two halves of a key, each behind the first block of a digest.
    struct PreparedKey: Sendable {
      let inner, outer: SecretKey
    }

    static func prepare(_ key: SecretKey) -> PreparedKey {
      unsafe withUnsafeTemporaryAllocation(byteCount: 2 * SecretKey.size, alignment: 8) { halves in
        defer { unsafe halves.wipe() }
        let inner = unsafe halves.assumingMemoryBound(to: UInt8.self).baseAddress
        unsafe withBytes(key) {
          unsafe proscenium_prepare_code($0, inner, inner?.advanced(by: SecretKey.size))
        }
        return unsafe PreparedKey(
          inner: SecretKey(halves.bytes.extracting(first: SecretKey.size)),
          outer: SecretKey(halves.bytes.extracting(last: SecretKey.size)))
      }
    }

    static func authenticate(
      _ message: RawSpan, with key: PreparedKey, into code: UnsafeMutableRawBufferPointer
    ) {
      precondition(code.count == SecretKey.size)
      unsafe withBytes(key.inner) { inner in
        unsafe withBytes(key.outer) { outer in
          unsafe message.withUnsafeBytes { message in
            unsafe proscenium_code(
              inner, outer, bytes(message), message.count,
              code.assumingMemoryBound(to: UInt8.self).baseAddress)
          }
        }
      }
    }

    static func wrap(_ key: SecretKey, with wrappingKey: SecretKey) -> [UInt8]? {
      var isWrapped = false
      let wrapped = unsafe [UInt8](unsafeUninitializedCapacity: wrappedSize) { wrapped, count in
        isWrapped = unsafe withBytes(wrappingKey) { wrappingKey in
          unsafe withBytes(key) { unsafe proscenium_wrap(wrappingKey, $0, wrapped.baseAddress) }
        }
        count = isWrapped ? wrappedSize : 0
      }
      return isWrapped ? wrapped : nil
    }

    static func unwrap(_ wrapped: [UInt8], with wrappingKey: SecretKey) -> SecretKey? {
      precondition(wrapped.count == wrappedSize)
      return unsafe withUnsafeTemporaryAllocation(byteCount: SecretKey.size + 8, alignment: 8) {
        key in
        defer { unsafe key.wipe() }
        let isIntact = unsafe withBytes(wrappingKey) { wrappingKey in
          unsafe proscenium_unwrap(
            wrappingKey, wrapped, key.assumingMemoryBound(to: UInt8.self).baseAddress)
        }
        guard isIntact else { return nil }
        return unsafe SecretKey(key.bytes.extracting(first: SecretKey.size))
      }
    }

    private static func withBytes<Result>(
      _ key: SecretKey, _ body: (UnsafePointer<UInt8>?) -> Result
    ) -> Result {
      unsafe key.withUnsafeBytes { unsafe body(bytes($0)) }
    }

    private static func bytes(_ buffer: UnsafeRawBufferPointer) -> UnsafePointer<UInt8>? {
      unsafe buffer.assumingMemoryBound(to: UInt8.self).baseAddress
    }
  }
#endif
