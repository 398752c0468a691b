// SPDX-License-Identifier: Apache-2.0

/// One check of a ``SessionStoreSuite``; a test can run each of them under its name.
public struct SessionStoreCheck: Sendable, CustomStringConvertible {
  /// What has to hold, in a sentence without a full stop.
  public let name: String

  /// Whether the check cannot be run, since the suite was not told how a store crashes.
  public let isSkipped: Bool

  private let body: @Sendable () async -> [String]

  init(name: String, isSkipped: Bool, _ body: @escaping @Sendable () async -> [String]) {
    self.name = name
    self.isSkipped = isSkipped
    self.body = body
  }

  /// Runs the check on a store of its own.
  ///
  /// - Returns: What is wrong, a sentence each, at most ``failureLimit``; nothing if the store does
  ///   what it has to. A check that cannot be run throws what keeps it from that as a failure.
  public func failures() async -> [String] {
    await body()
  }

  /// How many failures a check reports.
  public static let failureLimit = 20

  /// The name.
  public var description: String { name }
}
