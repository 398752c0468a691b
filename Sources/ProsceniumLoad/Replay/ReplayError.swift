// SPDX-License-Identifier: Apache-2.0

/// Says why a replay cannot go on with its store.
public struct ReplayError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Names a kind of failure; more may be added.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The name of the kind, such as `otherLog`.
    public let rawValue: String

    /// Makes a code from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The store belongs to the replay of another log.
    public static let otherLog = Code(rawValue: "otherLog")
    /// The store was begun with other limits, by which other sessions are destroyed.
    public static let otherSettings = Code(rawValue: "otherSettings")
    /// The store has sessions that no replay made.
    public static let otherProgram = Code(rawValue: "otherProgram")
    /// The store refuses what is to be kept, for example on a full disk.
    public static let notKept = Code(rawValue: "notKept")
  }

  /// The kind of failure.
  public let code: Code
  /// One sentence: what was expected and what is the case.
  public let message: String

  /// Makes an error.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The sentence.
  public var description: String { message }
}
