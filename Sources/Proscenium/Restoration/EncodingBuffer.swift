// SPDX-License-Identifier: Apache-2.0

/// Memory that a state is encoded into, and the next one again.
///
/// Its use of pointers is safe: every write comes after ``reserve(_:)`` made room for its bytes,
/// what is read lies before ``count``, and no pointer leaves the buffer but for the time of a call.
@safe
struct EncodingBuffer: ~Copyable {
  /// What is kept between two states.
  static let keptCapacity = 64 << 10

  private var base: UnsafeMutableRawPointer
  private var capacity: Int
  /// The lesser of capacity and limit.
  private var end: Int
  private var limit: Int
  /// How many bytes were written.
  private(set) var count = 0

  init() {
    unsafe base = Self.allocate(Self.firstCapacity)
    capacity = Self.firstCapacity
    end = Self.firstCapacity
    limit = .max
  }

  deinit {
    unsafe base.deallocate()
  }

  private static var firstCapacity: Int { 1_024 }

  /// A word is read at each entry's beginning, which may be the buffer's last byte.
  private static var slack: Int { 8 }

  private static func allocate(_ capacity: Int) -> UnsafeMutableRawPointer {
    .allocate(byteCount: capacity + slack, alignment: 16)
  }

  /// Empties the buffer.
  mutating func empty() {
    count = 0
  }

  /// Empties the buffer, forgets its limit, and gives back what a giant state took.
  mutating func clear() {
    count = 0
    limit = .max
    if capacity > Self.keptCapacity { reallocate(Self.keptCapacity) }
    end = capacity
  }

  /// Sets how many bytes may be written in all.
  mutating func limit(to byteCount: Int) {
    limit = byteCount
    end = min(capacity, limit)
  }

  /// Makes room for so many bytes.
  @inline(__always)
  mutating func reserve(_ byteCount: Int) throws(SavedStateLimits.Excess) {
    if byteCount > end - count { try grow(byteCount) }
  }

  @inline(never)
  private mutating func grow(_ byteCount: Int) throws(SavedStateLimits.Excess) {
    guard byteCount <= limit - count else { throw .bytes }
    if byteCount > capacity - count { reallocate(max(capacity * 2, count + byteCount)) }
    end = min(capacity, limit)
  }

  private mutating func reallocate(_ newCapacity: Int) {
    let new = unsafe Self.allocate(newCapacity)
    unsafe new.copyMemory(from: base, byteCount: count)
    unsafe base.deallocate()
    unsafe base = new
    capacity = newCapacity
  }

  // MARK: - Writing

  @inline(__always)
  mutating func append(_ byte: UInt8) throws(SavedStateLimits.Excess) {
    try reserve(1)
    unsafe base.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
    count += 1
  }

  /// Appends eight bytes, the lowest first.
  @inline(__always)
  mutating func append(bits: UInt64) throws(SavedStateLimits.Excess) {
    try reserve(8)
    unsafe base.storeBytes(of: bits.littleEndian, toByteOffset: count, as: UInt64.self)
    count += 8
  }

  @inline(__always)
  mutating func append(number: UInt64) throws(SavedStateLimits.Excess) {
    if number < 0x80 { return try append(UInt8(truncatingIfNeeded: number)) }
    try reserve(10)
    var rest = number
    while rest >= 0x80 {
      unsafe base.storeBytes(
        of: UInt8(truncatingIfNeeded: rest) | 0x80, toByteOffset: count, as: UInt8.self)
      count += 1
      rest &>>= 7
    }
    unsafe base.storeBytes(
      of: UInt8(truncatingIfNeeded: rest), toByteOffset: count, as: UInt8.self)
    count += 1
  }

  @inline(__always)
  mutating func append(_ bytes: [UInt8]) throws(SavedStateLimits.Excess) {
    try reserve(bytes.count)
    unsafe bytes.withUnsafeBytes { unsafe append(reserved: $0) }
  }

  /// What stands before a text: up to eight bytes, the first one lowest.
  struct Head {
    let bytes: UInt64
    let size: Int
  }

  /// Appends a text, which is lent: a copy of it would be counted.
  ///
  /// Room is made once, and what precedes the text is written in one step.
  @inline(__always)
  mutating func append(
    _ text: borrowing String, behind head: Head
  ) throws(SavedStateLimits.Excess) {
    try reserve(MemoryLayout<UInt64>.size + text.utf8.count)
    unsafe base.storeBytes(of: head.bytes.littleEndian, toByteOffset: count, as: UInt64.self)
    count += head.size
    let isDone: Void? = unsafe text.utf8.withContiguousStorageIfAvailable {
      unsafe append(reserved: UnsafeRawBufferPointer($0))
    }
    // Only a bridged string is not contiguous.
    if isDone == nil { unsafe Array(text.utf8).withUnsafeBytes { unsafe append(reserved: $0) } }
  }

  @inline(__always)
  private mutating func append(reserved bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress else { return }
    unsafe Self.copy(source, to: base + count, byteCount: bytes.count)
    count += bytes.count
  }

  /// Copies bytes; up to sixteen, as most names and texts have, without a call.
  ///
  /// No read goes across the eighth byte: a short text was just stored as two words, and the
  /// processor would have to wait until both are in its cache.
  @inline(__always)
  private static func copy(
    _ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, byteCount: Int
  ) {
    guard byteCount <= 16 else {
      return unsafe target.copyMemory(from: source, byteCount: byteCount)
    }
    var offset = 0
    if byteCount >= 8 {
      unsafe target.storeBytes(of: source.loadUnaligned(as: UInt64.self), as: UInt64.self)
      offset = 8
    }
    let rest = byteCount - offset
    if rest >= 4 {
      unsafe copyEnds(of: source + offset, to: target + offset, rest, UInt32.self)
    } else if rest >= 2 {
      unsafe copyEnds(of: source + offset, to: target + offset, rest, UInt16.self)
    } else if rest == 1 {
      unsafe target.storeBytes(
        of: source.load(fromByteOffset: offset, as: UInt8.self), toByteOffset: offset,
        as: UInt8.self)
    }
  }

  /// Copies up to two words, which may overlap: the first ones and the last ones.
  @inline(__always)
  private static func copyEnds<Word: FixedWidthInteger>(
    of source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, _ byteCount: Int,
    _: Word.Type
  ) {
    let last = byteCount - MemoryLayout<Word>.size
    let words = unsafe (
      source.loadUnaligned(as: Word.self),
      source.loadUnaligned(fromByteOffset: last, as: Word.self)
    )
    unsafe target.storeBytes(of: words.0, as: Word.self)
    unsafe target.storeBytes(of: words.1, toByteOffset: last, as: Word.self)
  }

  /// Makes a gap, or closes one, before what was written from an offset on.
  mutating func move(from offset: Int, by distance: Int) throws(SavedStateLimits.Excess) {
    try reserve(max(distance, 0))
    unsafe (base + offset + distance).copyMemory(from: base + offset, byteCount: count - offset)
    count += distance
  }

  /// Writes over a byte.
  @inline(__always)
  mutating func set(_ byte: UInt8, at offset: Int) {
    unsafe base.storeBytes(of: byte, toByteOffset: offset, as: UInt8.self)
  }

  // MARK: - Reading

  /// Eight bytes as a number by which they are ordered; what is beyond `byteCount` counts as 0.
  @inline(__always)
  func word(at offset: Int, byteCount: Int) -> UInt64 {
    let word = unsafe base.loadUnaligned(fromByteOffset: offset, as: UInt64.self).bigEndian
    return byteCount >= 8 ? word : word & ~(.max &>> UInt64(byteCount &* 8))
  }

  /// What was written, for the time of a call.
  @inline(__always)
  func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    unsafe try body(UnsafeRawBufferPointer(start: base, count: count))
  }

  /// Appends a part of another buffer.
  @inline(__always)
  mutating func append(
    _ other: borrowing EncodingBuffer, from offset: Int, byteCount: Int
  ) throws(SavedStateLimits.Excess) {
    try reserve(byteCount)
    unsafe (base + count).copyMemory(from: other.base + offset, byteCount: byteCount)
    count += byteCount
  }

  /// Writes over everything from an offset on, with as many bytes.
  mutating func replace(from offset: Int, with other: borrowing EncodingBuffer) {
    precondition(offset + other.count == count, "Only as many bytes can be written over.")
    unsafe (base + offset).copyMemory(from: other.base, byteCount: other.count)
  }
}
