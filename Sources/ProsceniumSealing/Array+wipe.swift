// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

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
