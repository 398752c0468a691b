// SPDX-License-Identifier: Apache-2.0

/// How states that earlier versions of an application saved become those of today's.
///
/// A program counts its version up when it changes what it captures, and says how a state of the
/// version before becomes one of the new. States are stamped with ``current`` when they are saved.
/// When one is restored, the migrations from its version on run one after the other; what they made
/// is saved with the next capture, and until then the bytes stay as they were.
///
/// A state of a newer version than ``current`` is refused, and so is one for which a migration is
/// missing; its bytes are kept.
public struct StateMigrations: Sendable {
  /// One migration.
  public struct Step: Sendable {
    /// The version of the states that it takes.
    public let from: StateVersion

    /// The version of what it makes of them.
    public let to: StateVersion

    let body: @Sendable (inout SavedState) throws -> Void

    /// Makes a migration.
    ///
    /// - Parameters:
    ///   - from: The version of the states that it takes.
    ///   - to: The version of what it makes of them, a later one.
    ///   - body: Changes a state. It is called on a shard's executor, must be short, and must make
    ///     the same of the same state. What it throws keeps the state from being restored.
    public init(
      from: StateVersion, to: StateVersion,
      _ body: @escaping @Sendable (_ state: inout SavedState) throws -> Void
    ) {
      self.from = from
      self.to = to
      self.body = body
    }
  }

  /// The version with which states are saved.
  public let current: StateVersion

  private let steps: [StateVersion: Step]

  /// Makes migrations that restore states of version 0 alone, which is that of states without a
  /// stamp.
  public init() {
    current = .unstamped
    steps = [:]
  }

  /// Makes migrations.
  ///
  /// - Parameters:
  ///   - current: The version with which states are saved.
  ///   - steps: The migrations, in any order. A state from whose version none begins is
  ///     refused.
  /// - Throws: `invalidMigrations` if two begin at the same version, one does not lead to a later
  ///   version, or one leads to a version that is not current and from which none goes on.
  public init(current: StateVersion, steps: [Step]) throws(SavedStateError) {
    self.current = current
    var byVersion: [StateVersion: Step] = [:]
    for step in steps {
      guard step.from < step.to else {
        throw Self.invalid("a migration to a later version", step)
      }
      guard byVersion.updateValue(step, forKey: step.from) == nil else {
        throw Self.invalid("one migration from version \(step.from)", step, found: "two")
      }
    }
    for step in steps where step.to != current && byVersion[step.to] == nil {
      throw Self.invalid(
        "a migration from version \(step.to), or \(step.to) as the current version", step,
        found: "none from there, and \(current)")
    }
    self.steps = byVersion
  }

  private static func invalid(
    _ expected: String, _ step: Step, found: String? = nil
  ) -> SavedStateError {
    SavedStateError(
      .invalidMigrations, expected: expected, found: found ?? "from \(step.from) to \(step.to)",
      version: step.from)
  }

  /// Decodes a state and brings it to the current version.
  ///
  /// - Parameter bytes: What ``SavedState/encoded(version:limits:)`` returned, today or long ago.
  /// - Returns: The state.
  /// - Throws: `damaged` or `newerForm` if the bytes cannot be decoded; `newerState`,
  ///   `missingMigration` or `failedMigration` with the version of the state.
  public func restore(_ bytes: [UInt8]) throws(SavedStateError) -> SavedState {
    var (state, version) = try SavedState.decode(bytes)
    try migrate(&state, from: version)
    return state
  }

  /// Brings a state to the current version.
  func migrate(
    _ state: inout SavedState, from saved: StateVersion
  ) throws(SavedStateError) {
    guard saved <= current else {
      throw SavedStateError(
        .newerState, expected: "a state of version \(current) at most", found: "\(saved)",
        version: saved)
    }
    var version = saved
    // Each step leads upwards, so that it ends.
    while version != current {
      guard let step = steps[version] else {
        throw SavedStateError(
          .missingMigration, expected: "a migration from version \(version) of the state",
          found: "none", version: saved)
      }
      do {
        try step.body(&state)
      } catch {
        throw SavedStateError(
          .failedMigration, expected: "a migration from version \(step.from) to \(step.to)",
          found: "the error \("\(error)".prefix(200))", version: saved)
      }
      version = step.to
    }
  }
}

/// The version of an application's own saved states: what it put into them, and under which keys.
///
/// Versions are numbers that a program counts up when it changes what it captures; the encoding has
/// a version of its own. A state that was saved before the program had versions has version 0.
public struct StateVersion: Sendable, Hashable, RawRepresentable {
  /// The number.
  public let rawValue: UInt32

  /// Makes a version.
  ///
  /// - Parameter rawValue: The number.
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// The version of states without a stamp, 0.
  public static let unstamped = StateVersion(rawValue: 0)
}

extension StateVersion: ExpressibleByIntegerLiteral {
  /// Makes a version from its number.
  public init(integerLiteral value: UInt32) {
    self.init(rawValue: value)
  }
}

extension StateVersion: Comparable {
  /// Tells whether a version is older than another one.
  public static func < (left: StateVersion, right: StateVersion) -> Bool {
    left.rawValue < right.rawValue
  }
}

extension StateVersion: CustomStringConvertible {
  /// The number as a text.
  public var description: String { "\(rawValue)" }
}
