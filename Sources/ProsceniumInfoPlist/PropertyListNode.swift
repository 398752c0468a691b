// SPDX-License-Identifier: Apache-2.0

/// A value of a property list that knows its place, for naming what does not fit.
///
/// Unlike ``UserInfoValue`` it keeps the order of keys, and keys that are there twice. Of what
/// no manifest has, such as dates, only the name of the type is kept.
struct PropertyListNode: Sendable {
  enum Value: Sendable {
    case string(String)
    case boolean(Bool)
    case array([PropertyListNode])
    case dictionary([(key: String, node: PropertyListNode)])
    case other(type: String)
  }

  /// How deep arrays and dictionaries may be nested: reading goes down with them, on
  /// stacks that can be small.
  static let depthLimit = 32

  let value: Value

  /// Where the value begins, in bytes from the beginning of the file.
  let offset: Int

  /// The value as part of a sentence; of a text at most its first 40 scalars.
  var summary: String {
    switch value {
    case .string(let text):
      let start = String(text.unicodeScalars.prefix(40))
      return "the string \(start.debugDescription)"
        + (start.utf8.count < text.utf8.count ? "…" : "")
    case .boolean(let value): return value ? "true" : "false"
    case .array: return "an array"
    case .dictionary: return "a dictionary"
    case .other(let type): return type
    }
  }
}

/// The bytes of a property list, and what errors say of it.
struct PropertyListFile: Sendable {
  /// The beginning of a file in binary form, before its version's second digit.
  static let binaryHeader = Array("bplist0".utf8)

  let bytes: [UInt8]
  let name: String

  /// Whether the file is in binary form, so that its places are offsets.
  private var isBinary: Bool { bytes.starts(with: Self.binaryHeader) }

  /// Reads the value of the whole file.
  func root() throws(ManifestError) -> PropertyListNode {
    if isBinary {
      var reader = try BinaryPropertyListReader(self)
      return try reader.root()
    }
    var reader = XMLPropertyListReader(self)
    return try reader.root()
  }

  /// The error that something else was expected.
  func failure(
    _ code: ManifestError.Code, at offset: Int? = nil, keyPath: String = "", _ expected: String,
    found: String
  ) -> ManifestError {
    ManifestError(
      code: code, file: name, keyPath: keyPath, place: offset.map(place), expected: expected,
      found: found)
  }

  private func place(_ offset: Int) -> ManifestError.Place {
    if isBinary { return .byte(offset) }
    let before = bytes[..<offset]
    let line = before.count { $0 == 0x0A } + 1
    let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    return .line(line, column: String(decoding: before[lineStart...], as: UTF8.self).count + 1)
  }
}
