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
