// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Texts that another text begins with, found in one descent by any thread while one thread changes
/// them.
///
/// Every node has a label of one or more bytes and a child for each byte that may follow. A node
/// never changes but for the addresses of its term and its children: whatever else changes is a new
/// node in its parent, and the old one is retired.
@safe
struct RadixTrie: ~Copyable, Sendable {
  private let root = Atomic<UInt>(0)

  init() {}

  deinit {
    var nodes = [Address<TrieNode>(root)]
    while let node = nodes.popLast() {
      guard !node.isNone else { continue }
      for child in node.childList { nodes.append(Address(bits: child.node)) }
      let term = unsafe Address<TermNode>(node.node.pointee.term)
      if !term.isNone { term.destroy() }
      node.free()
    }
  }

  // MARK: - Reading

  /// A descent along a text, from the shortest text that it begins with to the longest.
  private struct Descent {
    var node: Address<TrieNode>
    var position = 0

    @inline(__always)
    mutating func next(_ text: UnsafeRawBufferPointer) -> Address<TermNode> {
      while !node.isNone {
        let label = unsafe node.label
        guard label.count <= text.count - position,
          unsafe Bytes.equal(
            UnsafeRawBufferPointer(rebasing: text[position...]), label, byteCount: label.count)
        else { break }
        position += label.count
        let term = unsafe Address<TermNode>(node.node.pointee.term)
        node = position < text.count ? unsafe node.child(text[position]) : .none
        if !term.isNone { return term }
      }
      return .none
    }
  }

  /// Takes the term of every text that the given one begins with, shortest first.
  @inline(__always)
  func search(_ text: UnsafeRawBufferPointer, _ search: inout Search) {
    let root = Address<TrieNode>(root)
    if !root.isNone { unsafe Self.descend(from: root, text, &search) }
  }

  @inline(never)
  private static func descend(
    from root: Address<TrieNode>, _ text: UnsafeRawBufferPointer, _ search: inout Search
  ) {
    var descent = Descent(node: root)
    while true {
      let term = unsafe descent.next(text)
      if term.isNone { return }
      search.take(term)
    }
  }

  /// Whether there is nothing to descend to.
  @inline(__always)
  var isEmpty: Bool { root.load(ordering: .acquiring) == 0 }

  // MARK: - Changing

  /// Returns the term of a text, or nowhere.
  func find(_ text: UnsafeRawBufferPointer) -> Address<TermNode> {
    var descent = Descent(node: Address(root))
    while true {
      let term = unsafe descent.next(text)
      if term.isNone { return .none }
      if unsafe Int(term.node.pointee.textByteCount) == text.count { return term }
    }
  }

  /// Adds the term of a text that has none; the text is not empty.
  func insert(
    _ text: UnsafeRawBufferPointer, _ term: Address<TermNode>, _ retired: inout RetiredList<UInt>
  ) {
    unsafe withUnsafePointer(to: root) { root in
      var slot = unsafe root
      var rest = unsafe text
      while true {
        let node = unsafe Address<TrieNode>(slot.pointee)
        if node.isNone {
          unsafe slot.pointee.store(
            TrieNode.make(label: rest, term: term.bits, []).bits, ordering: .releasing)
          return
        }
        let label = unsafe node.label
        let shared = unsafe Self.sharedByteCount(label, rest)
        if shared < label.count {
          unsafe slot.pointee.store(
            fork(node, at: shared, rest, term).bits, ordering: .releasing)
          retired.append(node.bits)
          return
        }
        unsafe rest = UnsafeRawBufferPointer(rebasing: rest[shared...])
        if unsafe rest.isEmpty {
          unsafe node.node.pointee.term.store(term.bits, ordering: .releasing)
          return
        }
        guard let child = unsafe node.slot(rest[0]) else {
          let leaf = unsafe TrieNode.make(label: rest, term: term.bits, [])
          let children = unsafe node.childList + [TrieNode.Child(byte: rest[0], node: leaf.bits)]
          unsafe slot.pointee.store(node.copy(children).bits, ordering: .releasing)
          retired.append(node.bits)
          return
        }
        unsafe slot = UnsafePointer(child)
      }
    }
  }

  /// Makes a node for what a label and a text have in common, over the rest of both.
  private func fork(
    _ node: Address<TrieNode>, at shared: Int, _ text: UnsafeRawBufferPointer,
    _ term: Address<TermNode>
  ) -> Address<TrieNode> {
    let label = unsafe node.label
    let rest = unsafe TrieNode.make(
      label: UnsafeRawBufferPointer(rebasing: label[shared...]),
      term: node.node.pointee.term.load(ordering: .relaxed), node.childList)
    var children = unsafe [TrieNode.Child(byte: label[shared], node: rest.bits)]
    if shared < text.count {
      let leaf = unsafe TrieNode.make(
        label: UnsafeRawBufferPointer(rebasing: text[shared...]), term: term.bits, [])
      children.append(unsafe TrieNode.Child(byte: text[shared], node: leaf.bits))
    }
    return unsafe TrieNode.make(
      label: UnsafeRawBufferPointer(rebasing: label[..<shared]),
      term: shared == text.count ? term.bits : 0, children)
  }

  /// Removes the term of a text that has one.
  func remove(_ text: UnsafeRawBufferPointer, _ retired: inout RetiredList<UInt>) {
    unsafe withUnsafePointer(to: root) { root in
      var parent: UnsafePointer<Atomic<UInt>>?
      var slot = unsafe root
      var position = 0
      while true {
        let node = unsafe Address<TrieNode>(slot.pointee)
        guard !node.isNone else { return }
        position += unsafe node.label.count
        if position >= text.count {
          unsafe node.node.pointee.term.store(0, ordering: .releasing)
          break
        }
        guard let child = unsafe node.slot(text[position]) else { return }
        unsafe parent = slot
        unsafe slot = UnsafePointer(child)
      }
      unsafe tidy(slot, parent: parent, &retired)
    }
  }

  /// Takes a node away that has neither term nor children, and joins one with its only child; its
  /// parent then too.
  private func tidy(
    _ slot: UnsafePointer<Atomic<UInt>>, parent: UnsafePointer<Atomic<UInt>>?,
    _ retired: inout RetiredList<UInt>
  ) {
    let node = unsafe Address<TrieNode>(slot.pointee)
    guard unsafe node.node.pointee.term.load(ordering: .relaxed) == 0 else { return }
    let children = node.childList
    if children.count == 1 {
      let child = Address<TrieNode>(bits: children[0].node)
      let joined = unsafe TrieNode.make(
        label: node.label, then: child.label,
        term: child.node.pointee.term.load(ordering: .relaxed), child.childList)
      unsafe slot.pointee.store(joined.bits, ordering: .releasing)
      retired.append(child.bits)
      retired.append(node.bits)
    } else if children.isEmpty {
      guard let parent = unsafe parent else {
        unsafe slot.pointee.store(0, ordering: .releasing)
        retired.append(node.bits)
        return
      }
      let old = unsafe Address<TrieNode>(parent.pointee)
      let others = old.childList.filter { $0.node != node.bits }
      unsafe parent.pointee.store(old.copy(others).bits, ordering: .releasing)
      retired.append(old.bits)
      retired.append(node.bits)
      unsafe tidy(parent, parent: nil, &retired)
    }
  }

  private static func sharedByteCount(
    _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer
  ) -> Int {
    var count = 0
    while count < min(left.count, right.count), unsafe left[count] == right[count] { count += 1 }
    return count
  }
}
