// SPDX-License-Identifier: Apache-2.0

import CProscenium
import Synchronization

/// A hash table from 64-bit tags to words that any thread reads while one thread changes it.
///
/// Open addressing with linear probing, in partitions that grow one at a time, so that growing is
/// no long pause: at a million entries it moves a few thousand. A slot is 16 bytes; a table is at
/// most three quarters full. Several entries may have the same tag. A word is an address or another
/// value over one.
///
/// Readers look at slots that are being changed. A word is stored after its tag and is removed
/// before the slot is used again, so that a reader sees an entry whole or not at all; a partition
/// that was replaced is retired.
@safe
struct AtomicTable: ~Copyable, Sendable {
  private struct Slot: ~Copyable {
    let tag: Atomic<UInt64>
    let word: Atomic<UInt>
  }

  /// One partition: where its slots are, with the binary logarithm of their number in the low bits,
  /// and how many are in use.
  private struct Partition: ~Copyable {
    let root = Atomic<UInt>(0)
    /// Entries; for the writer.
    let live = Atomic<UInt32>(0)
    /// Entries and removed ones; for the writer.
    let used = Atomic<UInt32>(0)
  }

  private static let removed: UInt = 1
  private static let alignment = 64

  private let partitions: UInt
  private let partitionBits: Int

  /// Creates an empty table with a power of two of partitions, at most 256.
  init(partitionBits: Int) {
    self.partitionBits = partitionBits
    let memory = UnsafeMutablePointer<Partition>.allocate(capacity: 1 << partitionBits)
    for index in 0..<1 << partitionBits { unsafe (memory + index).initialize(to: Partition()) }
    partitions = UInt(bitPattern: memory)
  }

  deinit {
    for index in 0..<1 << partitionBits {
      let root = unsafe partition(index).pointee.root.load(ordering: .relaxed)
      if root != 0 { unsafe UnsafeMutableRawPointer(Self.slots(root)).deallocate() }
    }
    unsafe partition(0).deallocate()
  }

  @inline(__always)
  private func partition(_ index: Int) -> UnsafeMutablePointer<Partition> {
    unsafe UnsafeMutablePointer(bitPattern: partitions).unsafelyUnwrapped + index
  }

  @inline(__always)
  private func partition(of tag: UInt64) -> UnsafeMutablePointer<Partition> {
    unsafe partition(Int(truncatingIfNeeded: tag >> 56) & (1 << partitionBits - 1))
  }

  @inline(__always)
  private static func slots(_ root: UInt) -> UnsafeMutablePointer<Slot> {
    unsafe UnsafeMutablePointer(bitPattern: root & ~UInt(alignment - 1)).unsafelyUnwrapped
  }

  @inline(__always)
  private static func mask(_ root: UInt) -> Int {
    1 << Int(root & UInt(alignment - 1)) - 1
  }

  // MARK: - Reading

  /// Asks the processor to fetch the slot where a tag would stand.
  @inline(__always)
  func prefetch(_ tag: UInt64) {
    let root = unsafe partition(of: tag).pointee.root.load(ordering: .acquiring)
    guard root != 0 else { return }
    unsafe proscenium_prefetch_read(
      Self.slots(root) + Int(truncatingIfNeeded: tag) & Self.mask(root))
  }

  /// Returns the first word under a tag that the caller recognises, or zero.
  @inline(__always)
  func find(_ tag: UInt64, where isMatch: (UInt) -> Bool) -> UInt {
    let root = unsafe partition(of: tag).pointee.root.load(ordering: .acquiring)
    guard root != 0 else { return 0 }
    let slots = unsafe Self.slots(root)
    let mask = Self.mask(root)
    var index = Int(truncatingIfNeeded: tag) & mask
    while true {
      let word = unsafe slots[index].word.load(ordering: .acquiring)
      if word == 0 { return 0 }
      if word != Self.removed, unsafe slots[index].tag.load(ordering: .relaxed) == tag,
        isMatch(word)
      {
        return word
      }
      index = (index + 1) & mask
    }
  }

  /// Calls a function with every word; for the writer.
  func forEach(_ body: (UInt) -> Void) {
    forEachEntry { _, word in body(word) }
  }

  /// Calls a function with every tag and its word; for the writer.
  func forEachEntry(_ body: (UInt64, UInt) -> Void) {
    for index in 0..<1 << partitionBits {
      let root = unsafe partition(index).pointee.root.load(ordering: .relaxed)
      guard root != 0 else { continue }
      for slot in 0...Self.mask(root) {
        let word = unsafe Self.slots(root)[slot].word.load(ordering: .relaxed)
        if word > Self.removed {
          body(unsafe Self.slots(root)[slot].tag.load(ordering: .relaxed), word)
        }
      }
    }
  }

  // MARK: - Changing

  /// Adds a word under a tag.
  func insert(_ tag: UInt64, _ word: UInt, _ retired: inout RetiredList<UInt>) {
    let partition = unsafe partition(of: tag)
    let root = unsafe partition.pointee.root.load(ordering: .relaxed)
    let capacity = root == 0 ? 0 : Self.mask(root) + 1
    if unsafe (Int(partition.pointee.used.load(ordering: .relaxed)) + 1) * 4 > capacity * 3 {
      unsafe rebuild(partition, &retired)
    }
    let slots = unsafe Self.slots(partition.pointee.root.load(ordering: .relaxed))
    let mask = unsafe Self.mask(partition.pointee.root.load(ordering: .relaxed))
    var index = Int(truncatingIfNeeded: tag) & mask
    while unsafe slots[index].word.load(ordering: .relaxed) > Self.removed {
      index = (index + 1) & mask
    }
    if unsafe slots[index].word.load(ordering: .relaxed) == 0 {
      unsafe partition.pointee.used.wrappingAdd(1, ordering: .relaxed)
    }
    unsafe partition.pointee.live.wrappingAdd(1, ordering: .relaxed)
    unsafe slots[index].tag.store(tag, ordering: .relaxed)
    unsafe slots[index].word.store(word, ordering: .releasing)
  }

  /// Removes a word that stands under a tag.
  func remove(_ tag: UInt64, _ word: UInt) {
    let partition = unsafe partition(of: tag)
    let root = unsafe partition.pointee.root.load(ordering: .relaxed)
    guard root != 0 else { return }
    let slots = unsafe Self.slots(root)
    let mask = Self.mask(root)
    var index = Int(truncatingIfNeeded: tag) & mask
    while unsafe slots[index].word.load(ordering: .relaxed) != word {
      if unsafe slots[index].word.load(ordering: .relaxed) == 0 { return }
      index = (index + 1) & mask
    }
    unsafe partition.pointee.live.wrappingSubtract(1, ordering: .relaxed)
    unsafe slots[index].word.store(Self.removed, ordering: .releasing)
    // A removed slot before an empty one is on nobody's way: it can be empty too.
    guard unsafe slots[(index + 1) & mask].word.load(ordering: .relaxed) == 0 else { return }
    while unsafe slots[index].word.load(ordering: .relaxed) == Self.removed {
      unsafe slots[index].word.store(0, ordering: .releasing)
      unsafe partition.pointee.used.wrappingSubtract(1, ordering: .relaxed)
      index = (index - 1) & mask
    }
  }

  /// Moves a partition's entries to a block that fits them.
  private func rebuild(
    _ partition: UnsafeMutablePointer<Partition>, _ retired: inout RetiredList<UInt>
  ) {
    let old = unsafe partition.pointee.root.load(ordering: .relaxed)
    let live = unsafe partition.pointee.live.load(ordering: .relaxed)
    var bits = 2
    while (Int(live) + 1) * 8 > (1 << bits) * 5 { bits += 1 }
    let count = 1 << bits
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: count * MemoryLayout<Slot>.stride, alignment: Self.alignment)
    let slots = unsafe memory.bindMemory(to: Slot.self, capacity: count)
    for index in 0..<count {
      unsafe (slots + index).initialize(to: Slot(tag: Atomic(0), word: Atomic(0)))
    }
    if old != 0 {
      let oldSlots = unsafe Self.slots(old)
      for oldIndex in 0...Self.mask(old) {
        let word = unsafe oldSlots[oldIndex].word.load(ordering: .relaxed)
        guard word > Self.removed else { continue }
        let tag = unsafe oldSlots[oldIndex].tag.load(ordering: .relaxed)
        var index = Int(truncatingIfNeeded: tag) & (count - 1)
        while unsafe slots[index].word.load(ordering: .relaxed) != 0 {
          index = (index + 1) & (count - 1)
        }
        unsafe slots[index].tag.store(tag, ordering: .relaxed)
        unsafe slots[index].word.store(word, ordering: .relaxed)
      }
      retired.append(old & ~UInt(Self.alignment - 1))
    }
    unsafe partition.pointee.used.store(live, ordering: .relaxed)
    let root = UInt(bitPattern: memory) | UInt(bits)
    unsafe partition.pointee.root.store(root, ordering: .releasing)
  }
}
