// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// What sits at one term of the index: the sessions for which it decides, and the predicates for
/// which it is only a hint.
struct TermNode: ~Copyable {
  /// The sessions that match whenever the term does.
  let posting = Posting()
  /// The addresses of ``VerifiedPredicate``s, to be evaluated when the term matches.
  let hinted = AddressList()
  let textByteCount: UInt16
  /// Where in a text that may lie anywhere its gram is.
  let gramOffset: UInt16
  let position: RoutingTerm.Position
  let options: UInt8
  // Followed by the text.

  /// Nothing stands here any more; for the writer.
  var isEmpty: Bool { posting.isEmpty && hinted.count == 0 }

  /// Makes a node for a text of at most 65,535 bytes.
  static func make(
    _ position: RoutingTerm.Position, _ options: UInt8, _ text: UnsafeRawBufferPointer,
    gramOffset: Int = 0
  ) -> Address<TermNode> {
    let size = MemoryLayout<TermNode>.size
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: size + text.count, alignment: MemoryLayout<TermNode>.alignment)
    let node = unsafe memory.bindMemory(to: TermNode.self, capacity: 1)
    unsafe node.initialize(
      to: TermNode(
        textByteCount: UInt16(clamping: text.count), gramOffset: UInt16(clamping: gramOffset),
        position: position, options: options))
    if let source = text.baseAddress {
      unsafe (memory + size).copyMemory(from: source, byteCount: text.count)
    }
    return unsafe Address(node)
  }
}

extension Address where Node == TermNode {
  /// The best of the sessions for which the term decides, or ``Posting/none``.
  @inline(__always)
  var best: UInt32 { unsafe node.pointee.posting.best.load(ordering: .acquiring) }

  /// The term's text.
  @inline(__always)
  var text: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(
      start: UnsafeRawPointer(node) + MemoryLayout<TermNode>.size,
      count: Int(node.pointee.textByteCount))
  }

  /// Tells whether the term's text is the given one.
  @inline(__always)
  func hasText(_ other: UnsafeRawBufferPointer) -> Bool {
    let text = unsafe self.text
    return unsafe text.count == other.count && Bytes.equal(text, other, byteCount: other.count)
  }
}

extension Address where Node == TermNode {
  /// Takes the node apart and gives its memory back.
  func destroy() {
    unsafe node.deinitialize(count: 1)
    free()
  }
}

extension Address where Node == TermNode {
  /// Tells whether the term matches a text of its space.
  func matches(_ subject: UnsafeRawBufferPointer) -> Bool {
    let text = unsafe self.text
    guard subject.count >= text.count else { return false }
    let last = subject.count - text.count
    let places: ClosedRange<Int>
    switch unsafe node.pointee.position {
    case .whole:
      if last > 0 { return false }
      places = 0...0
    case .beginning: places = 0...0
    case .ending: places = last...last
    case .anywhere: places = 0...last
    }
    return places.contains { place in
      unsafe Bytes.equal(
        UnsafeRawBufferPointer(rebasing: subject[place...]), text, byteCount: text.count)
    }
  }
}
