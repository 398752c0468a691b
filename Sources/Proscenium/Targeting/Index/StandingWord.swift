// SPDX-License-Identifier: Apache-2.0

/// What the index knows of a session, in one word that is stored and read in one step.
///
/// From the top: the rank, so that a better one is a larger number; 52 bits of the activation
/// counter; the role; whether the session can show everything; whether there is a session. A larger
/// ``key`` comes first in the tie-break (R-RT-6 b and c).
struct StandingWord: Sendable, Equatable {
  static let none = StandingWord(bits: 0)
  /// The largest activation counter that is told apart.
  static let counterLimit: UInt64 = 1 << 52 - 1

  let bits: UInt64

  @inline(__always)
  init(bits: UInt64) {
    self.bits = bits
  }

  init(_ standing: SessionStanding, role: UInt8, canShowEverything: Bool) {
    let rank = UInt64(3 - standing.rank.rawValue)
    let counter = min(standing.lastActivated, Self.counterLimit)
    bits = rank << 62 | counter << 10 | UInt64(role) << 2 | (canShowEverything ? 3 : 1)
  }

  var isTaken: Bool { bits != 0 }

  /// Rank and activation counter.
  @inline(__always)
  var key: UInt64 { bits >> 10 }

  var role: UInt8 { UInt8(truncatingIfNeeded: bits >> 2) }

  var canShowEverything: Bool { bits & 2 != 0 }

  /// The rank and the activation counter as a value.
  var standing: SessionStanding {
    SessionStanding(
      SessionStanding.Rank(rawValue: UInt8(3 - bits >> 62)) ?? .archived,
      lastActivated: bits >> 10 & Self.counterLimit)
  }
}
