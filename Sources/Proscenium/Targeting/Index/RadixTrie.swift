// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Texts that identifiers begin with, or end with, found in one descent by any thread while one
/// thread changes them.
///
/// Every node has a label of one or more bytes; up to sixteen children stand in a short list, more
/// in an array with a place for every byte. A node never changes but for what its children's and
/// its term's addresses are: whatever else changes is a new node in its parent, and the old one is
/// retired. A trie of endings holds them backwards.
@safe
struct RadixTrie: ~Copyable, Sendable {
  private struct Node: ~Copyable {
    /// The ``TermNode`` of the text that ends here, or zero.
    let term = Atomic<UInt>(0)
    let labelByteCount: UInt16
    /// How many children the list has room for, or 256 for an array.
    let room: UInt16
    // Followed by: addresses of children (8 × room), their bytes (room, not for an array), label.
  }

  private static let listLimit = 16

  private let root = Atomic<UInt>(0)
  private let isBackwards: Bool

  init(isBackwards: Bool) {
    self.isBackwards = isBackwards
  }

  deinit {
    var nodes = [Address<Node>(root)]
    while let node = nodes.popLast() {
      guard !node.isNone else { continue }
      for index in 0..<(unsafe Int(node.node.pointee.room)) {
        nodes.append(unsafe Address(Self.children(node)[index]))
      }
      let term = unsafe Address<TermNode>(node.node.pointee.term)
      if !term.isNone { term.destroy() }
      node.free()
    }
  }

  // MARK: - Layout

  @inline(__always)
  private static func children(_ node: Address<Node>) -> UnsafeMutablePointer<Atomic<UInt>> {
    unsafe UnsafeMutableRawPointer(node.node + 1).assumingMemoryBound(to: Atomic<UInt>.self)
  }

  @inline(__always)
  private static func bytes(_ node: Address<Node>) -> UnsafeMutablePointer<UInt8> {
    unsafe UnsafeMutableRawPointer(children(node) + Int(node.node.pointee.room))
      .assumingMemoryBound(to: UInt8.self)
  }

  @inline(__always)
  private static func label(_ node: Address<Node>) -> UnsafeMutablePointer<UInt8> {
    let room = unsafe Int(node.node.pointee.room)
    return unsafe bytes(node) + (room > listLimit ? 0 : room)
  }

  /// The slot of the child for a byte, or nil if there is none.
  @inline(__always)
  private static func slot(
    _ node: Address<Node>, _ byte: UInt8
  ) -> UnsafeMutablePointer<Atomic<UInt>>? {
    let room = unsafe Int(node.node.pointee.room)
    if room > listLimit { return unsafe children(node) + Int(byte) }
    let bytes = unsafe bytes(node)
    for index in 0..<room where unsafe bytes[index] == byte {
      return unsafe children(node) + index
    }
    return nil
  }

  @inline(__always)
  private func byte(_ text: UnsafeRawBufferPointer, _ index: Int) -> UInt8 {
    unsafe isBackwards ? text[text.count - 1 - index] : text[index]
  }

  /// How many bytes of a node's label the text goes on with.
  @inline(__always)
  private func sharedByteCount(
    _ node: Address<Node>, _ text: UnsafeRawBufferPointer, _ position: Int
  ) -> Int {
    let label = unsafe Self.label(node)
    let limit = min(unsafe Int(node.node.pointee.labelByteCount), text.count - position)
    var count = 0
    while count < limit, unsafe label[count] == byte(text, position + count) { count += 1 }
    return count
  }

  // MARK: - Reading

  /// A descent along a text, from the shortest text that it begins with to the longest.
  private struct Descent {
    var node: Address<Node>
    var position = 0

    @inline(__always)
    mutating func next(
      _ trie: borrowing RadixTrie, _ text: UnsafeRawBufferPointer
    ) -> Address<TermNode> {
      while !node.isNone {
        let labelByteCount = unsafe Int(node.node.pointee.labelByteCount)
        guard unsafe trie.sharedByteCount(node, text, position) == labelByteCount else { break }
        position += labelByteCount
        let term = unsafe Address<TermNode>(node.node.pointee.term)
        if position < text.count, let slot = unsafe RadixTrie.slot(node, trie.byte(text, position)) {
          node = unsafe Address(slot.pointee)
        } else {
          node = .none
        }
        if !term.isNone { return term }
      }
      return .none
    }
  }

  /// Takes the term of every text that the given one begins with, shortest first.
  @inline(__always)
  func search(_ text: UnsafeRawBufferPointer, _ search: inout Search) {
    let root = Address<Node>(root)
    if !root.isNone { unsafe descend(text, &search) }
  }

  @inline(never)
  private func descend(_ text: UnsafeRawBufferPointer, _ search: inout Search) {
    var descent = Descent(node: Address(root))
    while true {
      let term = unsafe descent.next(self, text)
      if term.isNone { return }
      search.take(term)
    }
  }

  // MARK: - Changing

  /// Returns the term of a text, or nowhere.
  func find(_ text: UnsafeRawBufferPointer) -> Address<TermNode> {
    var descent = Descent(node: Address(root))
    while true {
      let term = unsafe descent.next(self, text)
      if term.isNone { return .none }
      if unsafe Int(term.node.pointee.textByteCount) == text.count { return term }
    }
  }

  /// Adds the term of a text that has none.
  func insert(
    _ text: UnsafeRawBufferPointer, _ term: Address<TermNode>, _ retired: inout RetiredList<UInt>
  ) {
    unsafe withUnsafePointer(to: root) { root in
      var slot = unsafe root
      var position = 0
      while true {
        let node = unsafe Address<Node>(slot.pointee)
        if node.isNone {
          let leaf = unsafe make(text, position..<text.count, term: term.bits, [])
          unsafe slot.pointee.store(leaf.bits, ordering: .releasing)
          return
        }
        let labelByteCount = unsafe Int(node.node.pointee.labelByteCount)
        let shared = unsafe sharedByteCount(node, text, position)
        if shared < labelByteCount {
          // The text leaves the label, or ends in it: a new node for what they share.
          let rest = copy(node, labelFrom: shared, Self.childList(node))
          var children = unsafe [Child(byte: Self.label(node)[shared], node: rest.bits)]
          position += shared
          if position < text.count {
            let leaf = unsafe make(text, position..<text.count, term: term.bits, [])
            children.append(unsafe Child(byte: byte(text, position), node: leaf.bits))
          }
          let fork = unsafe make(
            text, position - shared..<position, term: position == text.count ? term.bits : 0,
            children)
          unsafe slot.pointee.store(fork.bits, ordering: .releasing)
          retired.append(node.bits)
          return
        }
        position += labelByteCount
        if position == text.count {
          unsafe node.node.pointee.term.store(term.bits, ordering: .releasing)
          return
        }
        let byte = unsafe byte(text, position)
        guard let child = unsafe Self.slot(node, byte),
          unsafe child.pointee.load(ordering: .relaxed) != 0
            || node.node.pointee.room > Self.listLimit
        else {
          let leaf = unsafe make(text, position..<text.count, term: term.bits, [])
          let wider = copy(
            node, labelFrom: 0, Self.childList(node) + [Child(byte: byte, node: leaf.bits)])
          unsafe slot.pointee.store(wider.bits, ordering: .releasing)
          retired.append(node.bits)
          return
        }
        unsafe slot = unsafe UnsafePointer(child)
      }
    }
  }

  /// Removes the term of a text.
  func remove(_ text: UnsafeRawBufferPointer, _ retired: inout RetiredList<UInt>) {
    unsafe withUnsafePointer(to: root) { root in
      // The slots on the way, outermost first.
      var slots = unsafe [root]
      var position = 0
      while let last = unsafe slots.last {
        let node = unsafe Address<Node>(last.pointee)
        guard !node.isNone else { return }
        position += unsafe Int(node.node.pointee.labelByteCount)
        if position >= text.count { break }
        guard let slot = unsafe Self.slot(node, byte(text, position)) else { return }
        unsafe slots.append(UnsafePointer(slot))
      }
      guard position == text.count, let last = unsafe slots.popLast() else { return }
      unsafe Address<Node>(last.pointee).node.pointee.term.store(0, ordering: .releasing)
      unsafe tidy(last, parent: slots.last, &retired)
    }
  }

  /// Takes a node away that has neither term nor children, and joins one that has a single child
  /// with it; its parent then too.
  private func tidy(
    _ slot: UnsafePointer<Atomic<UInt>>, parent: UnsafePointer<Atomic<UInt>>?,
    _ retired: inout RetiredList<UInt>
  ) {
    let node = unsafe Address<Node>(slot.pointee)
    guard unsafe node.node.pointee.term.load(ordering: .relaxed) == 0 else { return }
    let children = Self.childList(node)
    switch children.count {
    case 0:
      unsafe slot.pointee.store(0, ordering: .releasing)
      retired.append(node.bits)
      guard let parent = unsafe parent else { return }
      let old = unsafe Address<Node>(parent.pointee)
      let narrower = copy(old, labelFrom: 0, Self.childList(old))
      unsafe parent.pointee.store(narrower.bits, ordering: .releasing)
      retired.append(old.bits)
      unsafe tidy(parent, parent: nil, &retired)
    case 1:
      let child = Address<Node>(bits: children[0].node)
      let joined = copy(child, labelFrom: 0, Self.childList(child), after: node)
      unsafe slot.pointee.store(joined.bits, ordering: .releasing)
      retired.append(child.bits)
      retired.append(node.bits)
    default: break
    }
  }

  // MARK: - Making nodes

  private struct Child {
    let byte: UInt8
    let node: UInt
  }

  private static func childList(_ node: Address<Node>) -> [Child] {
    let room = unsafe Int(node.node.pointee.room)
    var result: [Child] = []
    for index in 0..<room {
      let child = unsafe children(node)[index].load(ordering: .relaxed)
      if child == 0 { continue }
      let byte = unsafe room > listLimit ? UInt8(index) : bytes(node)[index]
      result.append(Child(byte: byte, node: child))
    }
    return result
  }

  /// Makes a node whose label is a part of a text.
  private func make(
    _ text: UnsafeRawBufferPointer, _ part: Range<Int>, term: UInt, _ children: [Child]
  ) -> Address<Node> {
    let node = Self.allocate(labelByteCount: part.count, term: term, children)
    let label = unsafe Self.label(node)
    for (offset, index) in part.enumerated() { unsafe label[offset] = byte(text, index) }
    return node
  }

  /// Makes a node like another one with other children and without the beginning of its label, or
  /// with the label of its parent before its own.
  private func copy(
    _ node: Address<Node>, labelFrom start: Int, _ children: [Child],
    after parent: Address<Node> = .none
  ) -> Address<Node> {
    let parentCount = parent.isNone ? 0 : unsafe Int(parent.node.pointee.labelByteCount)
    let ownCount = unsafe Int(node.node.pointee.labelByteCount) - start
    let new = Self.allocate(
      labelByteCount: parentCount + ownCount,
      term: unsafe node.node.pointee.term.load(ordering: .relaxed), children)
    let label = unsafe Self.label(new)
    for index in 0..<parentCount { unsafe label[index] = Self.label(parent)[index] }
    for index in 0..<ownCount {
      unsafe label[parentCount + index] = Self.label(node)[start + index]
    }
    return new
  }

  private static func allocate(
    labelByteCount: Int, term: UInt, _ list: [Child]
  ) -> Address<Node> {
    let isArray = list.count > listLimit
    let room = isArray ? 256 : list.count
    let size =
      MemoryLayout<Node>.stride + room * 8 + (isArray ? 0 : room) + labelByteCount
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: size, alignment: MemoryLayout<Node>.alignment)
    let pointer = unsafe memory.bindMemory(to: Node.self, capacity: 1)
    unsafe pointer.initialize(
      to: Node(labelByteCount: UInt16(clamping: labelByteCount), room: UInt16(room)))
    let node = unsafe Address(pointer)
    unsafe pointer.pointee.term.store(term, ordering: .relaxed)
    let slots = unsafe (memory + MemoryLayout<Node>.stride)
      .bindMemory(to: Atomic<UInt>.self, capacity: room)
    for index in 0..<room { unsafe (slots + index).initialize(to: Atomic(0)) }
    for (index, child) in list.enumerated() {
      unsafe slots[isArray ? Int(child.byte) : index].store(child.node, ordering: .relaxed)
      if !isArray { unsafe bytes(node)[index] = child.byte }
    }
    return node
  }
}
