// SPDX-License-Identifier: Apache-2.0

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
