// SPDX-License-Identifier: Apache-2.0

/// The system's random numbers, as a value that has an address.
///
/// The standard generator has no size; the thread sanitizer ends a process that hands such a value
/// on by reference.
struct SystemRandomness: RandomNumberGenerator {
  private var system = SystemRandomNumberGenerator()
  private var count: UInt64 = 0

  /// Draws 64 bits.
  mutating func next() -> UInt64 {
    count &+= 1
    return system.next()
  }
}
