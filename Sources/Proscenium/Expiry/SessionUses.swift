// SPDX-License-Identifier: Apache-2.0

/// Which sessions of a shard were used since they were last asked about, and of which of them the
/// use is to be noted: two bits for each slot.
struct SessionUses: Sendable {
  private var used: [UInt64] = []
  /// Those of them whose use was noted since the current period began.
  private var noted: [UInt64] = []
  /// Those whose use is to be noted.
  private var unnoted: [Int32] = []
  private var periodBegan: Duration?

  /// Begins another period if the current one is over: the next use of a session is noted again,
  /// however long no one has asked about it.
  mutating func beginPeriod(_ period: Duration, at now: Duration) {
    if let periodBegan, now - periodBegan < period { return }
    periodBegan = now
    noted = [UInt64](repeating: 0, count: used.count)
  }

  /// Notes a use.
  @inline(__always)
  mutating func note(_ slot: Int32) {
    let word = Int(slot) >> 6
    if word >= used.count {
      let missing = [UInt64](repeating: 0, count: word + 1 - used.count)
      used += missing
      noted += missing
    }
    let bit = UInt64(1) << UInt64(slot & 63)
    if noted[word] & bit != 0 { return }
    used[word] |= bit
    noted[word] |= bit
    unnoted.append(slot)
  }

  /// Takes those that were used for the first time in a period, or since they were asked about.
  mutating func takeUnnoted() -> [Int32] {
    if unnoted.isEmpty { return [] }
    defer { unnoted = [] }
    return unnoted
  }

  /// The sessions that were used; forgets them.
  mutating func takeAll() -> [Int32] {
    defer { (used, noted) = ([], []) }
    return used.indices.flatMap { word in
      (0..<64).filter { used[word] & 1 << UInt64($0) != 0 }.map { Int32(word << 6 + $0) }
    }
  }

  /// Whether a session was used; forgets it.
  mutating func take(_ slot: Int32) -> Bool {
    let (word, bit) = (Int(slot) >> 6, UInt64(1) << UInt64(slot & 63))
    guard word < used.count, used[word] & bit != 0 else { return false }
    used[word] &= ~bit
    noted[word] &= ~bit
    return true
  }
}
