// SPDX-License-Identifier: Apache-2.0

package import ProsceniumJSON

extension FaultPlan {
  /// Reads the plan of a file.
  package init(_ node: JSONNode) throws(JSONFileError) {
    try node.checkKeys(
      "seed", "disconnects", "discards", "delegates", "store", "clockJumps", "wallClockJumps",
      "requests", "killsAtSeconds")
    self.init()
    if let node = try node.optional("seed") { seed = UInt64(try node.integer(in: 0...Int.max)) }
    if let node = try node.optional("disconnects") { disconnects = try Strikes(node) }
    if let node = try node.optional("discards") { discards = try Strikes(node) }
    if let node = try node.optional("delegates") { delegates = try Delegates(node) }
    if let node = try node.optional("store") { store = try Store(node) }
    clockJumps = try node.jumps("clockJumps", from: .zero)
    wallClockJumps = try node.jumps("wallClockJumps", from: .zero - Self.farthestJump)
    if let node = try node.optional("requests") { requests = try Requests(node) }
    kills = try node.moments("killsAtSeconds")
  }
}

extension FaultPlan.Strikes {
  fileprivate init(_ node: JSONNode) throws(JSONFileError) {
    try node.checkKeys("perSecond", "atSeconds")
    self.init()
    if let node = try node.optional("perSecond") {
      perSecond = try node.number(in: 0...FaultPlan.rateLimit)
    }
    moments = try node.moments("atSeconds")
  }
}

extension FaultPlan.Delegates {
  fileprivate init(_ node: JSONNode) throws(JSONFileError) {
    try node.checkKeys("hogs", "hangs")
    self.init()
    hogs = try node.delay("hogs")
    hangs = try node.delay("hangs")
  }
}

extension FaultPlan.Store {
  fileprivate init(_ node: JSONNode) throws(JSONFileError) {
    try node.checkKeys(
      "failedPerThousand", "fullPerThousand", "delays", "tornPerThousand",
      "powerLossesAtSeconds")
    self.init()
    failedPerThousand = try node.share("failedPerThousand")
    fullPerThousand = try node.share("fullPerThousand")
    delays = try node.delay("delays")
    tornPerThousand = try node.share("tornPerThousand")
    powerLosses = try node.moments("powerLossesAtSeconds")
  }
}

extension FaultPlan.Requests {
  fileprivate init(_ node: JSONNode) throws(JSONFileError) {
    try node.checkKeys("duplicatedPerThousand", "delays")
    self.init()
    duplicatedPerThousand = try node.share("duplicatedPerThousand")
    delays = try node.delay("delays")
  }
}

extension JSONNode {
  /// How many of a thousand a key says; none without it.
  fileprivate func share(_ key: String) throws(JSONFileError) -> Int {
    try optional(key)?.integer(in: 0...1_000) ?? 0
  }

  /// The delay that a key says; none without it.
  fileprivate func delay(_ key: String) throws(JSONFileError) -> FaultPlan.Delay {
    guard let node = try optional(key) else { return FaultPlan.Delay() }
    try node.checkKeys("perThousand", "seconds")
    let share = try node.member("perThousand").integer(in: 0...1_000)
    let seconds = try node.member("seconds")
    let bounds = try seconds.elements()
    guard bounds.count == 2 else {
      throw seconds.failure(
        .outOfRange, "the shortest and the longest time", found: "\(bounds.count) elements")
    }
    let shortest = try bounds[0].duration(in: .zero...FaultPlan.longestTime)
    let longest = try bounds[1].duration(in: shortest...FaultPlan.longestTime)
    return FaultPlan.Delay(perThousand: share, time: shortest...longest)
  }

  /// The moments that a key lists; none without it.
  fileprivate func moments(_ key: String) throws(JSONFileError) -> [Duration] {
    var moments: [Duration] = []
    for node in try list(key) { moments.append(try node.moment()) }
    return moments
  }

  /// The jumps that a key lists; none without it.
  fileprivate func jumps(
    _ key: String, from farthestBack: Duration
  ) throws(JSONFileError) -> [FaultPlan.Jump] {
    var jumps: [FaultPlan.Jump] = []
    for node in try list(key) {
      try node.checkKeys("atSeconds", "bySeconds")
      jumps.append(
        FaultPlan.Jump(
          at: try node.member("atSeconds").moment(),
          by: try node.member("bySeconds").duration(in: farthestBack...FaultPlan.farthestJump)))
    }
    return jumps
  }

  private func list(_ key: String) throws(JSONFileError) -> [JSONNode] {
    guard let node = try optional(key) else { return [] }
    let elements = try node.elements()
    guard elements.count <= FaultPlan.momentLimit else {
      throw node.failure(
        .outOfRange, "up to \(FaultPlan.momentLimit) elements", found: "\(elements.count)")
    }
    return elements
  }

  private func moment() throws(JSONFileError) -> Duration {
    try duration(in: .zero...FaultPlan.lastMoment)
  }

  private func duration(in range: ClosedRange<Duration>) throws(JSONFileError) -> Duration {
    let second = Duration.seconds(1)
    let seconds = try number(in: range.lowerBound / second...range.upperBound / second)
    return .microseconds(Int64((seconds * 1_000_000).rounded()))
  }
}
