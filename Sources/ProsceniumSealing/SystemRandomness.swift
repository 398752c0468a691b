// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

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
