// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Synchronization

/// The standing of every open session, read by any thread while one thread changes it.
///
/// A session has a *place*: pages of 64 sessions of one shard are numbered in the order in which
/// they were needed, so that places are dense wherever the sessions are.
@safe
struct StandingTable: ~Copyable, Sendable {
  static let pageBits = 6
  private static let pageSize = 1 << pageBits

  fileprivate typealias Page = Atomic<UInt64>

  fileprivate struct Directory: ~Copyable {
    let capacity: Int
    // Followed by the addresses of pages.
  }

  /// What only the writer needs.
  struct Pages: Sendable {
    /// The number of each page, or -1, in the order of the directory.
    fileprivate var numbers: ContiguousArray<Int32> = []
    /// For each page the handle of its first session.
    fileprivate var origins = PagedArray<UInt32>(isApart: true)

    /// How many places there are.
    var placeCount: Int { origins.count << StandingTable.pageBits }
  }

  private let shardBits: Int
  private let directory = Atomic<UInt>(0)

  init(shardBits: Int) {
    self.shardBits = shardBits
  }

  deinit {
    let directory = Address<Directory>(directory)
    guard !directory.isNone else { return }
    let pages = unsafe Self.pages(directory)
    for index in 0..<(unsafe directory.node.pointee.capacity) {
      let page = unsafe Address<Page>(pages[index])
      if !page.isNone { page.free() }
    }
    directory.free()
  }

  @inline(__always)
  fileprivate static func pages(
    _ directory: Address<Directory>
  ) -> UnsafeMutablePointer<Atomic<UInt>> {
    unsafe UnsafeMutableRawPointer(directory.node + 1).assumingMemoryBound(to: Atomic<UInt>.self)
  }

  @inline(__always)
  fileprivate static func pageIndex(_ handle: SessionHandle, _ shardBits: Int) -> Int {
    (handle.slot(shardBits) >> pageBits) << shardBits | handle.shard(shardBits)
  }

  private func pageIndex(_ handle: SessionHandle) -> Int { Self.pageIndex(handle, shardBits) }

  @inline(__always)
  fileprivate static func offset(_ handle: SessionHandle, _ shardBits: Int) -> Int {
    handle.slot(shardBits) & (pageSize - 1)
  }

  private func offset(_ handle: SessionHandle) -> Int { Self.offset(handle, shardBits) }

  /// The table as it is for a reader, as long as its visit lasts.
  struct View {
    private let directory: Address<Directory>
    private let shardBits: Int

    @inline(__always)
    fileprivate init(_ directory: Address<Directory>, _ shardBits: Int) {
      self.directory = directory
      self.shardBits = shardBits
    }

    /// The word of a session, or ``StandingWord/none``.
    @inline(__always)
    subscript(handle: SessionHandle) -> StandingWord {
      let index = pageIndex(handle, shardBits)
      guard !directory.isNone, index < (unsafe directory.node.pointee.capacity) else {
        return .none
      }
      let page = unsafe Address<Page>(pages(directory)[index])
      guard !page.isNone else { return .none }
      return StandingWord(
        bits: unsafe page.node[offset(handle, shardBits)].load(ordering: .acquiring))
    }
  }

  @inline(__always)
  var view: View { View(Address(directory), shardBits) }

  /// The word of a session, or ``StandingWord/none``; for the writer and for visitors.
  @inline(__always)
  subscript(handle: SessionHandle) -> StandingWord { view[handle] }

  // MARK: - The writer's side

  /// The place of a session that has been set.
  func place(_ handle: SessionHandle, _ pages: borrowing Pages) -> Int {
    Int(pages.numbers[pageIndex(handle)]) << Self.pageBits | offset(handle)
  }

  /// The session at a place.
  func handle(at place: Int, _ pages: borrowing Pages) -> SessionHandle {
    let offset = place & (Self.pageSize - 1)
    return SessionHandle(
      rawValue: pages.origins[place >> Self.pageBits] + UInt32(offset << shardBits))
  }

  /// Stores the word of a session and returns its place.
  func set(
    _ handle: SessionHandle, _ word: StandingWord, _ pages: inout Pages,
    _ retired: inout RetiredList<UInt>
  ) -> Int {
    let index = pageIndex(handle)
    grow(toHold: index, &pages, &retired)
    let directory = Address<Directory>(directory)
    let slot = unsafe Self.pages(directory) + index
    if unsafe slot.pointee.load(ordering: .relaxed) == 0 {
      let page = UnsafeMutablePointer<Page>.allocate(capacity: Self.pageSize)
      for offset in 0..<Self.pageSize { unsafe (page + offset).initialize(to: Atomic(0)) }
      pages.numbers[index] = Int32(pages.origins.count)
      pages.origins.append(handle.rawValue - UInt32(offset(handle) << shardBits))
      unsafe slot.pointee.store(Address(page).bits, ordering: .releasing)
    }
    let page = unsafe Address<Page>(slot.pointee)
    unsafe page.node[offset(handle)].store(word.bits, ordering: .releasing)
    return place(handle, pages)
  }

  private func grow(
    toHold index: Int, _ pages: inout Pages, _ retired: inout RetiredList<UInt>
  ) {
    let old = Address<Directory>(directory)
    let oldCapacity = old.isNone ? 0 : unsafe old.node.pointee.capacity
    guard index >= oldCapacity else { return }
    let capacity = max(oldCapacity * 2, index + 1, 1 << shardBits)
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: MemoryLayout<Directory>.stride + capacity * MemoryLayout<UInt>.stride,
      alignment: MemoryLayout<UInt>.alignment)
    let node = unsafe memory.bindMemory(to: Directory.self, capacity: 1)
    unsafe node.initialize(to: Directory(capacity: capacity))
    let slots = unsafe (memory + MemoryLayout<Directory>.stride)
      .bindMemory(to: Atomic<UInt>.self, capacity: capacity)
    for slot in 0..<capacity {
      let page = slot < oldCapacity ? unsafe Self.pages(old)[slot].load(ordering: .relaxed) : 0
      unsafe (slots + slot).initialize(to: Atomic(page))
    }
    pages.numbers.append(contentsOf: repeatElement(-1, count: capacity - oldCapacity))
    directory.store(unsafe Address(node).bits, ordering: .releasing)
    if !old.isNone { retired.append(old.bits) }
  }
}
