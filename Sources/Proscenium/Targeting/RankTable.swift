// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

/// The rank of every open session.
///
/// Each session has a *place*, a small number that is given again when the session is gone.
struct RankTable: Sendable {
  private static let nowhere = UInt32.max

  private let shardBits: Int
  /// The place of each session, by shard and slot.
  private var places: ContiguousArray<PagedArray<UInt32>>
  private var words = PagedArray<RankWord>()
  private var handles = PagedArray<UInt32>()
  private var holes: [UInt32] = []

  init(shardBits: Int) {
    self.shardBits = shardBits
    places = ContiguousArray(repeating: PagedArray(), count: 1 << shardBits)
  }

  /// The word of a session, or nil if it is not entered.
  subscript(handle: SessionHandle) -> RankWord? {
    let slot = handle.slot(shardBits)
    let shard = handle.shard(shardBits)
    guard slot < places[shard].count else { return nil }
    let place = places[shard][slot]
    return place == Self.nowhere ? nil : words[Int(place)]
  }

  /// The word of the session at a place, or nil if there is none.
  func word(at place: Int) -> RankWord? {
    guard place < words.count else { return nil }
    let word = words[place]
    return word.isTaken ? word : nil
  }

  /// The session at a place that is taken.
  func ranked(at place: Int) -> Ranked {
    Ranked(handle: handles[place], key: words[place].key)
  }

  /// Sets the word of a session and returns its place.
  mutating func set(_ handle: SessionHandle, _ word: RankWord) -> Int {
    let slot = handle.slot(shardBits)
    let shard = handle.shard(shardBits)
    while places[shard].count <= slot { places[shard].append(Self.nowhere) }
    var place = places[shard][slot]
    if place == Self.nowhere {
      if let hole = holes.popLast() {
        place = hole
      } else {
        place = UInt32(words.count)
        words.append(.none)
        handles.append(0)
      }
      handles[Int(place)] = handle.rawValue
      places[shard][slot] = place
    }
    words[Int(place)] = word
    return Int(place)
  }

  /// Forgets a session that is entered; returns the place that it had.
  mutating func remove(_ handle: SessionHandle) -> Int {
    let slot = handle.slot(shardBits)
    let shard = handle.shard(shardBits)
    let place = places[shard][slot]
    places[shard][slot] = Self.nowhere
    words[Int(place)] = .none
    holes.append(place)
    return Int(place)
  }
}

/// A session and its rank: what comparisons need but for ties.
struct Ranked: Sendable, Equatable {
  let handle: UInt32
  /// A larger one comes first (``RankWord/key``).
  let key: UInt64

  /// Tells whether the session comes before another one (R-RT-6 b to d).
  func isBefore(
    _ other: Ranked, _ identifier: (SessionHandle) -> SessionIdentifier
  ) -> Bool {
    if key != other.key { return key > other.key }
    return identifier(SessionHandle(rawValue: handle))
      < identifier(SessionHandle(rawValue: other.handle))
  }
}

/// What the index knows of a session, in one word that is stored and read in one step.
///
/// From the top: the state, so that a better one is a larger number; 52 bits of the activation
/// counter; the role; whether the session can show everything; whether there is a session. A larger
/// ``key`` comes first in the tie-break (R-RT-6 b and c).
struct RankWord: Sendable, Equatable {
  static let none = RankWord(bits: 0)
  /// The largest activation counter that is told apart.
  static let counterLimit: UInt64 = 1 << 52 - 1

  let bits: UInt64

  init(bits: UInt64) {
    self.bits = bits
  }

  init(_ rank: SessionRank, role: UInt8, canShowEverything: Bool) {
    let state = UInt64(3 - rank.state.rawValue)
    let counter = min(rank.lastActivated, Self.counterLimit)
    bits = state << 62 | counter << 10 | UInt64(role) << 2 | (canShowEverything ? 3 : 1)
  }

  var isTaken: Bool { bits != 0 }

  /// State and activation counter.
  var key: UInt64 { bits >> 10 }

  var role: UInt8 { UInt8(truncatingIfNeeded: bits >> 2) }

  var canShowEverything: Bool { bits & 2 != 0 }

  /// The state and the activation counter as a value.
  var rank: SessionRank {
    SessionRank(
      SessionRank.State(rawValue: UInt8(3 - bits >> 62)) ?? .archived,
      lastActivated: bits >> 10 & Self.counterLimit)
  }
}
