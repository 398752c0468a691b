// SPDX-License-Identifier: Apache-2.0

/// Decides how many scenes have to go, and how many of them each shard gives; it only decides.
struct PressureLedger: Sendable {
  /// What was measured.
  struct Measure: Sendable {
    /// How many scenes there are that are not on their way out.
    var connected = 0
    /// How many of them are to go already.
    var promised = 0
    var used: Int?
    var limit: Int?
    var stall: Double?
    /// When it was measured.
    var time = Duration.zero
  }

  /// An average over ten seconds says nothing new before they are over.
  private static let stallPause = Duration.seconds(10)

  private let sceneLimit: Int?
  private let limitShare: Double
  private let targetShare: Double
  private let stallLimit: Double
  /// The bytes that were used without any scene, as far as it is known.
  private var base = 0
  /// Whether the limit was exceeded and the target is not reached since.
  private(set) var isRelieving = false
  private var lastStall: Duration?

  init(_ policy: DisconnectionPolicy) {
    sceneLimit = policy.sceneLimit
    limitShare = policy.limitShare
    targetShare = policy.targetShare
    stallLimit = policy.memory.stallLimit
  }

  /// How many scenes more have to go because there are too many.
  func excess(connected: Int, promised: Int) -> Int {
    guard let sceneLimit, connected - promised > sceneLimit else { return 0 }
    return connected - promised - (sceneLimit - sceneLimit / 64)
  }

  /// How many scenes more have to go, after a look at everything.
  mutating func decide(_ measure: Measure) -> Int {
    if measure.connected == 0, let used = measure.used { base = used }
    let left = measure.connected - measure.promised
    let wanted = max(
      excess(connected: measure.connected, promised: measure.promised),
      bytesWanted(measure) - measure.promised, stallWanted(measure))
    return min(max(wanted, 0), max(left, 0))
  }

  /// How many scenes hold what is used beyond the target, on the average.
  private mutating func bytesWanted(_ measure: Measure) -> Int {
    guard let used = measure.used, let limit = measure.limit else { return 0 }
    let target = Double(limit) * targetShare
    if Double(used) > Double(limit) * limitShare { isRelieving = true }
    if Double(used) <= target { isRelieving = false }
    guard isRelieving, measure.connected > 0 else { return 0 }
    let perScene = Double(max(used - min(base, used), 1)) / Double(measure.connected)
    let count = ((Double(used) - target) / perScene).rounded(.up)
    return Int(min(count, Double(measure.connected)))
  }

  /// As large a share of the scenes as between limit and target, and at least one.
  private mutating func stallWanted(_ measure: Measure) -> Int {
    guard let stall = measure.stall, stall >= stallLimit else { return 0 }
    if let lastStall, measure.time - lastStall < Self.stallPause { return 0 }
    lastStall = measure.time
    return max(Int(Double(measure.connected) * (limitShare - targetShare)), 1)
  }

  /// Shares a number among shards in proportion to the scenes that each could give.
  ///
  /// What is left by rounding goes to the largest remainders, and among equals to the first ones.
  ///
  /// - Parameters:
  ///   - count: How many have to go; more than there are counts as all.
  ///   - scenes: How many each shard could give.
  /// - Returns: How many each shard gives, never more than it has.
  static func shares(of count: Int, among scenes: [Int]) -> [Int] {
    let total = scenes.reduce(0, +)
    let count = min(max(count, 0), total)
    guard count > 0 else { return scenes.map { _ in 0 } }
    // Scenes are far fewer than the root of what a number holds.
    var shares = scenes.map { $0 * count / total }
    let remainders = scenes.map { $0 * count % total }
    let left = count - shares.reduce(0, +)
    let largest = remainders.indices.sorted {
      remainders[$0] != remainders[$1] ? remainders[$0] > remainders[$1] : $0 < $1
    }
    for index in largest.prefix(left) { shares[index] += 1 }
    return shares
  }
}
