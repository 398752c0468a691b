// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProsceniumPrimitives

/// Which sessions get how many of the events.
public enum LoadSkew: Hashable, Sendable {
  /// All get the same.
  case uniform
  /// Zipf's law: the n-th gets a share in proportion to 1 / n to this power.
  case zipf(Double)

  /// Reads `uniform`, `zipf` or `zipf:1.2`, with a power from 0 to 4; nil if it is none of these.
  public init?(_ text: some StringProtocol) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    switch (parts.first, parts.count) {
    case ("uniform", 1): self = .uniform
    case ("zipf", 1): self = .zipf(Self.usualPower)
    case ("zipf", 2):
      guard let power = Double(parts[1]), (0...4).contains(power) else { return nil }
      self = .zipf(power)
    default: return nil
    }
  }

  /// What the pages of most sites, and the keys of most stores, show about.
  public static let usualPower = 0.99
}

extension LoadSkew: CustomStringConvertible {
  /// The skew as it is written in flags.
  public var description: String {
    switch self {
    case .uniform: "uniform"
    case .zipf(let power): "zipf:\(power)"
    }
  }
}

/// Draws ranks by a skew in one look at a table: the alias method.
struct LoadRanks: Sendable {
  /// A column of equal height that two ranks share.
  private struct Column {
    /// Below this share of 32 bits it is the column's own rank.
    var share: UInt32
    var other: UInt32
  }

  private var columns: [Column]

  /// Makes a table.
  ///
  /// - Parameters:
  ///   - count: How many ranks there are: 1 to 4,294,967,295.
  ///   - skew: How often each of them is drawn.
  init(count: Int, _ skew: LoadSkew) {
    columns = (0..<count).map { Column(share: .max, other: UInt32($0)) }
    guard case .zipf(let power) = skew, power > 0 else { return }
    var weights = (1...count).map { pow(Double($0), -power) }
    let mean = weights.reduce(0, +) / Double(count)
    for rank in weights.indices { weights[rank] /= mean }
    var low = weights.indices.filter { weights[$0] < 1 }
    var high = weights.indices.filter { weights[$0] >= 1 }
    // What a low column lacks a high one gives, which may be low then.
    while let taker = low.popLast(), let giver = high.last {
      columns[taker] = Column(
        share: UInt32(weights[taker] * Double(UInt32.max)), other: UInt32(giver))
      weights[giver] -= 1 - weights[taker]
      if weights[giver] < 1 { low.append(high.removeLast()) }
    }
  }

  var count: Int { columns.count }

  /// Draws a rank from 0.
  @inline(__always)
  func draw(_ random: inout SplitMix64) -> Int {
    let (column, fraction) = random.next().multipliedFullWidth(by: UInt64(columns.count))
    let found = columns[Int(column)]
    return fraction >> 32 <= UInt64(found.share) ? Int(column) : Int(found.other)
  }
}
