// SPDX-License-Identifier: Apache-2.0

public import ProsceniumJSON

// A plan as a file. Times are numbers of seconds, to the microsecond.
extension FaultPlan {
  /// How many bytes the text of a plan can have: 1 MiB.
  public static let textLimit = 1 << 20

  /// Reads a plan.
  ///
  /// What is left out does not go wrong. Nothing is guessed: each key has to be known and each
  /// value inside its range, unlike in a plan that a program makes.
  ///
  /// - Parameters:
  ///   - json: An object in JSON, in UTF-8, up to ``textLimit``.
  ///   - file: The name of the file, for messages.
  /// - Throws: A `FileError` with the first thing that is wrong.
  public init(json: [UInt8], file: String = "plan") throws(FileError) {
    guard json.count <= Self.textLimit else {
      throw FileError(
        .outOfRange, file: file, place: "$",
        "expected up to \(Self.textLimit) bytes, found \(json.count).")
    }
    try self.init(try JSONParser.parse(json, file: file))
  }

  /// The plan as JSON in one line, with every value inside its range.
  ///
  /// What does not go wrong is left out, so that equal plans are equal texts. Read again it is the
  /// same plan, with its times rounded to microseconds.
  public var json: String { inRange.jsonValue.description }
}

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

extension FaultPlan {
  /// The plan as the text of a file.
  var jsonValue: JSONValue {
    .object(
      [
        JSONMember("seed", .integer(Int(seed)))
      ]
        + Self.members([
          ("disconnects", disconnects.jsonValue),
          ("discards", discards.jsonValue),
          ("delegates", delegates.jsonValue),
          ("store", store.jsonValue),
          ("clockJumps", .list(clockJumps.map(\.jsonValue))),
          ("wallClockJumps", .list(wallClockJumps.map(\.jsonValue))),
          ("requests", requests.jsonValue),
          ("killsAtSeconds", .moments(kills)),
        ]))
  }

  /// The members that say anything.
  fileprivate static func members(_ members: [(key: String, value: JSONValue)]) -> [JSONMember] {
    members.filter { ![.integer(0), .list([]), .object([])].contains($0.value) }
      .map { JSONMember($0.key, $0.value) }
  }
}

extension FaultPlan.Strikes {
  fileprivate var jsonValue: JSONValue {
    .object(
      FaultPlan.members([("perSecond", .number(perSecond)), ("atSeconds", .moments(moments))]))
  }
}

extension FaultPlan.Delegates {
  fileprivate var jsonValue: JSONValue {
    .object(FaultPlan.members([("hogs", hogs.jsonValue), ("hangs", hangs.jsonValue)]))
  }
}

extension FaultPlan.Store {
  fileprivate var jsonValue: JSONValue {
    .object(
      FaultPlan.members([
        ("failedPerThousand", .integer(failedPerThousand)),
        ("fullPerThousand", .integer(fullPerThousand)),
        ("delays", delays.jsonValue),
        ("tornPerThousand", .integer(tornPerThousand)),
        ("powerLossesAtSeconds", .moments(powerLosses)),
      ]))
  }
}

extension FaultPlan.Requests {
  fileprivate var jsonValue: JSONValue {
    .object(
      FaultPlan.members([
        ("duplicatedPerThousand", .integer(duplicatedPerThousand)), ("delays", delays.jsonValue),
      ]))
  }
}

extension FaultPlan.Delay {
  fileprivate var jsonValue: JSONValue {
    if self == FaultPlan.Delay() { return .object([]) }
    return .object([
      JSONMember("perThousand", .integer(perThousand)),
      JSONMember("seconds", .moments([time.lowerBound, time.upperBound])),
    ])
  }
}

extension FaultPlan.Jump {
  fileprivate var jsonValue: JSONValue {
    .object([
      JSONMember("atSeconds", .seconds(moment)), JSONMember("bySeconds", .seconds(distance)),
    ])
  }
}

extension JSONValue {
  fileprivate static func moments(_ moments: [Duration]) -> JSONValue {
    .list(moments.map(seconds))
  }

  fileprivate static func seconds(_ duration: Duration) -> JSONValue {
    number((duration / .microseconds(1)).rounded() / 1_000_000)
  }

  /// A number, without a fraction if it has none.
  fileprivate static func number(_ number: Double) -> JSONValue {
    Int(exactly: number).map(JSONValue.integer) ?? .real(number)
  }
}
