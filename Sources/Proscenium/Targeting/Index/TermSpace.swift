// SPDX-License-Identifier: Apache-2.0

import ProsceniumPredicate

/// A text by which identifiers are recognised: the sessions for which it decides, and the
/// predicates for which it is only a hint.
final class Term {
  let key: RoutingTerm
  var sessions = SessionSet()
  /// To be evaluated when the term matches.
  var hinted: [SharedPredicate] = []
  /// Where in a text that may be anywhere its gram is.
  fileprivate var gramOffset = 0
  /// The next one with the same hash.
  fileprivate var next: Term?

  init(_ key: RoutingTerm) {
    self.key = key
  }

  /// Tells whether the term matches a text of its space.
  func matches(_ subject: Span<UInt8>) -> Bool {
    let last = subject.count - key.text.count
    guard last >= 0 else { return false }
    return switch key.position {
    case .whole: last == 0 && lies(at: 0, in: subject)
    case .beginning: lies(at: 0, in: subject)
    case .ending: lies(at: last, in: subject)
    case .anywhere: isContained(in: subject)
    }
  }

  fileprivate func lies(at offset: Int, in subject: Span<UInt8>) -> Bool {
    guard offset >= 0, offset + key.text.count <= subject.count else { return false }
    return unsafe key.text.withUnsafeBytes { text in
      unsafe subject.withUnsafeBytes { subject in
        unsafe Bytes.equal(
          UnsafeRawBufferPointer(rebasing: subject[offset...]), text, byteCount: text.count)
      }
    }
  }

  fileprivate func isContained(in subject: Span<UInt8>) -> Bool {
    unsafe key.text.withUnsafeBytes { text in
      unsafe subject.withUnsafeBytes { unsafe Bytes.contains($0, text) }
    }
  }
}

/// The terms with the same options: texts and identifiers are compared in one folded space.
///
/// Whole identifiers, beginnings and endings are found by their hashes, for each length that
/// occurs; endings backwards. What may be anywhere is found by *grams* (``GramTable``).
struct TermSpace {
  private var terms = TermDirectory()
  private var beginnings = Lengths()
  private var endings = Lengths()
  private var grams = GramTable()

  /// Returns the term of a text, or nil.
  func find(_ key: RoutingTerm) -> Term? {
    terms.find(Self.hash(key)) { $0.key.position == key.position && $0.key.text == key.text }
  }

  /// Adds a term that is not there.
  mutating func insert(_ term: Term) {
    terms.insert(term, Self.hash(term.key))
    switch term.key.position {
    case .whole: break
    case .beginning: beginnings.add(term.key.text.count)
    case .ending: endings.add(term.key.text.count)
    case .anywhere: grams.insert(term)
    }
  }

  /// Removes a term.
  mutating func remove(_ term: Term) {
    terms.remove(term, Self.hash(term.key))
    switch term.key.position {
    case .whole: break
    case .beginning: beginnings.remove(term.key.text.count)
    case .ending: endings.remove(term.key.text.count)
    case .anywhere: grams.remove(term)
    }
  }

  private static func hash(_ key: RoutingTerm) -> UInt64 {
    let hash = unsafe key.text.withUnsafeBytes { text in
      key.position == .ending
        ? unsafe Bytes.withReversed(text) { unsafe ByteHash.shared($0) }
        : unsafe ByteHash.shared(text)
    }
    return hash ^ salt(key.position)
  }

  /// Keeps equal texts in other positions apart.
  private static func salt(_ position: RoutingTerm.Position) -> UInt64 {
    UInt64(position.rawValue) << 56
  }

  /// Takes every term that matches.
  ///
  /// - Parameters:
  ///   - text: The identifier in this space.
  ///   - subject: The identifier as it is.
  ///   - search: What takes the terms.
  func look(for text: Span<UInt8>, of subject: Span<UInt8>, _ search: inout Search) {
    let whole = unsafe text.withUnsafeBytes { unsafe ByteHash.shared($0) }
    if let term = terms.find(
      whole,
      where: { term in
        term.key.position == .whole && term.key.text.count == text.count
          && term.lies(at: 0, in: text)
      })
    {
      search.take(term, subject)
    }
    unsafe text.withUnsafeBytes { bytes in
      unsafe look(.beginning, beginnings, bytes, text, subject, &search)
      if endings.isEmpty { return }
      unsafe Bytes.withReversed(bytes) {
        unsafe look(.ending, endings, $0, text, subject, &search)
      }
    }
    grams.look(for: text, of: subject, &search)
  }

  /// Takes the terms whose texts a text begins with.
  private func look(
    _ position: RoutingTerm.Position, _ lengths: Lengths, _ bytes: UnsafeRawBufferPointer,
    _ text: Span<UInt8>, _ subject: Span<UInt8>, _ search: inout Search
  ) {
    var prefixes = unsafe ByteHash.Prefixes(bytes)
    for length in lengths.all {
      guard length <= text.count else { return }
      let hash = prefixes.hash(of: length) ^ Self.salt(position)
      let offset = position == .beginning ? 0 : text.count - length
      let term = terms.find(hash) { term in
        term.key.position == position && term.key.text.count == length
          && term.lies(at: offset, in: text)
      }
      if let term { search.take(term, subject) }
    }
  }
}

/// Terms by their hashes, in parts that grow one at a time.
private struct TermDirectory {
  private static let partCount: UInt64 = 64

  private var parts = ContiguousArray<[UInt64: Term]>(repeating: [:], count: Int(partCount))

  func find(_ hash: UInt64, where isRight: (Term) -> Bool) -> Term? {
    var term = parts[Int(hash % Self.partCount)][hash]
    while let candidate = term {
      if isRight(candidate) { return candidate }
      term = candidate.next
    }
    return nil
  }

  mutating func insert(_ term: Term, _ hash: UInt64) {
    term.next = parts[Int(hash % Self.partCount)].updateValue(term, forKey: hash)
  }

  mutating func remove(_ term: Term, _ hash: UInt64) {
    let part = Int(hash % Self.partCount)
    if parts[part][hash] === term {
      parts[part][hash] = term.next
    } else {
      var before = parts[part][hash]
      while let candidate = before, candidate.next !== term { before = candidate.next }
      before?.next = term.next
    }
    term.next = nil
  }
}

/// The lengths that occur among some texts, in ascending order.
private struct Lengths {
  private(set) var all: [Int] = []
  private var counts: [Int: Int] = [:]

  var isEmpty: Bool { all.isEmpty }

  mutating func add(_ length: Int) {
    counts[length, default: 0] += 1
    if counts[length] == 1 {
      all.insert(length, at: all.firstIndex { $0 > length } ?? all.count)
    }
  }

  mutating func remove(_ length: Int) {
    counts[length, default: 0] -= 1
    guard counts[length] == 0 else { return }
    counts[length] = nil
    all.removeAll { $0 == length }
  }
}

/// Texts that identifiers contain.
///
/// A text is entered under one *gram* of itself: eight bytes, or four, or all of a text of up to
/// three. Of all its grams the one with the fewest texts is taken, so that texts which have much in
/// common spread out. To find what an identifier contains, each of its grams is looked up, and a
/// text that is found is compared where it would have to be.
private struct GramTable {
  /// The texts of one gram.
  private final class Bucket {
    var terms: [Term] = []
  }

  private static let sizes = [1, 2, 3, 4, 8]
  /// So many texts of a gram are compared wherever it is found; more are looked for once.
  private static let comparedCount = 4

  /// The grams of one size.
  private struct Grams {
    var buckets: [UInt64: Bucket] = [:]
    /// A bit for each hash of a gram that was entered: few others pass.
    private var filter = ContiguousArray<UInt64>(repeating: 0, count: 64)

    private static func bit(_ gram: UInt64) -> (word: Int, mask: UInt64) {
      let hash = (gram &* 0x9E37_79B9_7F4A_7C15) >> 52
      return (Int(hash >> 6), 1 << (hash & 63))
    }

    func bucket(_ gram: UInt64) -> Bucket? {
      let (word, mask) = Self.bit(gram)
      return filter[word] & mask == 0 ? nil : buckets[gram]
    }

    mutating func insert(_ term: Term, _ gram: UInt64) {
      let (word, mask) = Self.bit(gram)
      filter[word] |= mask
      let bucket = buckets[gram] ?? Bucket()
      bucket.terms.append(term)
      buckets[gram] = bucket
    }

    mutating func remove(_ term: Term, _ gram: UInt64) {
      guard let bucket = buckets[gram] else { return }
      bucket.terms.removeAll { $0 === term }
      if bucket.terms.isEmpty { buckets[gram] = nil }
      if buckets.isEmpty { self = Grams() }
    }
  }

  /// The grams of each size.
  private var grams = ContiguousArray(repeating: Grams(), count: sizes.count)

  func look(for text: Span<UInt8>, of subject: Span<UInt8>, _ search: inout Search) {
    for (index, size) in Self.sizes.enumerated() where !grams[index].buckets.isEmpty {
      let mask = UInt64.max >> UInt64(64 - size * 8)
      var gram: UInt64 = 0
      for end in 0..<text.count {
        gram = (gram << 8 | UInt64(text[end])) & mask
        guard end >= size - 1, let bucket = grams[index].bucket(gram) else { continue }
        Self.take(bucket, text, end - size + 1, subject, &search)
      }
    }
  }

  /// Takes those of the texts of a gram that are where it was found.
  ///
  /// Many texts with one gram, as in a row of the same letter, are looked for in the whole
  /// identifier, once: it may have the gram at each of its bytes.
  private static func take(
    _ bucket: Bucket, _ text: Span<UInt8>, _ position: Int, _ subject: Span<UInt8>,
    _ search: inout Search
  ) {
    if bucket.terms.count <= comparedCount {
      for term in bucket.terms where term.lies(at: position - term.gramOffset, in: text) {
        search.take(term, subject)
      }
    } else if search.sees(bucket) {
      for term in bucket.terms where search.mayTake(term) && term.isContained(in: text) {
        search.take(term, subject)
      }
    }
  }

  mutating func insert(_ term: Term) {
    let bytes = term.key.text
    let text = bytes.span
    let (index, size) = Self.size(for: text.count)
    // Of equals the last, since identifiers differ in their ends; a long text has grams enough
    // among its last ones.
    var best = (offset: 0, count: Int.max)
    for offset in max(text.count - size - 63, 0)...text.count - size {
      let count = grams[index].bucket(Self.gram(text, offset, size))?.terms.count ?? 0
      if count <= best.count { best = (offset, count) }
    }
    term.gramOffset = best.offset
    grams[index].insert(term, Self.gram(text, best.offset, size))
  }

  mutating func remove(_ term: Term) {
    let text = term.key.text
    let (index, size) = Self.size(for: text.count)
    grams[index].remove(term, Self.gram(text.span, term.gramOffset, size))
  }

  private static func size(for count: Int) -> (index: Int, size: Int) {
    let index = sizes.lastIndex { $0 <= count } ?? 0
    return (index, sizes[index])
  }

  private static func gram(_ text: Span<UInt8>, _ position: Int, _ size: Int) -> UInt64 {
    var gram: UInt64 = 0
    for index in position..<position + size { gram = gram << 8 | UInt64(text[index]) }
    return gram
  }
}
