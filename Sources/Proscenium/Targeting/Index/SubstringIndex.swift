// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Texts that identifiers contain, found by any thread while one thread changes them.
///
/// A text is entered under one *gram* of itself: eight bytes, or four, or all of a text of up to
/// three. Of all its grams the one under which the fewest texts stand is taken, so that texts which
/// have much in common spread out. To find what an identifier contains, each of its grams is looked
/// up, and a text that is found is compared where it would have to lie.
@safe
struct SubstringIndex: ~Copyable, Sendable {
  /// Grams of one length.
  private struct Grams: ~Copyable {
    let byteCount: Int
    let table = AtomicTable(partitionBits: 4)
    let filter = GramFilter()
    /// How many texts stand here; nothing is looked up while it is zero.
    let textCount = Atomic<Int>(0)
    /// For the writer: how many grams were entered since the filter was made.
    let filteredCount = Atomic<Int>(0)
  }

  /// The texts under one gram.
  private struct Bucket: ~Copyable {
    let terms = AddressList()
  }

  /// How many texts there are; nothing is looked up while it is zero.
  private let textCount = Atomic<Int>(0)
  private let one = Grams(byteCount: 1)
  private let two = Grams(byteCount: 2)
  private let three = Grams(byteCount: 3)
  private let four = Grams(byteCount: 4)
  private let eight = Grams(byteCount: 8)
  /// The terms by their text, for the writer.
  private let terms = AtomicTable(partitionBits: 8)

  init() {}

  deinit {
    terms.forEach { Address<TermNode>(bits: $0).destroy() }
    Self.destroyBuckets(one)
    Self.destroyBuckets(two)
    Self.destroyBuckets(three)
    Self.destroyBuckets(four)
    Self.destroyBuckets(eight)
  }

  private static func destroyBuckets(_ grams: borrowing Grams) {
    grams.table.forEach { bits in
      let bucket = Address<Bucket>(bits: bits)
      unsafe bucket.node.deinitialize(count: 1)
      bucket.free()
    }
  }

  // MARK: - Reading

  /// Takes the term of every text that the given one contains; some of them more than once.
  @inline(__always)
  func search(_ text: UnsafeRawBufferPointer, _ search: inout Search) {
    if textCount.load(ordering: .acquiring) > 0 { unsafe searchAll(text, &search) }
  }

  @inline(never)
  private func searchAll(_ text: UnsafeRawBufferPointer, _ search: inout Search) {
    unsafe Self.search(one, 1, text, &search)
    unsafe Self.search(two, 2, text, &search)
    unsafe Self.search(three, 3, text, &search)
    unsafe Self.search(four, 4, text, &search)
    unsafe Self.search(eight, 8, text, &search)
  }

  @inline(__always)
  private static func search(
    _ grams: borrowing Grams, _ byteCount: Int, _ text: UnsafeRawBufferPointer,
    _ search: inout Search
  ) {
    guard grams.textCount.load(ordering: .acquiring) > 0, text.count >= byteCount else { return }
    let filter = grams.filter.view
    for position in 0...text.count - byteCount {
      let tag = unsafe tag(text, position, byteCount)
      guard filter.admits(tag) else { continue }
      let found = grams.table.find(tag) { _ in true }
      if found != 0 { unsafe take(Address(bits: found), text, position, &search) }
    }
  }

  /// So many texts under a gram are compared wherever it is found; more are looked for once.
  private static let comparedCount = 4

  /// Takes those of the texts under a gram that lie where it was found.
  ///
  /// Many texts with one gram, as in a row of the same letter, are looked for in the whole
  /// identifier, once: it may have the gram at each of its bytes.
  @inline(never)
  private static func take(
    _ bucket: Address<Bucket>, _ text: UnsafeRawBufferPointer, _ position: Int,
    _ search: inout Search
  ) {
    var terms = unsafe bucket.node.pointee.terms.cursor
    let isLong = terms.length > comparedCount
    if isLong, !search.visits(bucket.bits) { return }
    while let bits = terms.next() {
      let term = Address<TermNode>(bits: bits)
      if isLong {
        if search.mayTake(term), unsafe Bytes.contains(text, term.text) { search.take(term) }
      } else if unsafe lies(term, in: text, gramAt: position) {
        search.takeOnce(term)
      }
    }
  }

  /// Tells whether a term's text lies where its gram was found.
  @inline(__always)
  private static func lies(
    _ term: Address<TermNode>, in text: UnsafeRawBufferPointer, gramAt position: Int
  ) -> Bool {
    let start = unsafe position - Int(term.node.pointee.gramOffset)
    let wanted = unsafe term.text
    guard start >= 0, start + wanted.count <= text.count else { return false }
    return unsafe Bytes.equal(
      UnsafeRawBufferPointer(rebasing: text[start...]), wanted, byteCount: wanted.count)
  }

  /// The bytes of a gram in one word, spread so that different grams stay different.
  @inline(__always)
  private static func tag(
    _ text: UnsafeRawBufferPointer, _ position: Int, _ byteCount: Int
  ) -> UInt64 {
    var gram: UInt64
    switch byteCount {
    case 8: gram = unsafe text.loadUnaligned(fromByteOffset: position, as: UInt64.self)
    case 4: gram = UInt64(unsafe text.loadUnaligned(fromByteOffset: position, as: UInt32.self))
    default:
      gram = 0
      for index in position..<position + byteCount { gram = unsafe gram << 8 | UInt64(text[index]) }
    }
    gram = gram &* 0x9E37_79B9_7F4A_7C15
    return gram ^ gram >> 29
  }

  // MARK: - Changing

  /// Returns the term of a text, or nowhere.
  func find(_ text: UnsafeRawBufferPointer) -> Address<TermNode> {
    let hash = unsafe ByteHash.shared(text)
    return Address(bits: terms.find(hash) { unsafe Address<TermNode>(bits: $0).hasText(text) })
  }

  /// Adds a term for a text that has none, and returns it.
  func insert(
    _ text: UnsafeRawBufferPointer, _ options: UInt8, _ retired: inout RetiredList<UInt>
  ) -> Address<TermNode> {
    let term = withGrams(of: text.count) { grams in
      let offset = unsafe Self.rarestGram(of: text, grams)
      let term = unsafe TermNode.make(.anywhere, options, text, gramOffset: offset)
      let tag = unsafe Self.tag(text, offset, grams.byteCount)
      var bucket = Address<Bucket>(bits: grams.table.find(tag) { _ in true })
      if bucket.isNone {
        let node = UnsafeMutablePointer<Bucket>.allocate(capacity: 1)
        unsafe node.initialize(to: Bucket())
        bucket = unsafe Address(node)
        unsafe bucket.node.pointee.terms.append(term.bits, &retired)
        grams.table.insert(tag, bucket.bits, &retired)
        Self.admit(tag, grams, &retired)
      } else {
        unsafe bucket.node.pointee.terms.append(term.bits, &retired)
      }
      grams.textCount.wrappingAdd(1, ordering: .releasing)
      return term
    }
    textCount.wrappingAdd(1, ordering: .releasing)
    unsafe terms.insert(ByteHash.shared(text), term.bits, &retired)
    return term
  }

  /// Removes a term; the caller retires it.
  func remove(_ term: Address<TermNode>, _ retired: inout RetiredList<UInt>) {
    textCount.wrappingSubtract(1, ordering: .releasing)
    let text = unsafe term.text
    unsafe terms.remove(ByteHash.shared(text), term.bits)
    withGrams(of: text.count) { grams in
      let tag = unsafe Self.tag(text, Int(term.node.pointee.gramOffset), grams.byteCount)
      let bucket = Address<Bucket>(bits: grams.table.find(tag) { _ in true })
      guard !bucket.isNone else { return }
      unsafe bucket.node.pointee.terms.remove(term.bits, &retired)
      if unsafe bucket.node.pointee.terms.count == 0 {
        grams.table.remove(tag, bucket.bits)
        retired.append(bucket.bits)
      }
      grams.textCount.wrappingSubtract(1, ordering: .releasing)
    }
  }

  private func withGrams<Result>(
    of byteCount: Int, _ body: (borrowing Grams) -> Result
  ) -> Result {
    switch byteCount {
    case 1: body(one)
    case 2: body(two)
    case 3: body(three)
    case 4..<8: body(four)
    default: body(eight)
    }
  }

  /// Lets a gram of the table through the filter.
  private static func admit(
    _ tag: UInt64, _ grams: borrowing Grams, _ retired: inout RetiredList<UInt>
  ) {
    let count = grams.filteredCount.wrappingAdd(1, ordering: .relaxed).newValue
    if count <= grams.filter.capacity { return grams.filter.insert(tag) }
    var gramCount = 0
    grams.table.forEach { _ in gramCount += 1 }
    var capacity = 4
    while capacity < gramCount * 2 { capacity *= 2 }
    grams.filter.rebuild(
      capacity: capacity,
      { insert in grams.table.forEachEntry { tag, _ in insert(tag) } }, &retired)
    grams.filteredCount.store(gramCount, ordering: .relaxed)
  }

  /// Where the gram lies under which the fewest texts stand; of equals the last, since identifiers
  /// differ in their ends.
  private static func rarestGram(
    of text: UnsafeRawBufferPointer, _ grams: borrowing Grams
  ) -> Int {
    var best = (offset: 0, count: Int.max)
    // A long text has grams enough among its last ones.
    let first = max(text.count - grams.byteCount - 63, 0)
    for offset in first...text.count - grams.byteCount {
      let bucket = unsafe Address<Bucket>(
        bits: grams.table.find(tag(text, offset, grams.byteCount)) { _ in true })
      let count = bucket.isNone ? 0 : unsafe bucket.node.pointee.terms.count
      if count <= best.count { best = (offset, count) }
    }
    return best.offset
  }
}
