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

  private var weights: [Int]

  /// Messages alone.
  public init() {
    weights = LoadEventKind.allCases.map { $0 == .message ? 1 : 0 }
  }

  /// A mix with a weight for each kind; what is left out does not come.
  ///
  /// - Returns: nil where no weight is above 0, or one is out of its range.
  public init?(_ weights: [LoadEventKind: Int]) {
    self.weights = LoadEventKind.allCases.map { weights[$0] ?? 0 }
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
    weights[LoadEventKind.allCases.firstIndex(of: kind) ?? 0]
  }

  /// Whether all events are messages.
  public var isMessagesAlone: Bool { weights.dropFirst().allSatisfy { $0 == 0 } }

  func draw(_ random: inout SplitMix64) -> LoadEventKind {
    var rest = random.number(below: weights.reduce(0, +))
    for (kind, weight) in zip(LoadEventKind.allCases, weights) {
      if rest < weight { return kind }
      rest -= weight
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
