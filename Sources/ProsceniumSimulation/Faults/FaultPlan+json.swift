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

  /// Reads the plan of a file.
  package init(_ node: JSONNode) throws(FileError) {
    self.init()
    try read(node)
  }

  /// The plan as JSON in one line, with every value inside its range.
  ///
  /// What does not go wrong is left out, so that equal plans are equal texts. Read again it is the
  /// same plan, with its times rounded to microseconds.
  public var json: String {
    var plan = self
    let members = plan.limit()
    return JSONValue.object([JSONMember("seed", .integer(Int(plan.seed)))] + members).description
  }

  /// The plan with every value inside its range.
  var inRange: FaultPlan {
    var plan = self
    _ = plan.limit()
    return plan
  }
}

/// An object of a plan: lists its values once, for reading, for writing and for their ranges.
private protocol FaultPlanPart {
  mutating func visit(_ pass: inout FaultPlanPass) throws(FileError)
}

extension FaultPlanPart {
  fileprivate mutating func read(_ node: JSONNode) throws(FileError) {
    var pass = FaultPlanPass(node: node)
    try visit(&pass)
    try node.checkKeys(pass.keys)
  }

  /// Brings every value into its range; returns those that say anything.
  fileprivate mutating func limit() -> [JSONMember] {
    var pass = FaultPlanPass(node: nil)
    do {
      try visit(&pass)
    } catch {
      preconditionFailure("nothing is read: \(error)")
    }
    return pass.members
  }
}

extension FaultPlan: FaultPlanPart {
  fileprivate mutating func visit(_ pass: inout FaultPlanPass) throws(FileError) {
    try pass.value(
      "seed", &seed,
      read: { (node) throws(FileError) in UInt64(try node.integer(in: 0...Int.max)) },
      limit: { min($0, UInt64(Int.max)) }, write: { _ in nil })
    try pass.part("disconnects", &disconnects)
    try pass.part("discards", &discards)
    try pass.part("delegates", &delegates)
    try pass.part("store", &store)
    try pass.jumps("clockJumps", &clockJumps, from: .zero)
    try pass.jumps("wallClockJumps", &wallClockJumps, from: .zero - Self.farthestJump)
    try pass.part("requests", &requests)
    try pass.moments("killsAtSeconds", &kills)
  }
}

extension FaultPlan.Strikes: FaultPlanPart {
  fileprivate mutating func visit(_ pass: inout FaultPlanPass) throws(FileError) {
    try pass.value(
      "perSecond", &perSecond,
      read: { (node) throws(FileError) in try node.number(in: 0...FaultPlan.rateLimit) },
      // What is no number strikes never.
      limit: { $0 > 0 ? min($0, FaultPlan.rateLimit) : 0 },
      write: { $0 == 0 ? nil : .number($0) })
    try pass.moments("atSeconds", &moments)
  }
}

extension FaultPlan.Delegates: FaultPlanPart {
  fileprivate mutating func visit(_ pass: inout FaultPlanPass) throws(FileError) {
    try pass.delay("hogs", &hogs)
    try pass.delay("hangs", &hangs)
  }
}

extension FaultPlan.Store: FaultPlanPart {
  fileprivate mutating func visit(_ pass: inout FaultPlanPass) throws(FileError) {
    try pass.share("failedPerThousand", &failedPerThousand)
    try pass.share("fullPerThousand", &fullPerThousand)
    try pass.delay("delays", &delays)
    try pass.share("tornPerThousand", &tornPerThousand)
    try pass.moments("powerLossesAtSeconds", &powerLosses)
  }
}

extension FaultPlan.Requests: FaultPlanPart {
  fileprivate mutating func visit(_ pass: inout FaultPlanPass) throws(FileError) {
    try pass.share("duplicatedPerThousand", &duplicatedPerThousand)
    try pass.delay("delays", &delays)
  }
}

/// Goes through the values of one object: reads each from a node; without a node, brings it into
/// its range and writes it.
private struct FaultPlanPass {
  private static let shares = 0...1_000
  private static let moments = Duration.zero...FaultPlan.lastMoment
  private static let times = Duration.zero...FaultPlan.longestTime

  let node: JSONNode?
  private(set) var keys: [String] = []
  private(set) var members: [JSONMember] = []

  init(node: JSONNode?) {
    self.node = node
  }

  mutating func value<Value>(
    _ key: String, _ value: inout Value, read: (JSONNode) throws(FileError) -> Value,
    limit: (Value) -> Value, write: (Value) -> JSONValue?
  ) throws(FileError) {
    keys.append(key)
    guard let node else {
      value = limit(value)
      if let json = write(value) { members.append(JSONMember(key, json)) }
      return
    }
    if let member = try node.optional(key) { value = try read(member) }
  }

  mutating func part(_ key: String, _ part: inout some FaultPlanPart) throws(FileError) {
    keys.append(key)
    guard let node else {
      let members = part.limit()
      if !members.isEmpty { self.members.append(JSONMember(key, .object(members))) }
      return
    }
    if let member = try node.optional(key) { try part.read(member) }
  }

  mutating func share(_ key: String, _ share: inout Int) throws(FileError) {
    try value(
      key, &share, read: { (node) throws(FileError) in try node.integer(in: Self.shares) },
      limit: { $0.clamped(to: Self.shares) }, write: { $0 == 0 ? nil : .integer($0) })
  }

  mutating func delay(_ key: String, _ delay: inout FaultPlan.Delay) throws(FileError) {
    try value(
      key, &delay, read: { (node) throws(FileError) in try Self.delay(node) },
      limit: { delay in
        FaultPlan.Delay(
          perThousand: delay.perThousand.clamped(to: Self.shares),
          time: delay.time.clamped(to: Self.times))
      },
      write: { delay in
        if delay == FaultPlan.Delay() { return nil }
        return .object([
          JSONMember("perThousand", .integer(delay.perThousand)),
          JSONMember(
            "seconds", .list([.seconds(delay.time.lowerBound), .seconds(delay.time.upperBound)])),
        ])
      })
  }

  private static func delay(_ node: JSONNode) throws(FileError) -> FaultPlan.Delay {
    try node.checkKeys("perThousand", "seconds")
    let share = try node.member("perThousand").integer(in: shares)
    let seconds = try node.member("seconds")
    let bounds = try seconds.elements()
    guard bounds.count == 2 else {
      throw seconds.failure(
        .outOfRange, "the shortest and the longest time", found: "\(bounds.count) elements")
    }
    let shortest = try bounds[0].duration(in: times)
    let longest = try bounds[1].duration(in: shortest...FaultPlan.longestTime)
    return FaultPlan.Delay(perThousand: share, time: shortest...longest)
  }

  mutating func moments(_ key: String, _ moments: inout [Duration]) throws(FileError) {
    try list(
      key, &moments, read: { (node) throws(FileError) in try node.duration(in: Self.moments) },
      limit: { $0.clamped(to: Self.moments) }, write: { .seconds($0) })
  }

  mutating func jumps(
    _ key: String, _ jumps: inout [FaultPlan.Jump], from farthestBack: Duration
  ) throws(FileError) {
    let distances = farthestBack...FaultPlan.farthestJump
    try list(
      key, &jumps,
      read: { (node) throws(FileError) in
        try node.checkKeys("atSeconds", "bySeconds")
        return FaultPlan.Jump(
          at: try node.member("atSeconds").duration(in: Self.moments),
          by: try node.member("bySeconds").duration(in: distances))
      },
      limit: { jump in
        FaultPlan.Jump(
          at: jump.moment.clamped(to: Self.moments), by: jump.distance.clamped(to: distances))
      },
      write: { jump in
        .object([
          JSONMember("atSeconds", .seconds(jump.moment)),
          JSONMember("bySeconds", .seconds(jump.distance)),
        ])
      })
  }

  private mutating func list<Element>(
    _ key: String, _ list: inout [Element], read: (JSONNode) throws(FileError) -> Element,
    limit: (Element) -> Element, write: (Element) -> JSONValue
  ) throws(FileError) {
    try value(
      key, &list,
      read: { (node) throws(FileError) in
        let elements = try node.elements()
        guard elements.count <= FaultPlan.momentLimit else {
          throw node.failure(
            .outOfRange, "up to \(FaultPlan.momentLimit) elements", found: "\(elements.count)")
        }
        return try elements.map(read)
      },
      limit: { $0.prefix(FaultPlan.momentLimit).map(limit) },
      write: { $0.isEmpty ? nil : .list($0.map(write)) })
  }
}

extension Comparable {
  fileprivate func clamped(to range: ClosedRange<Self>) -> Self {
    min(max(self, range.lowerBound), range.upperBound)
  }
}

extension JSONNode {
  fileprivate func duration(in range: ClosedRange<Duration>) throws(FileError) -> Duration {
    let second = Duration.seconds(1)
    let seconds = try number(in: range.lowerBound / second...range.upperBound / second)
    return .microseconds(Int64((seconds * 1_000_000).rounded()))
  }
}

extension JSONValue {
  fileprivate static func seconds(_ duration: Duration) -> JSONValue {
    number((duration / .microseconds(1)).rounded() / 1_000_000)
  }

  /// A number, without a fraction if it has none.
  fileprivate static func number(_ number: Double) -> JSONValue {
    Int(exactly: number).map(JSONValue.integer) ?? .real(number)
  }
}
