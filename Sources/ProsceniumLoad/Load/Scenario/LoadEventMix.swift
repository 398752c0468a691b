// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProsceniumPrimitives

/// How an event of a load test comes to its session.
public enum LoadEventKind: String, Hashable, Sendable, CaseIterable {
  /// A message to the session's identifier: no transition.
  case message
  /// An activity that is routed by its content.
  case activity
  /// A URL that is routed by itself.
  case url
  /// A quick action that is routed by its content.
  case shortcut
  /// The answer to a notification that is routed by its content.
  case notification
}

/// How often each kind of event comes.
public struct LoadEventMix: Hashable, Sendable {
  /// The largest weight of a kind: 1,000,000.
  public static let weightLimit = 1_000_000

  private let weights: [LoadEventKind: Int]
  private let total: Int

  /// Messages alone.
  public init() {
    (weights, total) = ([.message: 1], 1)
  }

  /// A mix with a weight for each kind; what is left out does not come.
  ///
  /// - Returns: nil where no weight is above 0, or one is out of its range.
  public init?(_ weights: [LoadEventKind: Int]) {
    guard weights.values.allSatisfy((0...Self.weightLimit).contains),
      weights.values.contains(where: { $0 > 0 })
    else { return nil }
    self.weights = weights.filter { $0.value > 0 }
    total = weights.values.reduce(0, +)
  }

  /// Reads a mix such as `message=90,url=10`.
  public init?(_ text: some StringProtocol) {
    var weights: [LoadEventKind: Int] = [:]
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let sides = part.split(separator: "=", omittingEmptySubsequences: false)
      guard sides.count == 2, let kind = LoadEventKind(rawValue: String(sides[0])),
        let weight = Int(sides[1]), weights.updateValue(weight, forKey: kind) == nil
      else { return nil }
    }
    self.init(weights)
  }

  /// The weight of a kind.
  public subscript(_ kind: LoadEventKind) -> Int {
    weights[kind, default: 0]
  }

  /// Whether all events are messages.
  public var isMessagesAlone: Bool { total == self[.message] }

  func draw(_ random: inout SplitMix64) -> LoadEventKind {
    var rest = random.number(below: total)
    for kind in LoadEventKind.allCases {
      if rest < self[kind] { return kind }
      rest -= self[kind]
    }
    return .message
  }
}

extension LoadEventMix: CustomStringConvertible {
  /// The mix as it is written in flags.
  public var description: String {
    LoadEventKind.allCases.filter { self[$0] > 0 }.map { "\($0.rawValue)=\(self[$0])" }
      .joined(separator: ",")
  }
}

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

extension ZipfTable {
  /// A table of ranks from 0 by a skew.
  init(count: Int, _ skew: LoadSkew) {
    let power = if case .zipf(let power) = skew { power } else { 0.0 }
    self.init((1...count).map { UInt64(Double(1 << 31) * pow(Double($0), -power)) + 1 })
  }
}
