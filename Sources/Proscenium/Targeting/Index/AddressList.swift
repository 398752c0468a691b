// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A growing list of addresses that any thread walks while one thread changes it.
///
/// A removed address leaves a hole, which the next one fills; so nothing moves under a reader. When
/// most of the list is holes it is replaced by a shorter one.
@safe
struct AddressList: ~Copyable, Sendable {
  fileprivate struct Block: ~Copyable {
    /// Every slot from here on is empty.
    let end = Atomic<Int>(0)
    let capacity: Int
    /// How many addresses there are, without the holes; for the writer.
    let live: Atomic<Int>
    // Followed by the slots.
  }

  private let block = Atomic<UInt>(0)

  init() {}

  deinit {
    Address<Block>(block).isNone ? () : Address<Block>(block).free()
  }

  /// How many addresses there are; for the writer.
  var count: Int {
    let block = Address<Block>(block)
    return block.isNone ? 0 : unsafe block.node.pointee.live.load(ordering: .relaxed)
  }

  @inline(__always)
  fileprivate static func slots(_ block: Address<Block>) -> UnsafeMutablePointer<Atomic<UInt>> {
    unsafe UnsafeMutableRawPointer(block.node + 1).assumingMemoryBound(to: Atomic<UInt>.self)
  }

  /// Whether there are no addresses; for anybody.
  @inline(__always)
  var isEmpty: Bool { Address<Block>(block).isNone }

  /// A walk over the addresses.
  @safe
  struct Cursor {
    private let block: Address<Block>
    private let end: Int
    private var index = 0

    fileprivate init(_ block: Address<Block>) {
      self.block = block
      end = block.isNone ? 0 : unsafe block.node.pointee.end.load(ordering: .acquiring)
    }

    /// How many addresses and holes there are to walk over.
    @inline(__always)
    var length: Int { end }

    mutating func next() -> UInt? {
      while index < end {
        let address = unsafe AddressList.slots(block)[index].load(ordering: .acquiring)
        index += 1
        if address != 0 { return address }
      }
      return nil
    }
  }

  /// Begins a walk over the addresses.
  var cursor: Cursor { Cursor(Address(block)) }

  /// Adds an address.
  func append(_ address: UInt, _ retired: inout RetiredList<UInt>) {
    var block = Address<Block>(self.block)
    let count = count
    if block.isNone || (unsafe block.node.pointee.capacity == count) {
      block = replace(block, capacity: max(count * 2, 2), &retired)
    }
    unsafe block.node.pointee.live.store(count + 1, ordering: .relaxed)
    let slots = unsafe Self.slots(block)
    let end = unsafe block.node.pointee.end.load(ordering: .relaxed)
    if end == (unsafe block.node.pointee.capacity) {
      let hole = (0..<end).first { unsafe slots[$0].load(ordering: .relaxed) == 0 }
      unsafe slots[hole ?? 0].store(address, ordering: .releasing)
    } else {
      unsafe slots[end].store(address, ordering: .releasing)
      unsafe block.node.pointee.end.store(end + 1, ordering: .releasing)
    }
  }

  /// Removes an address.
  func remove(_ address: UInt, _ retired: inout RetiredList<UInt>) {
    let block = Address<Block>(block)
    guard !block.isNone else { return }
    let slots = unsafe Self.slots(block)
    let end = unsafe block.node.pointee.end.load(ordering: .relaxed)
    let index = (0..<end).first { unsafe slots[$0].load(ordering: .relaxed) == address }
    guard let index else { return }
    unsafe slots[index].store(0, ordering: .releasing)
    let live = count - 1
    unsafe block.node.pointee.live.store(live, ordering: .relaxed)
    if live == 0 {
      self.block.store(0, ordering: .releasing)
      retired.append(block.bits)
    } else if live * 4 < end {
      _ = replace(block, capacity: live * 2, &retired)
    }
  }

  private func replace(
    _ old: Address<Block>, capacity: Int, _ retired: inout RetiredList<UInt>
  ) -> Address<Block> {
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: MemoryLayout<Block>.size + capacity * MemoryLayout<UInt>.size,
      alignment: MemoryLayout<Block>.alignment)
    let node = unsafe memory.bindMemory(to: Block.self, capacity: 1)
    unsafe node.initialize(to: Block(capacity: capacity, live: Atomic(count)))
    let new = unsafe Address(node)
    let slots = unsafe (memory + MemoryLayout<Block>.size)
      .bindMemory(to: Atomic<UInt>.self, capacity: capacity)
    for index in 0..<capacity { unsafe (slots + index).initialize(to: Atomic(0)) }
    var end = 0
    var addresses = cursor
    while let address = addresses.next() {
      unsafe slots[end].store(address, ordering: .relaxed)
      end += 1
    }
    unsafe new.node.pointee.end.store(end, ordering: .relaxed)
    block.store(new.bits, ordering: .releasing)
    if !old.isNone { retired.append(old.bits) }
    return new
  }
}
