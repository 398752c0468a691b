// SPDX-License-Identifier: Apache-2.0

/// What a scene has said about its memory, for as long as it is connected.
struct ConnectionWishes: Sendable {
  /// It is not to be disconnected by a policy.
  var keepsConnected = false
  /// It is not before this time.
  var delayedUntil: Duration?
  /// How many bytes it takes, if it says so.
  var memoryCost: Int?

  var isEmpty: Bool { !keepsConnected && delayedUntil == nil && memoryCost == nil }

  /// Whether the scene stays for now.
  func spares(at time: Duration) -> Bool {
    keepsConnected || delayedUntil.map { time < $0 } ?? false
  }
}

/// The wishes of a shard's scenes, by slot: few have any.
struct ShardWishes: Sendable {
  private var wishes: [Int32: ConnectionWishes] = [:]
  /// How many scenes say how many bytes they take, and the sum of that.
  private(set) var costed = 0
  private(set) var bytes = 0

  subscript(slot: Int32) -> ConnectionWishes {
    get { wishes.isEmpty ? ConnectionWishes() : wishes[slot] ?? ConnectionWishes() }
    set {
      if newValue.isEmpty, wishes.isEmpty { return }
      let old = wishes[slot]?.memoryCost
      costed += (newValue.memoryCost == nil ? 0 : 1) - (old == nil ? 0 : 1)
      bytes += (newValue.memoryCost ?? 0) - (old ?? 0)
      wishes[slot] = newValue.isEmpty ? nil : newValue
    }
  }
}
