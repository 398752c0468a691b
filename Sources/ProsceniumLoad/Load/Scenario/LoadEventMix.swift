// SPDX-License-Identifier: Apache-2.0

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

  private static let kinds = LoadEventKind.allCases

  private let weights: [Int]
  private let total: Int

  /// Messages alone.
  public init() {
    weights = Self.kinds.map { $0 == .message ? 1 : 0 }
    total = 1
  }

  /// A mix with a weight for each kind; what is left out does not come.
  ///
  /// - Returns: nil where no weight is above 0, or one is out of its range.
  public init?(_ weights: [LoadEventKind: Int]) {
    self.weights = Self.kinds.map { weights[$0] ?? 0 }
    total = self.weights.reduce(0, &+)
    guard self.weights.allSatisfy({ (0...Self.weightLimit).contains($0) }),
      self.weights.contains(where: { $0 > 0 })
    else { return nil }
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
    weights[Self.kinds.firstIndex(of: kind) ?? 0]
  }

  /// Whether all events are messages.
  public var isMessagesAlone: Bool { total == weights[0] }

  func draw(_ random: inout SplitMix64) -> LoadEventKind {
    var rest = random.number(below: total)
    for place in weights.indices {
      if rest < weights[place] { return Self.kinds[place] }
      rest -= weights[place]
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
