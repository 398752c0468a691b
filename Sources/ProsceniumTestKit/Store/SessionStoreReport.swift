// SPDX-License-Identifier: Apache-2.0

/// What the checks of a ``SessionStoreSuite`` found.
public struct SessionStoreReport: Sendable, CustomStringConvertible {
  /// What one check found.
  public struct Result: Sendable {
    /// The name of the check.
    public let name: String

    /// Whether it was skipped.
    public let isSkipped: Bool

    /// What is wrong, a sentence each.
    public let failures: [String]
  }

  /// What each check found, in the order in which they ran.
  public private(set) var results: [Result] = []

  /// How many checks found nothing wrong.
  public var passedCount: Int { results.count { !$0.isSkipped && $0.failures.isEmpty } }

  /// How many checks were skipped.
  public var skippedCount: Int { results.count(where: \.isSkipped) }

  /// The checks that found something.
  public var failed: [Result] { results.filter { !$0.failures.isEmpty } }

  mutating func add(_ check: SessionStoreCheck, failures: [String]) {
    results.append(Result(name: check.name, isSkipped: check.isSkipped, failures: failures))
  }

  /// The counts, and a line for each failure.
  public var description: String {
    let counts = "\(passedCount) passed, \(failed.count) failed, \(skippedCount) skipped"
    let lines = failed.flatMap { result in result.failures.map { "\(result.name): \($0)" } }
    return ([counts] + lines).joined(separator: "\n")
  }
}
