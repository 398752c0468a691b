// SPDX-License-Identifier: Apache-2.0

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
