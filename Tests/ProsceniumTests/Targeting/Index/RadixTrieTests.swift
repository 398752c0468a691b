// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Testing

@testable import Proscenium

/// Tries of beginnings, and of endings backwards, against a dictionary.
@Suite struct RadixTrieTests {
  /// A trie that changes at random, and what it has to hold.
  private struct Walk: ~Copyable {
    let trie = RadixTrie()
    let isBackwards: Bool
    let letters: [UInt8]
    var probe: IndexProbe
    var random: SplitMix64
    var retired = RetiredList<UInt>()
    var sessions: [[UInt8]: Int] = [:]
    var free: [Int]

    init(isBackwards: Bool, letters: [UInt8], seed: UInt64) {
      self.isBackwards = isBackwards
      self.letters = letters
      probe = IndexProbe(sessionCount: 120, seed: seed)
      random = SplitMix64(seed: seed &* 7)
      free = Array(0..<120)
    }

    mutating func text(_ lengths: ClosedRange<Int>) -> [UInt8] {
      (0..<Int.random(in: lengths, using: &random)).map { _ in
        letters.randomElement(using: &random) ?? 0
      }
    }

    /// A new text, or an end of it that leaves another one's way early.
    mutating func newText() -> [UInt8] {
      let text = text(1...6)
      let texts = sessions.keys.sorted { $0.lexicographicallyPrecedes($1) }
      guard Bool.random(using: &random), let known = texts.randomElement(using: &random) else {
        return text
      }
      let part = Int.random(in: 0...known.count, using: &random)
      return isBackwards ? text + known.suffix(part) : known.prefix(part) + text
    }

    /// A text as the trie has it.
    func stored(_ text: [UInt8]) -> [UInt8] {
      guard isBackwards else { return text }
      return unsafe text.withUnsafeBytes { text in
        unsafe Bytes.withReversed(text) { unsafe Array($0) }
      }
    }

    mutating func insert() {
      let text = newText()
      guard sessions[text] == nil, let session = free.popLast() else { return }
      unsafe stored(text).withUnsafeBytes { bytes in
        let term = unsafe TermNode.make(isBackwards ? .ending : .beginning, 0, bytes)
        probe.enter(session, term)
        unsafe trie.insert(bytes, term, &retired)
      }
      sessions[text] = session
    }

    mutating func remove() {
      let texts = sessions.keys.sorted { $0.lexicographicallyPrecedes($1) }
      guard let text = texts.randomElement(using: &random) else { return }
      unsafe stored(text).withUnsafeBytes { bytes in
        let term = unsafe trie.find(bytes)
        unsafe trie.remove(bytes, &retired)
        if !term.isNone { term.destroy() }
      }
      if let session = sessions.removeValue(forKey: text) { free.append(session) }
    }

    /// A description of a difference, or nil.
    mutating func check() -> String? {
      let text = sessions.keys.randomElement(using: &random) ?? []
      let subject = isBackwards ? self.text(0...4) + text : text + self.text(0...4)
      let matching = sessions.filter {
        isBackwards ? subject.hasSuffix($0.key) : subject.starts(with: $0.key)
      }
      let right = probe.best(of: matching.values)
      let found = probe.best(for: stored(subject), in: trie)
      if found != right {
        return "\(subject) finds \(found ?? -1), not \(right ?? -1), among \(sessions)"
      }
      for text in [subject, text] where !text.isEmpty {
        let isFound = unsafe stored(text).withUnsafeBytes { unsafe !trie.find($0).isNone }
        if isFound != (sessions[text] != nil) { return "\(text) is found: \(isFound)" }
      }
      return nil
    }
  }

  @Test(arguments: [false, true], [2, 3, 40, 256])
  func `every beginning or ending is found, whatever came and went`(
    _ isBackwards: Bool, _ letterCount: Int
  ) throws {
    for seed in UInt64(1)...3 {
      var walk = Walk(
        isBackwards: isBackwards, letters: (0..<letterCount).map { UInt8($0) }, seed: seed)
      for step in 0..<400 {
        // It grows, is emptied, and grows again.
        let isGrowing = step % 200 < 120
        if Int.random(in: 0..<4, using: &walk.random) == 0 ? !isGrowing : isGrowing {
          walk.insert()
        } else {
          walk.remove()
        }
        if step % 20 == 0 { walk.probe.shuffle() }
        let difference = walk.check()
        try #require(difference == nil, "seed \(seed), step \(step): \(difference ?? "")")
      }
      walk.retired.free()
    }
  }

  @Test func `a node with a child for every byte is searched and emptied again`() throws {
    var retired = RetiredList<UInt>()
    let trie = RadixTrie()
    let probe = IndexProbe(sessionCount: 256, seed: 1)
    for byte in UInt8.min...UInt8.max {
      unsafe [1, byte].withUnsafeBytes { bytes in
        let term = unsafe TermNode.make(.beginning, 0, bytes)
        probe.enter(Int(byte), term)
        unsafe trie.insert(bytes, term, &retired)
      }
    }
    for byte in UInt8.min...UInt8.max {
      #expect(probe.best(for: [1, byte, 2], in: trie) == Int(byte))
    }
    for byte in UInt8.min...UInt8.max {
      unsafe [1, byte].withUnsafeBytes { bytes in
        let term = unsafe trie.find(bytes)
        unsafe trie.remove(bytes, &retired)
        if !term.isNone { term.destroy() }
      }
      #expect(probe.best(for: [1, byte, 2], in: trie) == nil)
      let next = byte == .max ? nil : Int(byte) + 1
      #expect(probe.best(for: [1, byte &+ 1], in: trie) == next)
    }
    retired.free()
  }
}

extension [UInt8] {
  fileprivate func hasSuffix(_ other: [UInt8]) -> Bool { suffix(other.count) == other[...] }
}
