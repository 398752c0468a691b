// SPDX-License-Identifier: Apache-2.0

import CProscenium
import ProsceniumPredicate

/// A text by which the index recognises identifiers.
struct RoutingTerm: Sendable, Hashable {
  /// Where in the identifier the text has to be.
  enum Position: UInt8, Sendable {
    case whole, beginning, ending, anywhere
  }

  let position: Position
  /// The options in whose folded space the identifier is looked up.
  let options: ContentPredicate.Options
  /// The text, folded as the options say.
  let text: ContiguousArray<UInt8>

  init(_ position: Position, _ options: ContentPredicate.Options, _ text: ContiguousArray<UInt8>) {
    self.position = position
    self.options = options
    self.text = text
  }

  /// The lesser the rarer, as far as one can know without looking at any identifier.
  var breadth: Int {
    position == .whole ? 0 : 65_536 - min(text.count, 65_535) * 4 + Int(position.rawValue)
  }
}

/// A term that was entered, and what is found by it.
final class Term<Content> {
  let key: RoutingTerm
  var content: Content
  /// Where in a text that may be anywhere its gram is.
  fileprivate var gramOffset = 0

  init(_ key: RoutingTerm, _ content: Content) {
    self.key = key
    self.content = content
  }

  /// Tells whether the term matches a text of its space.
  func matches(_ subject: Span<UInt8>) -> Bool {
    let text = key.text
    let last = subject.count - text.count
    return switch key.position {
    case .whole: last == 0 && lies(at: 0, in: subject)
    case .beginning: lies(at: 0, in: subject)
    case .ending: lies(at: last, in: subject)
    case .anywhere: ByteText.contains(subject, text.span)
    }
  }

  fileprivate func lies(at offset: Int, in subject: Span<UInt8>) -> Bool {
    guard offset >= 0, offset + key.text.count <= subject.count else { return false }
    // Safe: the bytes from the offset on are as many as those of the text.
    return unsafe key.text.withUnsafeBytes { text in
      unsafe subject.withUnsafeBytes { subject in
        unsafe proscenium_equal(
          UnsafeRawBufferPointer(rebasing: subject[offset...]).baseAddress, text.baseAddress,
          text.count) != 0
      }
    }
  }
}

/// The terms with the same options: texts and identifiers are compared in one folded space.
///
/// Whole identifiers, beginnings and endings are found by their hashes, for each length that
/// occurs; endings backwards. What may be anywhere is found by *grams* (``GramTable``).
struct TermSpace<Content> {
  private var terms = TermDirectory<Content>()
  private var beginnings = Lengths()
  private var endings = Lengths()
  private var grams = GramTable<Content>()

  /// Returns the term of a text, or nil.
  func find(_ key: RoutingTerm) -> Term<Content>? {
    terms.find(Self.hash(key)) { $0.key.position == key.position && $0.key.text == key.text }
  }

  /// Adds a term that is not there.
  ///
  /// - Returns: By what it is found, unless another one is found by the same.
  @discardableResult
  mutating func insert(_ term: Term<Content>) -> TermTrace? {
    terms.insert(term, Self.hash(term.key))
    switch term.key.position {
    case .whole: break
    case .beginning: beginnings.add(term.key.text.count)
    case .ending: endings.add(term.key.text.count)
    case .anywhere: return grams.insert(term)
    }
    return .text
  }

  /// Removes a term.
  ///
  /// - Returns: By what it was found, unless another one still is found by the same.
  @discardableResult
  mutating func remove(_ term: Term<Content>) -> TermTrace? {
    terms.remove(term, Self.hash(term.key))
    switch term.key.position {
    case .whole: break
    case .beginning: beginnings.remove(term.key.text.count)
    case .ending: endings.remove(term.key.text.count)
    case .anywhere: return grams.remove(term)
    }
    return .text
  }

  /// By what a term is found.
  func trace(of term: Term<Content>) -> TermTrace {
    term.key.position == .anywhere ? grams.trace(of: term) : .text
  }

  private static func hash(_ key: RoutingTerm) -> UInt64 {
    var hash = RunningHash(
      salt: key.position.rawValue, isBackwards: key.position == .ending)
    return hash.value(of: key.text.count, in: key.text.span)
  }

  /// Finds every term that matches.
  ///
  /// - Parameters:
  ///   - text: The identifier in this space.
  ///   - isWanted: Tells whether a term would be of use if it matched.
  ///   - body: Called with each term that matches, but for some of those that are not wanted; with
  ///     a term that may be anywhere perhaps several times.
  func look(
    for text: Span<UInt8>, isWanted: (Term<Content>) -> Bool, _ body: (Term<Content>) -> Void
  ) {
    look(.whole, CollectionOfOne(text.count), text, body)
    look(.beginning, beginnings.all, text, body)
    look(.ending, endings.all, text, body)
    grams.look(for: text, isWanted: isWanted, body)
  }

  /// Finds the terms of some lengths, in ascending order, at the beginning or the end of a text.
  private func look(
    _ position: RoutingTerm.Position, _ lengths: some Sequence<Int>, _ text: Span<UInt8>,
    _ body: (Term<Content>) -> Void
  ) {
    let isBackwards = position == .ending
    var hash = RunningHash(salt: position.rawValue, isBackwards: isBackwards)
    for length in lengths {
      guard length <= text.count else { return }
      let offset = isBackwards ? text.count - length : 0
      let term = terms.find(hash.value(of: length, in: text)) {
        $0.key.position == position && $0.key.text.count == length && $0.lies(at: offset, in: text)
      }
      if let term { body(term) }
    }
  }
}

/// Terms by their hashes, in parts that grow one at a time.
private struct TermDirectory<Content> {
  private static var partCount: Int { 64 }

  private var parts = ContiguousArray(repeating: Part(), count: partCount)

  private static func part(of hash: UInt64) -> Int { Int(hash >> 58) }

  func find(_ hash: UInt64, where isRight: (Term<Content>) -> Bool) -> Term<Content>? {
    parts[Self.part(of: hash)].find(hash, where: isRight)
  }

  mutating func insert(_ term: Term<Content>, _ hash: UInt64) {
    parts[Self.part(of: hash)].insert(term, hash)
  }

  mutating func remove(_ term: Term<Content>, _ hash: UInt64) {
    parts[Self.part(of: hash)].remove(term, hash)
  }

  /// A hash table with linear probing, at most three quarters full: a hash and its term are in one
  /// line of the processor's cache.
  private struct Part {
    private struct Slot {
      let hash: UInt64
      let term: Term<Content>
    }

    private var slots = ContiguousArray<Slot?>(repeating: nil, count: 4)
    private var count = 0

    /// The first place of a hash; the number of places is a power of two.
    private func home(of hash: UInt64) -> Int { Int(hash & UInt64(slots.count - 1)) }

    private func next(_ place: Int) -> Int { (place + 1) & (slots.count - 1) }

    func find(_ hash: UInt64, where isRight: (Term<Content>) -> Bool) -> Term<Content>? {
      var place = home(of: hash)
      while let slot = slots[place] {
        if slot.hash == hash, isRight(slot.term) { return slot.term }
        place = next(place)
      }
      return nil
    }

    mutating func insert(_ term: Term<Content>, _ hash: UInt64) {
      if (count + 1) * 4 > slots.count * 3 {
        let old = slots
        slots = ContiguousArray(repeating: nil, count: old.count * 2)
        for case let slot? in old { put(slot) }
      }
      put(Slot(hash: hash, term: term))
      count += 1
    }

    private mutating func put(_ slot: Slot) {
      var place = home(of: slot.hash)
      while slots[place] != nil { place = next(place) }
      slots[place] = slot
    }

    mutating func remove(_ term: Term<Content>, _ hash: UInt64) {
      var hole = home(of: hash)
      while slots[hole]?.term !== term {
        if slots[hole] == nil { return }
        hole = next(hole)
      }
      // What follows moves up, unless its home lies behind the hole.
      var place = next(hole)
      while let slot = slots[place] {
        let mask = slots.count - 1
        if (place - home(of: slot.hash)) & mask >= (place - hole) & mask {
          slots[hole] = slot
          hole = place
        }
        place = next(place)
      }
      slots[hole] = nil
      count -= 1
    }
  }
}

/// The lengths that occur among some texts, in ascending order.
private struct Lengths {
  private(set) var all: [Int] = []
  private var counts: [Int: Int] = [:]

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

/// The sizes of grams in bytes.
private let gramSizes = [1, 2, 3, 4, 8]

/// Texts that identifiers contain.
///
/// A text is entered under one *gram* of itself: eight bytes, or four, or all of a text of up to
/// three. Of all its grams the one with the fewest texts is taken, so that texts which have much in
/// common spread out. To find what an identifier contains, each of its grams is looked up, and a
/// text that is found is compared where it would have to be.
private struct GramTable<Content> {
  /// The texts of one gram.
  private final class Bucket {
    var terms: [Term<Content>] = []
  }

  /// So many texts of a gram are compared wherever it is found; more are looked for once.
  private static var comparedCount: Int { 4 }

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

    /// Returns whether it is the first one of the gram.
    mutating func insert(_ term: Term<Content>, _ gram: UInt64) -> Bool {
      let (word, mask) = Self.bit(gram)
      filter[word] |= mask
      let bucket = buckets[gram] ?? Bucket()
      bucket.terms.append(term)
      buckets[gram] = bucket
      return bucket.terms.count == 1
    }

    /// Returns whether it was the last one of the gram.
    mutating func remove(_ term: Term<Content>, _ gram: UInt64) -> Bool {
      guard let bucket = buckets[gram] else { return false }
      bucket.terms.removeAll { $0 === term }
      guard bucket.terms.isEmpty else { return false }
      buckets[gram] = nil
      if buckets.isEmpty { self = Grams() }
      return true
    }
  }

  /// The grams of each size.
  private var grams = ContiguousArray(repeating: Grams(), count: gramSizes.count)

  /// Finds every term that a text contains.
  ///
  /// Many terms with one gram, as in a row of the same letter, are looked for in the whole text,
  /// once: it may have the gram at each of its bytes.
  func look(
    for text: Span<UInt8>, isWanted: (Term<Content>) -> Bool, _ body: (Term<Content>) -> Void
  ) {
    var searched: Set<ObjectIdentifier> = []
    var search = PartSearch()
    for (index, size) in gramSizes.enumerated() where !grams[index].buckets.isEmpty {
      let mask = UInt64.max >> UInt64(64 - size * 8)
      var gram: UInt64 = 0
      for end in 0..<text.count {
        gram = (gram << 8 | UInt64(text[end])) & mask
        guard end >= size - 1, let bucket = grams[index].bucket(gram) else { continue }
        if bucket.terms.count <= Self.comparedCount {
          let start = end - size + 1
          for term in bucket.terms where term.lies(at: start - term.gramOffset, in: text) {
            body(term)
          }
        } else if searched.insert(ObjectIdentifier(bucket)).inserted {
          for term in bucket.terms where isWanted(term) {
            let part = term.key.text
            if search.contains(part.span, in: text) { body(term) }
          }
        }
      }
    }
  }

  mutating func insert(_ term: Term<Content>) -> TermTrace? {
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
    let gram = Self.gram(text, best.offset, size)
    return grams[index].insert(term, gram) ? .gram(gram, size: size) : nil
  }

  mutating func remove(_ term: Term<Content>) -> TermTrace? {
    let text = term.key.text
    let (index, size) = Self.size(for: text.count)
    let gram = Self.gram(text.span, term.gramOffset, size)
    return grams[index].remove(term, gram) ? .gram(gram, size: size) : nil
  }

  func trace(of term: Term<Content>) -> TermTrace {
    let text = term.key.text
    let size = Self.size(for: text.count).size
    return .gram(Self.gram(text.span, term.gramOffset, size), size: size)
  }

  private static func size(for count: Int) -> (index: Int, size: Int) {
    let index = gramSizes.lastIndex { $0 <= count } ?? 0
    return (index, gramSizes[index])
  }

  private static func gram(_ text: Span<UInt8>, _ position: Int, _ size: Int) -> UInt64 {
    var gram: UInt64 = 0
    for index in position..<position + size { gram = gram << 8 | UInt64(text[index]) }
    return gram
  }
}
