// SPDX-License-Identifier: Apache-2.0

import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// 32 secret bytes, which are wiped with their last copy and are in no description.
///
/// They are in one place that nothing copies: a value that is passed on shares them.
package final class SecretKey: Sendable {
  /// The number of bytes of a key.
  static let size = 32

  // They are written twice: by the initializer, and at the end.
  private let first: Atomic<UInt64>
  private let second: Atomic<UInt64>
  private let third: Atomic<UInt64>
  private let fourth: Atomic<UInt64>

  /// Copies the bytes of a key, which the caller wipes.
  ///
  /// - Parameter source: ``size`` bytes.
  init(_ source: RawSpan) {
    precondition(source.byteCount == Self.size, "a key has \(Self.size) bytes")
    first = unsafe Atomic(source.unsafeLoadUnaligned(fromByteOffset: 0, as: UInt64.self))
    second = unsafe Atomic(source.unsafeLoadUnaligned(fromByteOffset: 8, as: UInt64.self))
    third = unsafe Atomic(source.unsafeLoadUnaligned(fromByteOffset: 16, as: UInt64.self))
    fourth = unsafe Atomic(source.unsafeLoadUnaligned(fromByteOffset: 24, as: UInt64.self))
  }

  /// Copies the bytes of a key out of an array, which the caller wipes.
  ///
  /// - Parameter source: ``size`` bytes.
  convenience init(_ source: [UInt8]) {
    unsafe self.init(source.span.bytes)
  }

  deinit {
    first.store(0, ordering: .relaxed)
    second.store(0, ordering: .relaxed)
    third.store(0, ordering: .relaxed)
    fourth.store(0, ordering: .relaxed)
  }

  /// Calls a function with a copy of the bytes, which is wiped when it returns.
  func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    var words = self.words
    return unsafe Swift.withUnsafeMutableBytes(of: &words) { copy in
      defer { unsafe copy.wipe() }
      return unsafe body(UnsafeRawBufferPointer(copy))
    }
  }

  private var words: SIMD4<UInt64> {
    SIMD4(
      first.load(ordering: .relaxed), second.load(ordering: .relaxed),
      third.load(ordering: .relaxed), fourth.load(ordering: .relaxed))
  }
}

extension SecretKey: Equatable {
  /// Tells whether two keys are the same, in a time that does not depend on how they differ.
  package static func == (left: SecretKey, right: SecretKey) -> Bool {
    let difference = left.words ^ right.words
    return difference[0] | difference[1] | difference[2] | difference[3] == 0
  }
}

extension SecretKey: CustomStringConvertible, CustomReflectable {
  package var description: String { "a secret key" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}

extension Array where Element == UInt8 {
  /// Overwrites the bytes of a key that is not needed any more.
  ///
  /// It reaches this copy alone, so an array that holds a key has one owner.
  mutating func wipe() {
    unsafe withUnsafeMutableBytes { unsafe $0.wipe() }
  }
}

extension UnsafeMutableRawBufferPointer {
  /// Overwrites the bytes of a key that is not needed any more.
  func wipe() {
    guard let start = baseAddress else { return }
    // An ordinary store just before the memory is freed may be left out by the compiler.
    #if canImport(Darwin)
      unsafe memset_s(start, count, 0, count)
    #else
      unsafe explicit_bzero(start, count)
    #endif
  }
}

/// The system's random numbers, drawn 32 bytes at a time: as many as a key has, with one call.
package struct SystemRandomness: RandomNumberGenerator {
  private var words = SIMD4<UInt64>.zero
  private var left = 0

  package init() {}

  /// Draws 64 bits.
  package mutating func next() -> UInt64 {
    if left == 0 { refill() }
    left -= 1
    // What was given is nowhere else.
    defer { words[left] = 0 }
    return words[left]
  }

  private mutating func refill() {
    left = words.scalarCount
    let code = unsafe withUnsafeMutableBytes(of: &words) {
      unsafe getentropy($0.baseAddress.unsafelyUnwrapped, $0.count)
    }
    if code == 0 { return }
    var system = SystemRandomNumberGenerator()
    for index in words.indices { words[index] = system.next() }
  }
}
