// SPDX-License-Identifier: Apache-2.0

/// Says why no manifest can be read from a file: where, what was expected and what was found.
public struct ManifestError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of an error.
  ///
  /// The set is open: a program must expect codes that it does not know.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    /// The name of the code, as written in `Docs/ERRORS.md`.
    public let description: String

    private init(_ description: String) {
      self.description = description
    }

    /// The file is in another format than property lists in XML and in binary form.
    public static let notAPropertyList = Code("notAPropertyList")
    /// The file begins as a property list and breaks off, or breaks the format.
    public static let damaged = Code("damaged")
    /// A value has another type than its key says.
    public static let wrongType = Code("wrongType")
    /// A key, or a name that has to be unique, is there twice.
    public static let duplicate = Code("duplicate")
    /// The file, a text, a list or the nesting is larger than its limit.
    public static let limitExceeded = Code("limitExceeded")
  }

  /// A place in the file.
  public enum Place: Sendable, Hashable, CustomStringConvertible {
    /// A line, and a column in characters, of a file in XML; both are counted from 1.
    case line(Int, column: Int)
    /// An offset in a file in binary form.
    case byte(Int)

    /// The place as part of a sentence.
    public var description: String {
      switch self {
      case .line(let line, let column): "line \(line), column \(column)"
      case .byte(let offset): "byte \(offset)"
      }
    }
  }

  /// The kind.
  public let code: Code

  /// The name of the file, as it was given.
  public let file: String

  /// The keys that lead to the value, such as `UIApplicationSceneManifest.UISceneConfigurations`,
  /// or an empty text if the error is about the file.
  public let keyPath: String

  /// Where the value or the damage begins, if it has a place.
  public let place: Place?

  /// What was expected, as part of a sentence.
  public let expected: String

  /// What was found instead, as part of a sentence.
  public let found: String

  /// The file, the keys, the place and the sentence.
  public var description: String {
    let place = place.map { " (\($0))" } ?? ""
    let keys = keyPath.isEmpty ? "" : " \(keyPath):"
    return "\(file):\(keys) expected \(expected), found \(found)\(place)."
  }
}
