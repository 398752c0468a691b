// SPDX-License-Identifier: Apache-2.0

public import ProsceniumJSON
import ProsceniumPrimitives

/// Writes an access log in the combined format, as a small public web site would have.
///
/// Popular paths follow Zipf's law, visits follow the hours of the day, and a visit goes from page
/// to page with its referrer; some visitors are robots, which send none. Stamps step back by up
/// to half a minute now and then, as a server's do that writes a line when the response is done.
/// Equal options give equal lines, on every machine: only whole numbers are used.
public struct AccessLogGenerator: Hashable, Sendable {
  /// The number of lines, malformed ones included; 1–1,000,000,000.
  public let lines: Int
  /// The number of users (client and user agent) from which visitors are drawn; 1–10,000,000.
  public let users: Int
  /// The number of paths from which pages are drawn; 1–1,000,000.
  public let paths: Int
  /// The number of days over which the lines are spread; 1–3,650.
  public let days: Int
  /// The number of lines that are no requests, spread evenly; at most all.
  public let malformed: Int
  /// The seed of all that is drawn.
  public let seed: UInt64
  /// The time of the log's first midnight in seconds since 1970.
  public let start: Int64

  /// 2 June 2025 00:00:00 UTC, a Monday.
  public static let defaultStart: Int64 = 1_748_822_400

  /// Makes a generator.
  ///
  /// - Parameters:
  ///   - lines: The number of lines, 1–1,000,000,000.
  ///   - users: The number of users, 1–10,000,000.
  ///   - paths: The number of paths, 1–1,000,000.
  ///   - days: The number of days, 1–3,650.
  ///   - malformed: The number of lines that are no requests, 0–`lines`.
  ///   - seed: The seed of all that is drawn.
  ///   - start: The time of the first midnight in seconds since 1970, between the years 1970
  ///     and 9000.
  /// - Throws: `.outOfRange`.
  public init(
    lines: Int = 10_000, users: Int = 2_000, paths: Int = 1_500, days: Int = 4,
    malformed: Int = 0, seed: UInt64 = 1, start: Int64 = AccessLogGenerator.defaultStart
  ) throws(FileError) {
    try Self.check("lines", lines, 1...1_000_000_000)
    try Self.check("users", users, 1...10_000_000)
    try Self.check("paths", paths, 1...1_000_000)
    try Self.check("days", days, 1...3_650)
    try Self.check("malformed", malformed, 0...lines)
    try Self.check("start", Int(start), 0...221_845_392_000)
    self.lines = lines
    self.users = users
    self.paths = paths
    self.days = days
    self.malformed = malformed
    self.seed = seed
    self.start = start
  }

  /// Generates the log.
  ///
  /// - Parameter write: Takes each line in turn, without its line end.
  /// - Throws: What `write` throws; nothing else.
  public func generate<Failure: Error>(
    _ write: (String) throws(Failure) -> Void
  ) throws(Failure) {
    var visitors = GeneratedVisitors(users: users, paths: paths, seed: seed)
    let clock = GeneratedClock(start: start, days: days, lines: lines)
    var line = ""
    for index in 0..<lines {
      line.removeAll(keepingCapacity: true)
      let isMalformed = index * malformed / lines != (index + 1) * malformed / lines
      visitors.appendRequest(to: &line, at: clock.time(ofLine: index))
      if isMalformed { Self.damage(&line, &visitors.random) }
      try write(line)
    }
  }

  // As a full disk or an attacker's user agent leaves it: the end of the line is missing. Any
  // other cut could leave a sound line of the common format.
  private static func damage(_ line: inout String, _ random: inout SplitMix64) {
    if random.happens(perThousand: 500) {
      line.removeLast()
    } else {
      line = String(line.prefix(1 + random.number(below: 16)))
    }
  }

  private static func check(
    _ name: String, _ value: Int, _ range: ClosedRange<Int>
  ) throws(FileError) {
    if range.contains(value) { return }
    throw FileError(
      .outOfRange,
      "expected \(name) from \(range.lowerBound) to \(range.upperBound), got \(value).")
  }
}

/// Plays the visitors of a generated log and writes their requests.
struct GeneratedVisitors: Sendable {
  /// A visitor who is on the site, the page that is open, and what was requested last.
  private struct Visit: Sendable {
    let user: Int
    var page: Int
    var target: Int
    var requestsLeft: Int
    let isRobot: Bool
  }

  // So many visitors are on the site at once; the rest of a log's users come and go.
  private static let visitLimit = 64
  private static let site = "https://stage.example"
  private static let agents = [
    "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/137.0.0.0 Safari/537.36",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.5 Safari/605",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148",
    "Mozilla/5.0 (Linux; Android 15; Mobile) AppleWebKit/537.36 Chrome/137.0.0.0 Mobile",
    "Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5",
  ]
  private static let robots = [
    "ExampleBot/2.1 (+https://bot.example/about)", "feedreader/0.9", "curl/8.5.0", "-",
  ]

  /// The source of everything that is drawn.
  var random: SplitMix64
  private let users: Int
  private let popularity: ZipfTable
  private var visits: [Visit] = []

  init(users: Int, paths: Int, seed: UInt64) {
    random = SplitMix64(seed: seed)
    self.users = users
    popularity = ZipfTable(count: paths)
  }

  /// Appends one request of one visitor.
  mutating func appendRequest(to line: inout String, at time: Int64) {
    let index: Int
    let referrer: String
    if visits.isEmpty || visits.count < Self.visitLimit && random.happens(perThousand: 300) {
      index = visits.count
      visits.append(newVisit())
      referrer = arrival(visits[index])
    } else {
      index = random.number(below: visits.count)
      referrer = step(index)
    }
    let isLate = random.happens(perThousand: 250)
    appendLine(to: &line, visits[index], at: time - Int64(isLate ? random.number(below: 30) : 0))
    append(referrer: referrer, of: visits[index], to: &line)
    visits[index].requestsLeft -= 1
    if visits[index].requestsLeft <= 0 {
      visits.swapAt(index, visits.count - 1)
      visits.removeLast()
    }
  }

  private mutating func newVisit() -> Visit {
    // The product of two draws: few users come often, many come once.
    let user = random.number(below: random.number(below: users) + 1)
    let isRobot = user % 7 == 3
    var requests = 1
    while requests < 40, random.happens(perThousand: isRobot ? 600 : 820) { requests += 1 }
    let page = popularity.rank(&random)
    return Visit(
      user: user, page: page, target: page, requestsLeft: requests, isRobot: isRobot)
  }

  // Most visitors type the address; some come from a search engine.
  private mutating func arrival(_ visit: Visit) -> String {
    guard !visit.isRobot, random.happens(perThousand: 350) else { return "-" }
    return "https://search.example/?q=" + String(random.number(below: 1_000))
  }

  // The referrer of the next request of a visit.
  private mutating func step(_ index: Int) -> String {
    let previous = visits[index].page
    if random.happens(perThousand: 880) {
      let target = popularity.rank(&random)
      visits[index].target = target
      // Pictures and styles are parts of a page: no visit goes on from them.
      if target % 6 != 0, target % 6 != 2 { visits[index].page = target }
    }
    // A bookmark, or a reload.
    if visits[index].isRobot || random.happens(perThousand: 120) { return "-" }
    return Self.site + Self.path(previous)
  }

  private mutating func appendLine(to line: inout String, _ visit: Visit, at time: Int64) {
    line += Self.client(visit.user)
    line += " - - ["
    Self.append(time, to: &line)
    line += "] \""
    let isHead = random.happens(perThousand: 12)
    line += isHead ? "HEAD " : random.happens(perThousand: 8) ? "POST " : "GET "
    line += Self.path(visit.target)
    line += visit.isRobot ? " HTTP/1.0\" " : " HTTP/1.1\" "
    switch random.number(below: 100) {
    case 0..<5: line += "304 -"
    case 5..<8: line += "404 " + String(153 + visit.target % 97)
    case 8..<10: line += "301 " + String(227 + visit.target % 31)
    default: line += isHead ? "200 -" : "200 " + String(Self.size(visit.target))
    }
  }

  private func append(referrer: String, of visit: Visit, to line: inout String) {
    line += " \""
    line += referrer
    line += "\" \""
    let agents = visit.isRobot ? Self.robots : Self.agents
    line += agents[(visit.user / 3) % agents.count]
    line += "\""
  }

  // Every sixteenth user shares the client before it and differs by the user agent only; every
  // ninth has an address of the sixth version.
  private static func client(_ user: Int) -> String {
    let number = user % 16 == 15 ? user - 3 : user
    if number % 9 == 4 { return "2001:db8::" + String(number, radix: 16) }
    return "10.\(number >> 16 & 255).\(number >> 8 & 255).\(number & 255)"
  }

  private static func path(_ rank: Int) -> String {
    if rank == 0 { return "/" }
    switch rank % 6 {
    case 0: return "/style/theme-\(rank).css"
    case 1: return "/articles/\(rank)"
    case 2: return "/images/scene-\(rank).png"
    case 3: return "/articles/\(rank)?page=\(rank % 4 + 1)"
    case 4: return "/files/archive-\(rank)/"
    default: return "/plays/act-\(rank % 5 + 1)/\(rank).html"
    }
  }

  private static func size(_ rank: Int) -> Int {
    var mixer = SplitMix64(seed: UInt64(rank))
    return 180 + mixer.number(below: 60_000)
  }

  private static func append(_ time: Int64, to line: inout String) {
    let civil = CivilTime(secondsSince1970: time)
    appendTwo(civil.day, to: &line)
    line += "/"
    line += CivilTime.monthNames[civil.month - 1]
    line += "/"
    line += String(civil.year)
    for part in [civil.hour, civil.minute, civil.second] {
      line += ":"
      appendTwo(part, to: &line)
    }
    line += " +0000"
  }

  private static func appendTwo(_ number: Int, to line: inout String) {
    if number < 10 { line += "0" }
    line += String(number)
  }
}

/// Spreads the lines of a generated log over its days: many in the evening, few at night.
struct GeneratedClock: Sendable {
  // How busy each hour of a day is.
  private static let hours: [Int] = [
    14, 9, 6, 5, 5, 7, 12, 20, 30, 38, 42, 44, 45, 46, 47, 46, 45, 46, 50, 56, 60, 54, 40, 25,
  ]

  private let start: Int64
  private let days: Int
  private let lines: Int
  // The weight of all hours before this one; the last entry is the whole day's.
  private let before: [Int]

  init(start: Int64, days: Int, lines: Int) {
    self.start = start
    self.days = days
    self.lines = lines
    before = Self.hours.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1) }
  }

  /// The time of a line in seconds since 1970; it never falls from one line to the next.
  func time(ofLine index: Int) -> Int64 {
    let day = before[24] * 3_600
    // A billion lines times 3,650 days times the weight of a day is more than 64 bits hold.
    let progress = index.multipliedFullWidth(by: days * day)
    let position = lines.dividingFullWidth(progress).quotient
    let inDay = position % day
    let hour = (0..<24).last { before[$0] * 3_600 <= inDay } ?? 0
    let second = (inDay - before[hour] * 3_600) / Self.hours[hour]
    return start + Int64(position / day * 86_400 + hour * 3_600 + second)
  }
}

/// Draws ranks with a probability in proportion to 1 / (rank + 1), the law of popular pages.
///
/// Whole numbers only, so that every machine draws the same. Eight bytes a rank.
struct ZipfTable: Sendable {
  // The sum of the weights of this rank and those before it.
  private let cumulative: [UInt64]

  /// Makes a table of ranks from 0; a count below 1 counts as 1.
  init(count: Int) {
    self.init((1...max(count, 1)).map { (1 << 40) / UInt64($0) })
  }

  /// Makes a table of ranks with these weights, at least one.
  init(_ weights: [UInt64]) {
    var sum: UInt64 = 0
    cumulative = weights.map { weight in
      sum += weight
      return sum
    }
  }

  /// Draws a rank, in O(log n).
  func rank(_ random: inout SplitMix64) -> Int {
    let total = cumulative[cumulative.count - 1]
    let target = random.next().multipliedFullWidth(by: total).high
    var low = 0
    var high = cumulative.count - 1
    while low < high {
      let middle = (low + high) / 2
      if cumulative[middle] > target { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
