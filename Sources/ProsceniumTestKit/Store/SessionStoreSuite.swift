// SPDX-License-Identifier: Apache-2.0

public import Proscenium

/// What every session store has to do, as checks that a test runs.
///
/// Each check has a store of its own. The author of a `SessionStore` says how one is made and
/// opened again, and runs all checks in a test of whatever framework:
///
/// ```swift
/// let suite = SessionStoreSuite {
///   InMemorySessionStore()
/// } reopen: { store in
///   store
/// }
/// ```
///
/// The checks try the rules of the protocol: what `SessionStore.load(_:)` gives after changes of
/// all kinds, that groups of changes apply as a whole and in order, that a saved state is the last
/// one that was committed and never an earlier one, and that an application of an earlier epoch
/// writes nothing. None of them knows anything of a kind of store.
public struct SessionStoreSuite<Store: SessionStore>: Sendable {
  let make: @Sendable () async throws -> Store
  let reopen: @Sendable (Store) async throws -> Store
  let crash: (@Sendable (Store) async throws -> Store)?

  /// Makes the suite for a kind of store.
  ///
  /// - Parameters:
  ///   - make: Makes a store that keeps nothing, in a place of its own.
  ///   - reopen: Closes a store and opens what it kept, as the next process would.
  ///   - crash: Opens what a store kept without closing it first, as after the end of the machine;
  ///     without it the checks that need it are skipped.
  public init(
    make: @escaping @Sendable () async throws -> Store,
    reopen: @escaping @Sendable (Store) async throws -> Store,
    crash: (@Sendable (Store) async throws -> Store)? = nil
  ) {
    self.make = make
    self.reopen = reopen
    self.crash = crash
  }

  /// The checks, each under a name of its own.
  public var checks: [SessionStoreCheck] {
    (rowChecks + stateChecks + groupChecks + epochChecks + sizeChecks).map { check in
      SessionStoreCheck(name: check.name, isSkipped: check.crashes && crash == nil) {
        await run(check)
      }
    }
  }

  /// Runs all checks, one after the other.
  ///
  /// - Returns: What each of them found.
  public func run() async -> SessionStoreReport {
    var report = SessionStoreReport()
    for check in checks {
      report.add(check, failures: check.isSkipped ? [] : await check.failures())
    }
    return report
  }

  private func run(_ check: Check) async -> [String] {
    do {
      var trial = try await StoreTrial(self)
      do {
        try await check.body(&trial)
      } catch {
        trial.fail("it threw \(error)")
      }
      return trial.failures
    } catch {
      return ["no store could be made: \(error)"]
    }
  }

  /// One check before it is bound to stores.
  struct Check: Sendable {
    let name: String
    var crashes = false
    let body: @Sendable (inout StoreTrial<Store>) async throws -> Void

    init(
      _ name: String, crashes: Bool = false,
      _ body: @escaping @Sendable (inout StoreTrial<Store>) async throws -> Void
    ) {
      self.name = name
      self.crashes = crashes
      self.body = body
    }
  }
}

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
