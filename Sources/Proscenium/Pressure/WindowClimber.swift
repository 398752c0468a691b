// SPDX-License-Identifier: Apache-2.0

/// Learns which share of the scenes should be there for recent use alone, by hill climbing.
///
/// After so many uses it looks whether more of them found their scene connected than in the sample
/// before: then it goes on, else it turns back. Its steps become smaller, until the hit rate
/// changes so much that the traffic seems to be another one. A sample is large, as the chance of
/// the draw would lead the way otherwise; so the share at the beginning matters.
struct WindowClimber: Sendable {
  private static let least = 0.01
  private static let most = 0.99
  private static let longestStep = 0.1
  private static let shortestStep = 0.01
  private static let decay = 0.95
  private static let restart = 0.05
  private static let usesPerScene = 5
  private static let leastSample = 10_000

  /// The share of the scenes, from 0.01 to 0.99.
  private(set) var share = 0.2
  private var step = -WindowClimber.longestStep
  private var previousRate = 0.0
  private var hits = 0
  private var misses = 0

  /// Counts the use of a scene that was connected.
  mutating func hit() { hits &+= 1 }

  /// Counts the use of a session whose scene had to be connected, and may take a step.
  ///
  /// - Parameter scenes: The number of connected scenes, by which a sample is sized.
  mutating func miss(scenes: Int) {
    misses &+= 1
    guard hits &+ misses >= max(scenes * Self.usesPerScene, Self.leastSample) else { return }
    let rate = Double(hits) / Double(hits + misses)
    let change = rate - previousRate
    if change < 0 { step = -step }
    share = min(max(share + step, Self.least), Self.most)
    let isOther = abs(change) >= Self.restart
    let length = isOther ? Self.longestStep : max(abs(step) * Self.decay, Self.shortestStep)
    step = step < 0 ? -length : length
    previousRate = rate
    hits = 0
    misses = 0
  }
}
