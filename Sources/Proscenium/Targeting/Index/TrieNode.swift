// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A node of a ``RadixTrie``.
///
/// Which children there are stands in 256 bits; the children themselves lie one after another, so
/// that the place of one is the number of bits before its own.
struct TrieNode: ~Copyable {
  /// A child and the first byte of its label.
  struct Child {
    let byte: UInt8
    let node: UInt
  }

  private static let wordCount = 4

  /// The ``TermNode`` of the text that ends here, or zero.
  let term = Atomic<UInt>(0)
  let labelByteCount: UInt16
  let childCount: UInt16
  /// How many children there are before each of the four words.
  fileprivate let ranks: (UInt8, UInt8, UInt8, UInt8)
  // Followed by: four words of bits and the addresses of the children, if there are any; the label.

  private init(labelByteCount: Int, childCount: Int, ranks: (UInt8, UInt8, UInt8, UInt8)) {
    self.labelByteCount = UInt16(clamping: labelByteCount)
    self.childCount = UInt16(childCount)
    self.ranks = ranks
  }

  /// The bytes before the label.
  fileprivate static func size(childCount: Int) -> Int {
    MemoryLayout<TrieNode>.stride + (childCount == 0 ? 0 : (wordCount + childCount) * 8)
  }

  /// Makes a node.
  ///
  /// - Parameters:
  ///   - label: The beginning of its label.
  ///   - rest: The rest of it.
  ///   - term: The address of its term, or zero.
  ///   - children: Its children, with different bytes, in any order.
  /// - Returns: The node, which nobody knows yet.
  static func make(
    label: UnsafeRawBufferPointer, then rest: UnsafeRawBufferPointer? = nil, term: UInt,
    _ children: [Child]
  ) -> Address<TrieNode> {
    let sorted = children.sorted { $0.byte < $1.byte }
    var words = [UInt64](repeating: 0, count: wordCount)
    for child in sorted { words[Int(child.byte >> 6)] |= 1 << UInt64(child.byte & 63) }
    // The last rank is at most 192: there are 64 children in a word.
    let first = UInt8(words[0].nonzeroBitCount)
    let second = first + UInt8(words[1].nonzeroBitCount)
    let third = second + UInt8(words[2].nonzeroBitCount)
    let restCount = unsafe rest?.count ?? 0
    let size = size(childCount: sorted.count)
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: size + label.count + restCount, alignment: MemoryLayout<TrieNode>.alignment)
    let pointer = unsafe memory.bindMemory(to: TrieNode.self, capacity: 1)
    unsafe pointer.initialize(
      to: TrieNode(
        labelByteCount: label.count + restCount, childCount: sorted.count,
        ranks: (0, first, second, third)))
    unsafe pointer.pointee.term.store(term, ordering: .relaxed)
    let node = unsafe Address(pointer)
    if !sorted.isEmpty {
      for (index, word) in words.enumerated() {
        unsafe (node.words + index).initialize(to: word)
      }
      for (index, child) in sorted.enumerated() {
        unsafe (node.children + index).initialize(to: Atomic(child.node))
      }
    }
    if let source = label.baseAddress {
      unsafe (memory + size).copyMemory(from: source, byteCount: label.count)
    }
    if let source = unsafe rest?.baseAddress {
      unsafe (memory + size + label.count).copyMemory(from: source, byteCount: restCount)
    }
    return node
  }
}

extension Address where Node == TrieNode {
  @inline(__always)
  fileprivate var words: UnsafeMutablePointer<UInt64> {
    unsafe UnsafeMutableRawPointer(node + 1).assumingMemoryBound(to: UInt64.self)
  }

  @inline(__always)
  fileprivate var children: UnsafeMutablePointer<Atomic<UInt>> {
    unsafe UnsafeMutableRawPointer(words + 4).assumingMemoryBound(to: Atomic<UInt>.self)
  }

  /// The bytes that a text goes on with at this node.
  @inline(__always)
  var label: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(
      start: UnsafeRawPointer(node)
        + TrieNode.size(childCount: Int(node.pointee.childCount)),
      count: Int(node.pointee.labelByteCount))
  }

  /// Where the address of the child for a byte stands, or nil if there is none.
  @inline(__always)
  func slot(_ byte: UInt8) -> UnsafeMutablePointer<Atomic<UInt>>? {
    guard unsafe node.pointee.childCount > 0 else { return nil }
    let word = unsafe words[Int(byte >> 6)]
    let bit: UInt64 = 1 << UInt64(byte & 63)
    guard word & bit != 0 else { return nil }
    let rank =
      switch byte >> 6 {
      case 0: unsafe node.pointee.ranks.0
      case 1: unsafe node.pointee.ranks.1
      case 2: unsafe node.pointee.ranks.2
      default: unsafe node.pointee.ranks.3
      }
    return unsafe children + Int(rank) + (word & (bit - 1)).nonzeroBitCount
  }

  /// The child for a byte, or nowhere.
  @inline(__always)
  func child(_ byte: UInt8) -> Address<TrieNode> {
    guard let slot = unsafe slot(byte) else { return .none }
    return unsafe Address(slot.pointee)
  }

  /// All children.
  var childList: [TrieNode.Child] {
    (0..<256).compactMap { byte in
      guard let slot = unsafe slot(UInt8(byte)) else { return nil }
      return TrieNode.Child(
        byte: UInt8(byte), node: unsafe slot.pointee.load(ordering: .relaxed))
    }
  }

  /// Makes a node like this one with other children.
  func copy(_ children: [TrieNode.Child]) -> Address<TrieNode> {
    unsafe TrieNode.make(
      label: label, term: node.pointee.term.load(ordering: .relaxed), children)
  }
}
