// SPDX-License-Identifier: Apache-2.0

/// An event from outside for one scene: up to 64 KiB of bytes whose meaning the program decides.
///
/// Messages are what UIKit has no word for. They are addressed to a session, change no state of its
/// scene, and arrive in the order of their sender. Up to 32 bytes are in the value itself, so
/// that a small message costs no allocation.
public struct SceneMessage: Sendable {
  /// The largest message, in bytes.
  public static let sizeLimit = 65_536

  @usableFromInline static var inlineCapacity: Int { 32 }

  @usableFromInline var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
  @usableFromInline var buffer: Buffer?

  /// How many bytes the message has.
  public let count: Int

  @usableFromInline
  final class Buffer: Sendable {
    @usableFromInline let bytes: [UInt8]

    @usableFromInline
    init(_ bytes: [UInt8]) {
      self.bytes = bytes
    }
  }

  /// Creates a message from bytes.
  ///
  /// A message over ``sizeLimit`` can be made, but sending it throws
  /// ``SceneError/Code/limitExceeded``.
  @inlinable
  public init(_ bytes: some Collection<UInt8>) {
    let copied = bytes.withContiguousStorageIfAvailable { bytes in
      unsafe SceneMessage(copying: UnsafeRawBufferPointer(bytes))
    }
    self = copied ?? SceneMessage(array: Array(bytes))
  }

  /// Creates a message from bytes in memory; a small one is copied where it is made.
  @inlinable
  @inline(__always)
  init(copying bytes: UnsafeRawBufferPointer) {
    self.init(count: bytes.count)
    if count <= Self.inlineCapacity {
      unsafe withUnsafeMutableBytes(of: &words) { unsafe $0.copyMemory(from: bytes) }
    } else {
      buffer = unsafe Buffer(Array(bytes))
    }
  }

  @inlinable
  init(count: Int) {
    self.count = count
  }

  @usableFromInline
  init(array bytes: [UInt8]) {
    self = unsafe bytes.withUnsafeBytes { unsafe SceneMessage(copying: $0) }
  }

  /// Creates a message from the UTF-8 bytes of a text.
  public init(_ text: String) {
    self.init(text.utf8)
  }

  /// Calls a function with the bytes of the message, without copying large ones.
  ///
  /// - Parameter body: Receives the bytes; they are valid during the call only.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws.
  @inlinable
  @inline(__always)
  public func withBytes<Result, Failure: Error>(
    _ body: (RawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if let buffer {
      let bytes = buffer.bytes
      return try unsafe body(bytes.span.bytes)
    }
    let copy = words
    return try unsafe withUnsafeBytes(of: copy) { (bytes) throws(Failure) -> Result in
      let part = unsafe UnsafeRawBufferPointer(rebasing: bytes[..<count])
      return try unsafe body(part.bytes)
    }
  }

  /// A copy of the bytes.
  public var bytes: [UInt8] {
    if let buffer { return buffer.bytes }
    let copy = words
    return unsafe withUnsafeBytes(of: copy) { bytes in unsafe Array(bytes[..<count]) }
  }

  /// The message as text; bytes that are no UTF-8 are repaired.
  public var string: String {
    if let buffer { return String(decoding: buffer.bytes, as: UTF8.self) }
    let copy = words
    return unsafe withUnsafeBytes(of: copy) { bytes in
      unsafe String(decoding: bytes[..<count], as: UTF8.self)
    }
  }
}

extension SceneMessage: ExpressibleByStringInterpolation {
  /// Creates a message from the UTF-8 bytes of a text.
  public init(stringLiteral value: String) {
    self.init(value)
  }
}

extension SceneMessage: Hashable {
  /// Tells whether two messages have the same bytes.
  public static func == (left: Self, right: Self) -> Bool {
    guard left.count == right.count else { return false }
    if let first = left.buffer, let second = right.buffer {
      return first === second || first.bytes == second.bytes
    }
    return left.words == right.words
  }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(bytes)
  }
}
