// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// One line of the log on its way to a session.
struct ReplayRequest: Sendable {
  /// The number of the line, from 1.
  let line: Int
  let user: ReplayUser
  let identifier: ReplayIdentifier
  /// The size of the response.
  let bytes: Int64
  /// The log time of the line: what ``LogTime`` has passed since the first one, in seconds.
  let time: Int64
  /// Whether the request has no referrer, so that it opens a window unless one shows the path.
  let isActivation: Bool
  /// Sums up the log up to the line.
  let log: ReplayDigest

  /// Makes the request of a line.
  init(_ line: AccessLogLine, number: Int, user: ReplayUser, time: Int64, log: ReplayDigest) {
    self.line = number
    self.user = user
    identifier = ReplayIdentifier(user: user, path: line.location)
    bytes = line.bytes
    self.time = time
    isActivation = line.referrer == nil
    self.log = log
  }

  /// The request as its session sees it.
  var activity: UserActivity {
    UserActivity(
      "request",
      userInfo: [
        "line": .integer(Int64(line)), "bytes": .integer(bytes), "time": .integer(time),
        "log": .integer(Int64(bitPattern: log.value)),
      ],
      targetContentIdentifier: identifier.description)
  }
}

/// What a worker is told of its users.
enum ReplayItem: Sendable {
  /// A request is to be delivered.
  case deliver(ReplayRequest)
  /// A session of a user saw a request in an earlier run, and is still open.
  case recall(ReplayUser, SessionIdentifier)

  /// The user.
  var user: ReplayUser {
    switch self {
    case .deliver(let request): request.user
    case .recall(let user, _): user
    }
  }
}

/// What a session reads from the activity of a request.
struct ReplayVisit: Sendable {
  let line: Int
  let bytes: Int64
  let time: Int64
  /// Sums up the log up to the line.
  let log: UInt64
  /// The identifier's part before the tab, such as `u17/`.
  let prefix: String
  let tab: String

  /// Reads an activity.
  ///
  /// - Returns: nil where the activity is not that of a request.
  init?(_ activity: UserActivity) {
    guard let line = activity.userInfo["line"]?.integer,
      let bytes = activity.userInfo["bytes"]?.integer,
      let time = activity.userInfo["time"]?.integer,
      let log = activity.userInfo["log"]?.integer,
      let identifier = activity.targetContentIdentifier,
      let slash = identifier.utf8.firstIndex(of: UInt8(ascii: "/"))
    else { return nil }
    self.line = Int(line)
    self.bytes = bytes
    self.time = time
    self.log = UInt64(bitPattern: log)
    let end = identifier.utf8.index(after: slash)
    prefix = String(identifier[..<end])
    tab = String(identifier[end...])
  }
}

/// One user of a replayed log: a client together with its user agent.
public struct ReplayUser: Hashable, Sendable, CustomStringConvertible {
  /// The place in the order of first appearance in the log, from 1.
  public let number: Int

  /// Makes a user from its number.
  public init(number: Int) { self.number = number }

  /// The user's name, such as `u17`.
  public var description: String { "u\(number)" }
}

/// Numbers the users of a log in the order of their first appearance.
public struct ReplayUsers: Sendable {
  private struct Key: Hashable, Sendable {
    let client: String
    let userAgent: String?
  }

  private var numbers: [Key: Int] = [:]

  /// Makes an empty register.
  public init() {}

  /// The number of users so far.
  public var count: Int { numbers.count }

  /// Finds the user who made a request, or registers a new one.
  public mutating func user(of line: AccessLogLine) -> ReplayUser {
    let key = Key(client: line.client, userAgent: line.userAgent)
    if let number = numbers[key] { return ReplayUser(number: number) }
    let number = numbers.count + 1
    numbers[key] = number
    return ReplayUser(number: number)
  }
}

/// Names the content of a request for one user: the target content identifier of the replay.
///
/// It is the user's name, a slash, and the *tab*: the path without its leading slash, so that
/// user 17's request for `/index.html` gives `u17/index.html` and for `/` gives `u17/`. A tab is
/// printable ASCII without spaces, quotes and backslashes: every other byte is written as `%` and
/// two hexadecimal digits. So an identifier compares byte by byte, and needs no escapes in
/// a predicate.
public struct ReplayIdentifier: Hashable, Sendable, CustomStringConvertible {
  /// The longest tab in bytes.
  ///
  /// A longer one is cut, and a check sum of the whole path takes the place of its end, so that
  /// different paths stay different. With this limit the predicate over ``ReplayState/tabLimit``
  /// tabs stays below 4 KiB.
  public static let tabByteLimit = 256

  /// The user.
  public let user: ReplayUser
  /// The path in its short form.
  public let tab: String

  /// Names the content of a path for a user.
  public init(user: ReplayUser, path: String) {
    self.user = user
    tab = Self.tab(forPath: path)
  }

  /// The identifier, such as `u17/index.html`.
  public var description: String { Self.prefix(of: user) + tab }

  /// The text with which all identifiers of a user begin, such as `u17/`.
  public static func prefix(of user: ReplayUser) -> String { "\(user)/" }

  /// The short form of a path.
  public static func tab(forPath path: String) -> String {
    let bytes = path.utf8.first == UInt8(ascii: "/") ? path.utf8.dropFirst() : path.utf8[...]
    if bytes.count <= tabByteLimit, bytes.allSatisfy(isPlain) { return String(bytes) ?? "" }
    var tab: [UInt8] = []
    for byte in bytes {
      if isPlain(byte) { tab.append(byte) } else { tab += escape(byte) }
      if tab.count > tabByteLimit { break }
    }
    if tab.count > tabByteLimit {
      var digest = ReplayDigest()
      digest.add(path)
      let suffix = "~" + digest.text
      tab.removeLast(tab.count - tabByteLimit + suffix.utf8.count)
      tab += suffix.utf8
    }
    return String(decoding: tab, as: UTF8.self)
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  private static func escape(_ byte: UInt8) -> [UInt8] {
    let digits = Array("0123456789ABCDEF".utf8)
    return [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
  }
}
