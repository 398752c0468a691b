// SPDX-License-Identifier: Apache-2.0

/// Why a store cannot do what it is asked for.
public struct StoreError: Error, Sendable, Equatable {
  /// What kind of error it is; new ones may be added.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The name.
    public let rawValue: String

    /// Creates a code from its name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// Another application has loaded the store since: this one may not write to it any more.
    public static let fenced = Code(rawValue: "fenced")
    /// Another process, or another store in this one, has it open for writing.
    public static let inUse = Code(rawValue: "inUse")
    /// A newer version wrote it.
    public static let newerVersion = Code(rawValue: "newerVersion")
    /// The file is no store, or nothing of it can be read.
    public static let unusable = Code(rawValue: "unusable")
    /// What is kept does not have its checksum or its seal.
    public static let damaged = Code(rawValue: "damaged")
    /// It is sealed with another key.
    public static let wrongKey = Code(rawValue: "wrongKey")
    /// There is no key now.
    public static let keyUnavailable = Code(rawValue: "keyUnavailable")
    /// Something is larger than its limit.
    public static let limitExceeded = Code(rawValue: "limitExceeded")
    /// No room is left where the store is.
    public static let full = Code(rawValue: "full")
    /// The system refuses to read or write.
    public static let failed = Code(rawValue: "failed")
  }

  /// What kind of error it is.
  public let code: Code

  /// The session that is concerned, or `nil` if it is the whole store.
  public let session: SessionIdentifier?

  /// What was expected, what was found, and where.
  public let message: String

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - code: What kind of error it is.
  ///   - session: The session that is concerned.
  ///   - message: What was expected, what was found, and where.
  public init(_ code: Code, session: SessionIdentifier? = nil, _ message: String) {
    self.code = code
    self.session = session
    self.message = message
  }
}

extension StoreError: CustomStringConvertible {
  /// The session, if there is one, the code and the message in one line.
  public var description: String {
    session.map { "session \($0): \(code.rawValue): \(message)" }
      ?? "\(code.rawValue): \(message)"
  }
}
