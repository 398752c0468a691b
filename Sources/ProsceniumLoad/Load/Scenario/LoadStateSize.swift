// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProsceniumPrimitives

/// How many bytes the state of a session has, which stays as it is drawn for the session.
public enum LoadStateSize: Hashable, Sendable {
  /// All have the same.
  case fixed(Int)
  /// Every size between two is as likely.
  case uniform(ClosedRange<Int>)
  /// Small ones are likely, and few are many times larger: an exponential distribution.
  case mean(Int)

  /// The smallest size: what a session remembers of its events needs no less.
  public static let least = 64
  /// The largest size: 1 MiB.
  public static let most = 1 << 20

  /// Reads `750`, `200-2000` or `mean:800`; nil if it is none of these, or out of its range.
  public init?(_ text: some StringProtocol) {
    let range = Self.least...Self.most
    if text.hasPrefix("mean:") {
      guard let mean = Int(text.dropFirst(5)), range.contains(mean) else { return nil }
      self = .mean(mean)
      return
    }
    let bounds = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    switch (bounds.count, bounds.first ?? nil, bounds.last ?? nil) {
    case (1, let size?, _) where range.contains(size): self = .fixed(size)
    case (2, let least?, let most?)
    where range.contains(least) && range.contains(most) && least <= most:
      self = .uniform(least...most)
    default: return nil
    }
  }

  /// The mean size.
  var typical: Int {
    switch self {
    case .fixed(let size), .mean(let size): size
    case .uniform(let range): (range.lowerBound + range.upperBound) / 2
    }
  }

  func draw(_ random: inout SplitMix64) -> Int {
    switch self {
    case .fixed(let size): return size
    case .uniform(let range): return range.lowerBound + random.number(below: range.count)
    case .mean(let mean):
      let share = Double(random.next() >> 11 | 1) / Double(1 << 53)
      return min(max(Int(-log(share) * Double(mean)), Self.least), Self.most)
    }
  }
}

extension LoadStateSize: CustomStringConvertible {
  /// The size as it is written in flags.
  public var description: String {
    switch self {
    case .fixed(let size): "\(size)"
    case .uniform(let range): "\(range.lowerBound)-\(range.upperBound)"
    case .mean(let mean): "mean:\(mean)"
    }
  }
}
