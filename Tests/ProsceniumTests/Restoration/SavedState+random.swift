// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Foundation
@testable import Proscenium

extension SavedState {
  /// A state of up to about 60 values, with everything that a state can have now and then.
  static func random(_ random: inout SplitMix64) -> SavedState {
    var state = SavedState()
    if Int.random(in: 0..<10, using: &random) > 0 { state.activity = .random(&random) }
    if Bool.random(using: &random) {
      var valuesLeft = Int.random(in: 0...20, using: &random)
      state.userInfo = .randomPropertyList(&random, &valuesLeft)
    }
    for _ in 0..<max(0, Int.random(in: -6...3, using: &random)) {
      state.snapshots[.random(&random)] = .random(&random)
    }
    let count = max(0, Int.random(in: -8...4, using: &random))
    state.wakes = (0..<count).map { _ in .random(&random) }
    for _ in 0..<max(0, Int.random(in: -8...10, using: &random)) {
      let client = ClientIdentifier(high: random.next(), low: .random(in: 0...3, using: &random))
      state.clients.note(random.next() >> Int.random(in: 0...63, using: &random) | 1, of: client)
    }
    return state
  }
}

extension Wake {
  /// A wake with one of few numbers and dates, or with any.
  fileprivate static func random(_ random: inout SplitMix64) -> Wake {
    let isAny = Bool.random(using: &random)
    let number = isAny ? random.next() | 1 : .random(in: 1...9, using: &random)
    let seconds = isAny ? Double.randomBits(&random) : .random(in: 0...3, using: &random)
    return Wake(
      id: ID(rawValue: number), date: Date(timeIntervalSince1970: seconds),
      activity: .random(&random))
  }
}

extension UserActivity {
  fileprivate static func random(_ random: inout SplitMix64) -> UserActivity {
    var valuesLeft = Int.random(in: 0...40, using: &random)
    var activity = UserActivity(.random(&random), userInfo: .random(&random, &valuesLeft))
    if Bool.random(using: &random) { activity.title = .random(&random) }
    if Bool.random(using: &random) { activity.targetContentIdentifier = .random(&random) }
    switch Int.random(in: 0..<8, using: &random) {
    case 0: activity.webpageURL = .random(&random)
    case 1: activity.persistentIdentifier = .random(&random)
    case 2: activity.requiredUserInfoKeys = Set(activity.userInfo.keys)
    case 3:
      // An activity whose expiration date is no number differs from itself.
      let seconds = Double.randomBits(&random)
      activity.expirationDate = Date(timeIntervalSinceReferenceDate: seconds.isNaN ? 0 : seconds)
    default: break
    }
    return activity
  }
}

extension UserInfoValue {
  static func random(
    _ random: inout SplitMix64, _ valuesLeft: inout Int
  ) -> UserInfoValue {
    switch Int.random(in: 0..<14, using: &random) {
    case 0: return .null
    case 1: return .url(.random(&random))
    case 2, 3:
      let count = min(valuesLeft, Int.random(in: 0...6, using: &random))
      valuesLeft -= count
      return .set(Set((0..<count).map { _ in .random(&random, &valuesLeft) }))
    default: return .randomPropertyList(&random, &valuesLeft)
    }
  }

  static func randomPropertyList(
    _ random: inout SplitMix64, _ valuesLeft: inout Int
  ) -> UserInfoValue {
    switch Int.random(in: 0..<11, using: &random) {
    case 0...2: return .string(.random(&random))
    case 3, 4:
      let shift = Int.random(in: 0..<64, using: &random)
      return .integer(Int64(bitPattern: random.next()) >> shift)
    case 5: return .real(.randomBits(&random))
    case 6: return .boolean(.random(using: &random))
    case 7: return .date(Date(timeIntervalSinceReferenceDate: .randomBits(&random)))
    case 8: return .data(.random(&random))
    case 9:
      let count = min(valuesLeft, Int.random(in: 0...20, using: &random))
      valuesLeft -= count
      return .array((0..<count).map { _ in .randomPropertyList(&random, &valuesLeft) })
    default: return .dictionary(.randomPropertyList(&random, &valuesLeft))
    }
  }
}

extension [String: UserInfoValue] {
  static func random(_ random: inout SplitMix64, _ valuesLeft: inout Int) -> Self {
    let count = Swift.min(valuesLeft, Int.random(in: 0...17, using: &random))
    valuesLeft -= count
    var values = Self(minimumCapacity: Int.random(in: 0...100, using: &random))
    for _ in 0..<count { values[.random(&random)] = .random(&random, &valuesLeft) }
    return values
  }

  static func randomPropertyList(_ random: inout SplitMix64, _ valuesLeft: inout Int) -> Self {
    let count = Swift.min(valuesLeft, Int.random(in: 0...17, using: &random))
    valuesLeft -= count
    var values = Self(minimumCapacity: Int.random(in: 0...100, using: &random))
    for _ in 0..<count { values[.random(&random)] = .randomPropertyList(&random, &valuesLeft) }
    return values
  }
}

extension Double {
  /// A real with any bits, or one that is special.
  static func randomBits(_ random: inout SplitMix64) -> Double {
    let special: [Double] = [
      0, -0.0, 1.5, .infinity, -.infinity, .nan, .signalingNaN, .leastNonzeroMagnitude,
      .greatestFiniteMagnitude,
    ]
    return special.randomElement(using: &random).flatMap { Bool.random(using: &random) ? $0 : nil }
      ?? Double(bitPattern: random.next())
  }
}

extension String {
  private static let alphabet: [Character] = [
    "a", "b", "z", "/", ".", "0", "é", "e\u{301}", "\0", "\"", "\\", "\n", "ß", "漢", "🤡",
    "👨‍👩‍👧", "\u{212A}", "K", "\u{10FFFF}", "\u{FFFD}", "\r\n",
  ]

  /// A text of up to about 20 characters, rarely of some hundreds.
  static func random(_ random: inout SplitMix64) -> String {
    let longest = Int.random(in: 0..<100, using: &random) == 0 ? 400 : 20
    return String(
      (0..<Int.random(in: 0...longest, using: &random)).map { _ in
        alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
      })
  }
}

extension [UInt8] {
  /// Up to 40 bytes, rarely some hundreds.
  static func random(_ random: inout SplitMix64) -> [UInt8] {
    let longest = Int.random(in: 0..<50, using: &random) == 0 ? 600 : 40
    return (0..<Int.random(in: 0...longest, using: &random)).map { _ in
      UInt8.random(in: .min ... .max, using: &random)
    }
  }
}
