// SPDX-License-Identifier: Apache-2.0

/// Says why a state cannot be saved or restored: where, what was expected and what was found.
public struct SavedStateError: Error, Sendable, Hashable {
  /// The kind of an error.
  ///
  /// The set is open: a program must expect codes that it does not know.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    /// The name of the code, as in `Docs/ERRORS.md`.
    public let description: String

    private init(_ description: String) {
      self.description = description
    }

    /// The state is larger than its limits; it was not saved, and the last one that was stays.
    public static let limitExceeded = Code("limitExceeded")
    /// The session's `userInfo` holds a null, a set or a URL (R-SR-9); the state was not saved.
    public static let notPropertyList = Code("notPropertyList")
    /// The bytes are no encoded state.
    public static let damaged = Code("damaged")
    /// The bytes are in a form of a newer version of this library.
    public static let newerForm = Code("newerForm")
    /// The state was saved by a newer version of the application.
    public static let newerState = Code("newerState")
    /// No migration begins at the version of the state.
    public static let missingMigration = Code("missingMigration")
    /// A migration threw an error.
    public static let failedMigration = Code("failedMigration")
    /// Migrations do not form a chain.
    public static let invalidMigrations = Code("invalidMigrations")
  }

  /// A part of a state, and how large it is.
  public struct Part: Sendable, Hashable, CustomStringConvertible {
    /// The keys that lead to the part, such as `activity.userInfo.items`.
    public let keyPath: String

    /// How many bytes the part has in the encoding, its key included.
    public let byteCount: Int

    /// How many values the part has, itself included.
    public let valueCount: Int

    /// The keys and the size in bytes.
    public var description: String { "\(keyPath) \(byteCount.grouped)" }
  }

  /// How many parts an error names.
  public static let partCountLimit = 5

  /// The kind.
  public let code: Code

  /// The keys that lead to the place, such as `activity.userInfo.items[3]`.
  ///
  /// It is empty if the error is about the whole state. Keys are cut off after 64 characters.
  public internal(set) var keyPath: String

  /// The offset in the encoded state, or nil if the error is not about bytes.
  public let offset: Int?

  /// What was expected, as part of a sentence.
  public let expected: String

  /// What was found instead, as part of a sentence.
  public let found: String

  /// The largest parts of a state that is too large, the largest first.
  public let largestParts: [Part]

  /// The application's version of the state, if the error is about it.
  public let version: StateVersion?

  init(
    _ code: Code, keyPath: String = "", offset: Int? = nil, expected: String, found: String,
    largestParts: [Part] = [], version: StateVersion? = nil
  ) {
    self.code = code
    self.keyPath = keyPath
    self.offset = offset
    self.expected = expected
    self.found = found
    self.largestParts = largestParts
    self.version = version
  }

  /// The same error, met under a key.
  func under(_ key: String) -> SavedStateError {
    var error = self
    let joint = keyPath.isEmpty || keyPath.hasPrefix("[") ? "" : "."
    error.keyPath = Self.shortened(key) + joint + keyPath
    return error
  }

  static func shortened(_ key: String) -> String {
    let shortened = key.prefix(64)
    return shortened.endIndex == key.endIndex ? key : shortened + "…"
  }
}

extension SavedStateError: CustomStringConvertible {
  /// The keys, the place and the sentence, and the largest parts of what is too large.
  public var description: String {
    let place = offset.map { " (byte \($0))" } ?? ""
    let keys = keyPath.isEmpty ? "" : "\(keyPath): "
    let parts =
      largestParts.isEmpty
      ? "" : "; the largest parts: " + largestParts.map(\.description).joined(separator: ", ")
    return "\(keys)expected \(expected), found \(found)\(place)\(parts)."
  }
}

extension Int {
  /// The number with a comma before each three digits.
  var grouped: String {
    let digits = String(magnitude)
    var text = self < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
      text.append(digit)
    }
    return text
  }
}
