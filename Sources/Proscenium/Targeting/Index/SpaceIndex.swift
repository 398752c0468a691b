// SPDX-License-Identifier: Apache-2.0

/// The terms with the same options: texts and identifiers are compared in one folded space.
struct SpaceIndex: ~Copyable {
  let whole = AtomicTable(partitionBits: 8)
  let beginnings = RadixTrie()
  /// Backwards.
  let endings = RadixTrie()
  let anywhere = SubstringIndex()
  let options: UInt8

  deinit {
    whole.forEach { Address<TermNode>(bits: $0).destroy() }
  }

  static func make(options: UInt8) -> Address<SpaceIndex> {
    let node = UnsafeMutablePointer<SpaceIndex>.allocate(capacity: 1)
    unsafe node.initialize(to: SpaceIndex(options: options))
    return unsafe Address(node)
  }

  // MARK: - Reading

  /// Returns the term of a whole text, or nowhere.
  @inline(__always)
  func find(_ text: UnsafeRawBufferPointer, _ hash: UInt64) -> Address<TermNode> {
    Address(bits: whole.find(hash) { unsafe Address<TermNode>(bits: $0).hasText(text) })
  }

  // MARK: - Changing

  /// Returns the node of a term, or nowhere.
  func find(
    _ position: RoutingTerm.Position, _ text: UnsafeRawBufferPointer
  ) -> Address<TermNode> {
    switch position {
    case .whole: unsafe find(text, ByteHash.shared(text))
    case .beginning: unsafe beginnings.find(text)
    case .ending: unsafe Bytes.withReversed(text) { unsafe endings.find($0) }
    case .anywhere: unsafe anywhere.find(text)
    }
  }

  /// Adds the node of a term that has none.
  func insert(
    _ position: RoutingTerm.Position, _ text: UnsafeRawBufferPointer,
    _ retired: inout RetiredList<UInt>
  ) -> Address<TermNode> {
    if position == .anywhere { return unsafe anywhere.insert(text, options, &retired) }
    let term = unsafe TermNode.make(position, options, text)
    switch position {
    case .beginning: unsafe beginnings.insert(text, term, &retired)
    case .ending:
      unsafe Bytes.withReversed(text) { unsafe endings.insert($0, term, &retired) }
    default: unsafe whole.insert(ByteHash.shared(text), term.bits, &retired)
    }
    return term
  }

  /// Removes a node at which nothing stands any more.
  func remove(_ term: Address<TermNode>, _ retired: inout RetiredList<UInt>) {
    let text = unsafe term.text
    switch unsafe term.node.pointee.position {
    case .whole: unsafe whole.remove(ByteHash.shared(text), term.bits)
    case .beginning: unsafe beginnings.remove(text, &retired)
    case .ending: unsafe Bytes.withReversed(text) { unsafe endings.remove($0, &retired) }
    case .anywhere: anywhere.remove(term, &retired)
    }
    retired.append(term.bits)
  }
}
