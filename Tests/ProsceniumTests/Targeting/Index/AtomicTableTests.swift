// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Testing

@testable import Proscenium

/// The hash table against a list of its entries.
@Suite struct AtomicTableTests {
  /// Tags that share slots, partitions and now and then everything.
  private static let tags: [String: [UInt64]] = [
    "one tag": [7],
    "neighbours": Array(0..<24),
    "around the end": (0..<12).map { UInt64(bitPattern: -3) &+ $0 << 32 } + [0, 1],
    "one slot": (0..<16).map { $0 << 40 | 5 },
    "all partitions": (0..<64).map { $0 << 56 | $0 },
    "far apart": (1...200).map { $0 &* 0x9E37_79B9_7F4A_7C15 },
  ]

  private static func words(_ table: borrowing AtomicTable, _ tag: UInt64) -> [UInt] {
    var words: [UInt] = []
    let found = table.find(tag) { word in
      words.append(word)
      return false
    }
    #expect(found == 0)
    return words.sorted()
  }

  @Test(arguments: tags.keys.sorted(), [0, 4, 8])
  func `what is entered is found until it is removed`(
    _ name: String, _ partitionBits: Int
  ) throws {
    let tags = try #require(Self.tags[name])
    for seed in UInt64(1)...3 {
      var random = SplitMix64(seed: seed)
      var retired = RetiredList<UInt>()
      let table = AtomicTable(partitionBits: partitionBits)
      var entries: [(tag: UInt64, word: UInt)] = []
      var next: UInt = 2
      for step in 0..<600 {
        let isGrowing = step % 300 < 180
        let tag = try #require(tags.randomElement(using: &random))
        if Int.random(in: 0..<4, using: &random) == 0 ? !isGrowing : isGrowing {
          table.insert(tag, next, &retired)
          entries.append((tag, next))
          next += 1
        } else if let index = entries.indices.randomElement(using: &random) {
          table.remove(entries[index].tag, entries[index].word)
          entries.remove(at: index)
        }
        // What is not there can be removed in vain.
        table.remove(tag, next)
        let right = entries.filter { $0.tag == tag }.map(\.word)
        try #require(Self.words(table, tag) == right, "seed \(seed), step \(step)")
        if let word = right.randomElement(using: &random) {
          try #require(table.find(tag) { $0 == word } == word)
        }
      }
      var all: [UInt] = []
      table.forEach { all.append($0) }
      #expect(all.sorted() == entries.map(\.word))
      retired.free()
    }
  }

  @Test func `coming and going in one place needs no new memory`() {
    var retired = RetiredList<UInt>()
    let table = AtomicTable(partitionBits: 0)
    for word in UInt(2)..<5_000 {
      table.insert(9, word, &retired)
      table.remove(9, word)
    }
    #expect(retired.count == 0)
    retired.free()
  }

  @Test func `removed entries leave room among those that stay`() {
    var retired = RetiredList<UInt>()
    let table = AtomicTable(partitionBits: 0)
    for word in UInt(2)..<10 { table.insert(UInt64(word), word, &retired) }
    let before = retired.count
    for word in UInt(10)..<5_000 {
      table.insert(UInt64(word) &* 0x9E37_79B9_7F4A_7C15, word, &retired)
      table.remove(UInt64(word) &* 0x9E37_79B9_7F4A_7C15, word)
    }
    for word in UInt(2)..<10 { #expect(table.find(UInt64(word)) { _ in true } == word) }
    // Now and then it is built anew, at its own size, and never at every second change.
    #expect(retired.count - before < 2_000)
    retired.free()
  }

  @Test func `a table that was full of others shrinks when it is built anew`() {
    var retired = RetiredList<UInt>()
    let table = AtomicTable(partitionBits: 0)
    for word in UInt(2)..<2_000 { table.insert(UInt64(word), word, &retired) }
    for word in UInt(2)..<1_990 { table.remove(UInt64(word), word) }
    for word in UInt(1_990)..<2_000 {
      #expect(table.find(UInt64(word)) { _ in true } == word)
      #expect(table.find(UInt64(word) - 100) { _ in true } == 0)
    }
    retired.free()
  }
}
