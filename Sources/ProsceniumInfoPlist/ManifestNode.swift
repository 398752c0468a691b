// SPDX-License-Identifier: Apache-2.0

/// A value of an Info.plist with the keys that lead to it, for reading what is expected there.
struct ManifestNode: Sendable {
  private let node: PropertyListNode
  private let file: PropertyListFile
  private let settings: BuildSettings

  /// The keys that lead here, such as `UIApplicationSceneManifest.UISceneConfigurations`.
  let keyPath: String

  /// Makes the node of a whole file.
  init(_ file: PropertyListFile, _ settings: BuildSettings) throws(ManifestError) {
    self.init(try file.root(), file, settings, keyPath: "")
  }

  private init(
    _ node: PropertyListNode, _ file: PropertyListFile, _ settings: BuildSettings, keyPath: String
  ) {
    self.node = node
    self.file = file
    self.settings = settings
    self.keyPath = keyPath
  }

  /// The error that something else was expected here.
  func failure(
    _ code: ManifestError.Code, _ expected: String, found: String? = nil
  ) -> ManifestError {
    file.failure(code, at: node.offset, keyPath: keyPath, expected, found: found ?? node.summary)
  }

  /// Checks that there are not more than so many of something.
  func check(_ count: Int, atMost limit: Int, _ things: String) throws(ManifestError) {
    guard count <= limit else {
      throw failure(.limitExceeded, "at most \(limit) \(things)", found: "\(count)")
    }
  }

  // MARK: - Values

  /// The text here, with the values of its build settings.
  func text() throws(ManifestError) -> String {
    guard case .string(let written) = node.value else { throw failure(.wrongType, "a string") }
    try check(written.utf8.count, atMost: InfoPropertyList.textByteLimit, "bytes")
    let text = settings.resolve(written)
    try check(text.utf8.count, atMost: InfoPropertyList.textByteLimit, "bytes")
    return text
  }

  /// The truth value here.
  func boolean() throws(ManifestError) -> Bool {
    guard case .boolean(let value) = node.value else { throw failure(.wrongType, "true or false") }
    return value
  }

  /// The elements of the array here.
  func elements() throws(ManifestError) -> [ManifestNode] {
    guard case .array(let nodes) = node.value else { throw failure(.wrongType, "an array") }
    try check(nodes.count, atMost: InfoPropertyList.listLimit, "elements")
    return nodes.enumerated().map { index, node in
      ManifestNode(node, file, settings, keyPath: "\(keyPath)[\(index)]")
    }
  }

  /// The values of the dictionary here, with their keys, each of which is unique.
  func members() throws(ManifestError) -> [(key: String, node: ManifestNode)] {
    let entries = try entries()
    try check(entries.count, atMost: InfoPropertyList.listLimit, "keys")
    var keys: Set<String> = []
    return try entries.map { entry throws(ManifestError) in
      try check(entry.key.utf8.count, atMost: InfoPropertyList.textByteLimit, "bytes in a key")
      let member = member(entry)
      guard keys.insert(entry.key).inserted else { throw member.repeated(entry.key) }
      return (entry.key, member)
    }
  }

  /// The value of one key of the dictionary here, or nil; other keys are not looked at.
  func member(_ key: String) throws(ManifestError) -> ManifestNode? {
    let members = try entries().filter { $0.key == key }.map(member)
    guard members.count <= 1 else { throw members[1].repeated(key) }
    return members.first
  }

  private func entries() throws(ManifestError) -> [(key: String, node: PropertyListNode)] {
    guard case .dictionary(let entries) = node.value else {
      throw failure(.wrongType, "a dictionary")
    }
    return entries
  }

  private func member(_ entry: (key: String, node: PropertyListNode)) -> ManifestNode {
    let path = keyPath.isEmpty ? entry.key : "\(keyPath).\(entry.key)"
    return ManifestNode(entry.node, file, settings, keyPath: path)
  }

  private func repeated(_ key: String) -> ManifestError {
    failure(.duplicate, "each key once in a dictionary", found: "\(key.debugDescription) again")
  }
}

/// Puts the values of build settings in the place of their names, `$(NAME)` or `${NAME}`.
struct BuildSettings: Sendable {
  private let values: [String: String]

  init(_ values: [String: String]) {
    self.values = values
  }

  /// Resolves the names in a text, once: what a value contains is left alone.
  func resolve(_ text: String) -> String {
    guard !values.isEmpty else { return text }
    var result = ""
    var rest = text.unicodeScalars[...]
    while let dollar = rest.firstIndex(of: "$") {
      result.unicodeScalars += rest[..<dollar]
      rest = rest[dollar...]
      if let end = Self.nameEnd(in: rest),
        let value = values[String(rest[..<end].dropFirst(2))]
      {
        result += value
        rest = rest[end...].dropFirst()
      } else {
        result.unicodeScalars.append("$")
        rest = rest.dropFirst()
      }
    }
    result.unicodeScalars += rest
    return result
  }

  /// The end of the name at the beginning of a text, where its closing parenthesis is.
  private static func nameEnd(in text: Substring.UnicodeScalarView) -> String.Index? {
    let closing: Unicode.Scalar
    switch text.dropFirst().first {
    case "(": closing = ")"
    case "{": closing = "}"
    default: return nil
    }
    let end = text.dropFirst(2).firstIndex { $0 == closing || $0 == "$" }
    return end.flatMap { text[$0] == closing ? $0 : nil }
  }
}

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
