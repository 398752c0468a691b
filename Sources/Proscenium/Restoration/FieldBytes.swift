// SPDX-License-Identifier: Apache-2.0

/// The bytes of fields that are written one behind the other, in memory that is used again.
struct FieldBytes: Sendable {
  /// How much memory is kept between two states.
  private static let keptCapacity = 64 << 10

  /// All of it can be written to, so that a byte more costs no call.
  private var memory: [UInt8] = []
  private(set) var count = 0

  /// Forgets the bytes, and gives back what a giant state took.
  mutating func clear() {
    count = 0
    if memory.count > Self.keptCapacity { memory = [] }
  }

  /// Writes some bytes.
  ///
  /// - Parameters:
  ///   - size: How many they are at most.
  ///   - body: Writes them.
  @inline(__always)
  mutating func write(atMost size: Int, _ body: (inout FieldPen) -> Void) {
    if memory.count - count < size { grow(by: size) }
    let start = count
    count = unsafe memory.withUnsafeMutableBytes { memory in
      guard let base = memory.baseAddress else { return start }
      var pen = unsafe FieldPen(base + start)
      body(&pen)
      let end = unsafe pen.place - base
      precondition(end - start <= size)
      return end
    }
  }

  private mutating func grow(by size: Int) {
    // Without optimization other ways to add zeros take a call for each.
    memory += [UInt8](repeating: 0, count: max(size, memory.count, 512))
  }

  /// Lends the bytes.
  @inline(__always)
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    unsafe memory.withUnsafeBytes { unsafe body(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
  }
}

/// Writes behind what is written, where there is room: it is made by ``FieldBytes`` alone.
@safe struct FieldPen {
  /// Where the next byte comes.
  fileprivate(set) var place: UnsafeMutableRawPointer

  @inline(__always)
  fileprivate init(_ place: UnsafeMutableRawPointer) {
    unsafe self.place = place
  }

  @inline(__always)
  mutating func byte(_ byte: UInt8) {
    unsafe place.storeBytes(of: byte, as: UInt8.self)
    unsafe place += 1
  }

  /// A number has ten bytes at most.
  @inline(__always)
  mutating func number(_ number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      byte(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    byte(UInt8(truncatingIfNeeded: rest))
  }

  /// The first byte of a value, and the number in it or behind it: eleven bytes at most.
  @inline(__always)
  mutating func head(_ kind: SavedStateForm.Kind, _ number: UInt64) {
    guard number >= UInt64(SavedStateForm.numberFollows) else {
      return byte(kind.rawValue << 4 | UInt8(truncatingIfNeeded: number))
    }
    byte(kind.rawValue << 4 | SavedStateForm.numberFollows)
    self.number(number)
  }

  /// Eight bytes, the lowest first.
  @inline(__always)
  mutating func word(_ word: UInt64) {
    unsafe place.storeBytes(of: word.littleEndian, as: UInt64.self)
    unsafe place += 8
  }

  @inline(__always)
  mutating func bytes(_ bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress else { return }
    unsafe place.copyMemory(from: source, byteCount: bytes.count)
    unsafe place += bytes.count
  }

  /// The bytes of a text, without its length.
  @inline(__always)
  mutating func text(_ text: String) {
    let isDone: Void? = unsafe text.utf8.withContiguousStorageIfAvailable {
      unsafe bytes(UnsafeRawBufferPointer($0))
    }
    // Only a bridged string is not contiguous.
    if isDone == nil { for byte in text.utf8 { self.byte(byte) } }
  }
}
