// SPDX-License-Identifier: Apache-2.0

/// Which sessions of a shard were used since they were last asked about, a bit for each slot.
struct SessionUses: Sendable {
  private var words: [UInt64] = []
  /// Those whose first use since then was not looked at yet.
  private var first: [Int32] = []

  /// Notes a use.
  @inline(__always)
  mutating func note(_ slot: Int32) {
    let word = Int(slot) >> 6
    if word >= words.count {
      words.append(contentsOf: repeatElement(0, count: word + 1 - words.count))
    }
    let bit = UInt64(1) << UInt64(slot & 63)
    if words[word] & bit != 0 { return }
    words[word] |= bit
    first.append(slot)
  }

  /// Takes those that were used for the first time since they were last asked about.
  mutating func takeFirst() -> [Int32] {
    if first.isEmpty { return [] }
    defer { first = [] }
    return first
  }

  /// The sessions that were used; forgets them.
  mutating func takeAll() -> [Int32] {
    defer { words = [] }
    return words.indices.flatMap { word in
      (0..<64).filter { words[word] & 1 << UInt64($0) != 0 }.map { Int32(word << 6 + $0) }
    }
  }

  /// Whether a session was used; forgets it.
  mutating func take(_ slot: Int32) -> Bool {
    let (word, bit) = (Int(slot) >> 6, UInt64(1) << UInt64(slot & 63))
    guard word < words.count, words[word] & bit != 0 else { return false }
    words[word] &= ~bit
    return true
  }
}
