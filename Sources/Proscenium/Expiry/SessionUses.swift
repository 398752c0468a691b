// SPDX-License-Identifier: Apache-2.0

/// Which sessions of a shard were used since they were last asked about, a bit for each slot.
struct SessionUses: Sendable {
  private var words: [UInt64] = []

  /// Notes a use.
  @inline(__always)
  mutating func note(_ slot: Int32) {
    let word = Int(slot) >> 6
    if word >= words.count {
      words.append(contentsOf: repeatElement(0, count: word + 1 - words.count))
    }
    words[word] |= 1 << UInt64(slot & 63)
  }

  /// Whether a session was used; forgets it.
  mutating func take(_ slot: Int32) -> Bool {
    let (word, bit) = (Int(slot) >> 6, UInt64(1) << UInt64(slot & 63))
    guard word < words.count, words[word] & bit != 0 else { return false }
    words[word] &= ~bit
    return true
  }
}
