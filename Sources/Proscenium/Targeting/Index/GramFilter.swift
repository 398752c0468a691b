// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A set of bits that says of most grams that no text has them, without a look at any table.
///
/// There are sixteen bits for each gram, one of them set: one absent gram in sixteen is let
/// through. The set is so small that it stays in the processor's nearest cache. The bit of a gram
/// that was removed stays, until the set is made anew.
@safe
struct GramFilter: ~Copyable, Sendable {
  fileprivate struct Block: ~Copyable {
    /// The number of bits is a power of two; this is one less.
    let mask: UInt64
    // Followed by the bits.
  }

  static let bitsPerGram = 16

  private let block = Atomic<UInt>(0)

  init() {}

  deinit {
    let block = Address<Block>(block)
    if !block.isNone { block.free() }
  }

  @inline(__always)
  fileprivate static func words(_ block: Address<Block>) -> UnsafeMutablePointer<Atomic<UInt64>> {
    unsafe UnsafeMutableRawPointer(block.node + 1).assumingMemoryBound(to: Atomic<UInt64>.self)
  }

  /// The filter as it is for a reader, as long as its visit lasts.
  @safe
  struct View {
    private let words: UnsafeMutablePointer<Atomic<UInt64>>?
    private let mask: UInt64

    fileprivate init(_ block: Address<Block>) {
      unsafe words = block.isNone ? nil : GramFilter.words(block)
      mask = block.isNone ? 0 : unsafe block.node.pointee.mask
    }

    /// Tells whether some text may have a gram, given the gram's tag.
    @inline(__always)
    func admits(_ tag: UInt64) -> Bool {
      guard let words = unsafe words else { return false }
      let bit = tag >> 24 & mask
      return unsafe words[Int(bit >> 6)].load(ordering: .acquiring) >> (bit & 63) & 1 == 1
    }
  }

  @inline(__always)
  var view: View { View(Address(block)) }

  /// How many grams the filter was made for; for the writer.
  var capacity: Int {
    let block = Address<Block>(block)
    return block.isNone ? 0 : unsafe Int(block.node.pointee.mask + 1) / Self.bitsPerGram
  }

  /// Adds a gram.
  func insert(_ tag: UInt64) {
    let block = Address<Block>(block)
    guard !block.isNone else { return }
    let bit = unsafe tag >> 24 & block.node.pointee.mask
    unsafe Self.words(block)[Int(bit >> 6)].bitwiseOr(1 << (bit & 63), ordering: .releasing)
  }

  /// Makes the set anew, with room for a number of grams that is a power of two and at least four.
  func rebuild(
    capacity: Int, _ tags: (_ insert: (UInt64) -> Void) -> Void,
    _ retired: inout RetiredList<UInt>
  ) {
    let bitCount = capacity * Self.bitsPerGram
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: MemoryLayout<Block>.stride + bitCount / 8,
      alignment: MemoryLayout<UInt64>.alignment)
    let node = unsafe memory.bindMemory(to: Block.self, capacity: 1)
    unsafe node.initialize(to: Block(mask: UInt64(bitCount - 1)))
    let words = unsafe (memory + MemoryLayout<Block>.stride)
      .bindMemory(to: Atomic<UInt64>.self, capacity: bitCount / 64)
    for index in 0..<bitCount / 64 { unsafe (words + index).initialize(to: Atomic(0)) }
    tags { tag in
      let bit = tag >> 24 & UInt64(bitCount - 1)
      unsafe words[Int(bit >> 6)].bitwiseOr(1 << (bit & 63), ordering: .relaxed)
    }
    let old = block.load(ordering: .relaxed)
    block.store(unsafe Address(node).bits, ordering: .releasing)
    if old != 0 { retired.append(old) }
  }
}
