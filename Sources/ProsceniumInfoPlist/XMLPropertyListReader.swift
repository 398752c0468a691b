// SPDX-License-Identifier: Apache-2.0

/// Reads a property list in XML, in one pass.
///
/// Of XML it knows what such files have: declarations, comments, attributes (which mean nothing),
/// CDATA sections and the references that need no declaration. A file cannot declare entities of
/// its own, so that no text grows.
struct XMLPropertyListReader {
  private let file: PropertyListFile
  private let bytes: [UInt8]
  private var position = 0

  private struct Tag {
    enum Form { case opening, closing, empty }

    let name: String
    let form: Form
    let offset: Int

    func closes(_ opening: Tag) -> Bool { form == .closing && name == opening.name }
  }

  init(_ file: PropertyListFile) {
    self.file = file
    bytes = file.bytes
  }

  /// Reads the whole file.
  ///
  /// - Returns: The one value between the tags of `<plist>`.
  /// - Throws: `notAPropertyList`, `damaged` or `limitExceeded`.
  mutating func root() throws(ManifestError) -> PropertyListNode {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    skipSpace()
    guard current == UInt8(ascii: "<") else { throw otherFormat() }
    try skipBetween()
    if skip("<!DOCTYPE") {
      try skipDocumentType()
      try skipBetween()
    }
    let plist = try tag("<plist>")
    guard plist.name == "plist", plist.form != .closing else {
      throw file.failure(
        .notAPropertyList, at: plist.offset, "<plist>", found: excerpt(at: plist.offset))
    }
    guard plist.form == .opening else { throw failure(at: plist.offset, "a value in <plist>") }
    let node = try value(tag("a value in <plist>"), depth: 0)
    let closing = try tag("</plist>")
    guard closing.closes(plist) else { throw failure(at: closing.offset, "</plist>") }
    try skipBetween()
    guard position == bytes.count else { throw failure("the end of the file") }
    return node
  }

  // MARK: - Values

  private mutating func value(
    _ tag: Tag, depth: Int
  ) throws(ManifestError) -> PropertyListNode {
    guard tag.form != .closing else { throw failure(at: tag.offset, "a value") }
    let value: PropertyListNode.Value
    switch tag.name {
    case "string": value = .string(try text(of: tag))
    case "dict": value = .dictionary(try entries(of: tag, depth: depth + 1))
    case "array": value = .array(try elements(of: tag, depth: depth + 1))
    case "true", "false":
      try nothing(in: tag)
      value = .boolean(tag.name == "true")
    case "integer", "real", "date", "data":
      _ = try text(of: tag)
      value = .other(type: tag.name == "integer" ? "an integer" : "a \(tag.name)")
    default: throw failure(at: tag.offset, "<dict>, <array>, <string> or another type of value")
    }
    return PropertyListNode(value: value, offset: tag.offset)
  }

  private mutating func elements(
    of array: Tag, depth: Int
  ) throws(ManifestError) -> [PropertyListNode] {
    try checkDepth(depth, at: array.offset)
    guard array.form == .opening else { return [] }
    var elements: [PropertyListNode] = []
    while true {
      let tag = try tag("a value or </array>")
      if tag.closes(array) { return elements }
      elements.append(try value(tag, depth: depth))
    }
  }

  private mutating func entries(
    of dictionary: Tag, depth: Int
  ) throws(ManifestError) -> [(key: String, node: PropertyListNode)] {
    try checkDepth(depth, at: dictionary.offset)
    guard dictionary.form == .opening else { return [] }
    var entries: [(key: String, node: PropertyListNode)] = []
    while true {
      let tag = try tag("<key> or </dict>")
      if tag.closes(dictionary) { return entries }
      guard tag.name == "key", tag.form != .closing else {
        throw failure(at: tag.offset, "<key> or </dict>")
      }
      let key = try text(of: tag)
      entries.append((key, try value(self.tag("the key's value"), depth: depth)))
    }
  }

  private mutating func nothing(in tag: Tag) throws(ManifestError) {
    guard tag.form == .opening else { return }
    let closing = try self.tag("</\(tag.name)>")
    guard closing.closes(tag) else { throw failure(at: closing.offset, "</\(tag.name)>") }
  }

  private func checkDepth(_ depth: Int, at offset: Int) throws(ManifestError) {
    guard depth <= PropertyListNode.depthLimit else {
      throw file.failure(
        .limitExceeded, at: offset,
        "at most \(PropertyListNode.depthLimit) arrays and dictionaries within one another",
        found: "one more")
    }
  }

  // MARK: - Texts

  private mutating func text(of tag: Tag) throws(ManifestError) -> String {
    guard tag.form == .opening else { return "" }
    var content: [UInt8] = []
    var runStart = position
    while let byte = current {
      switch byte {
      case UInt8(ascii: "<"):
        content += bytes[runStart..<position]
        if skip("<![CDATA[") {
          content += try skipTo("]]>")
        } else if skip("<!--") {
          _ = try skipTo("-->")
        } else {
          let closing = try self.tag("</\(tag.name)>")
          guard closing.closes(tag) else { throw failure(at: closing.offset, "</\(tag.name)>") }
          guard let text = String(validating: content, as: UTF8.self) else {
            throw file.failure(
              .damaged, at: tag.offset, "UTF-8", found: "a text in another encoding")
          }
          return text
        }
        runStart = position
      case UInt8(ascii: "&"):
        content += bytes[runStart..<position]
        content += try reference()
        runStart = position
      default: position += 1
      }
    }
    throw failure("</\(tag.name)>")
  }

  /// The UTF-8 bytes that a reference such as `&amp;` or `&#65;` means.
  private mutating func reference() throws(ManifestError) -> [UInt8] {
    let start = position
    for (name, byte) in [("lt", "<"), ("gt", ">"), ("amp", "&"), ("quot", "\""), ("apos", "'")]
    where skip("&\(name);") { return Array(byte.utf8) }
    if skip("&#") {
      let radix = skip("x") ? 16 : 10
      let digits = bytes[position...].prefix(9).prefix { $0 != UInt8(ascii: ";") }
      position += digits.count
      if let value = UInt32(String(decoding: digits, as: UTF8.self), radix: radix),
        let scalar = Unicode.Scalar(value), skip(";")
      {
        return Array(String(scalar).utf8)
      }
    }
    throw failure(at: start, "&lt; &gt; &amp; &quot; &apos; or a character's number")
  }

  // MARK: - Tags

  /// Reads the next tag, and skips what means nothing before it.
  private mutating func tag(_ expected: @autoclosure () -> String) throws(ManifestError) -> Tag {
    try skipBetween()
    let start = position
    guard skip("<") else { throw failure(expected()) }
    var form = skip("/") ? Tag.Form.closing : .opening
    let nameStart = position
    while let byte = current, Self.isInName(byte) { position += 1 }
    let name = String(decoding: bytes[nameStart..<position], as: UTF8.self)
    guard !name.isEmpty else { throw failure(at: start, expected()) }
    // What follows are attributes; in their quotes everything is allowed.
    var quote: UInt8?
    while let byte = current {
      position += 1
      switch byte {
      case quote: quote = nil
      case _ where quote != nil: continue
      case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
      case UInt8(ascii: "/") where form == .opening && current == UInt8(ascii: ">"): form = .empty
      case UInt8(ascii: ">"): return Tag(name: name, form: form, offset: start)
      case UInt8(ascii: "<"): throw failure(at: start, "'>' at the end of a tag")
      default: continue
      }
    }
    throw failure("'>' at the end of a tag")
  }

  private static func isInName(_ byte: UInt8) -> Bool {
    switch byte {
    case 0...0x20, UInt8(ascii: "/"), UInt8(ascii: ">"), UInt8(ascii: "<"), UInt8(ascii: "!"): false
    default: true
    }
  }

  private mutating func skipDocumentType() throws(ManifestError) {
    let start = position
    let content = try skipTo(">")
    guard !content.contains(UInt8(ascii: "[")) else {
      throw failure(at: start, "a document type without declarations of its own")
    }
  }

  /// Skips white space, comments and processing instructions.
  private mutating func skipBetween() throws(ManifestError) {
    skipSpace()
    while current == UInt8(ascii: "<") {
      if skip("<!--") {
        _ = try skipTo("-->")
      } else if skip("<?") {
        _ = try skipTo("?>")
      } else {
        return
      }
      skipSpace()
    }
  }

  // MARK: - Bytes

  private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skip(_ word: String) -> Bool {
    // Most often the first byte decides, at no cost.
    guard current == word.utf8.first, bytes[position...].starts(with: word.utf8) else {
      return false
    }
    position += word.utf8.count
    return true
  }

  private mutating func skipSpace() {
    while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      position += 1
    }
  }

  /// Skips to the end of a word, and gives what is before it.
  private mutating func skipTo(_ word: String) throws(ManifestError) -> ArraySlice<UInt8> {
    let start = position
    while position < bytes.count {
      let end = position
      if skip(word) { return bytes[start..<end] }
      position += 1
    }
    throw failure(word)
  }

  // MARK: - Errors

  private func failure(at offset: Int? = nil, _ expected: String) -> ManifestError {
    let offset = offset ?? position
    return file.failure(.damaged, at: offset, expected, found: excerpt(at: offset))
  }

  private func excerpt(at offset: Int) -> String {
    let rest = bytes[offset...].prefix(96).prefix { $0 != 0x0A && $0 != 0x0D }
    if offset == bytes.count { return "the end of the file" }
    if rest.isEmpty { return "a line end" }
    let scalars = String(decoding: rest, as: UTF8.self).unicodeScalars.prefix(20)
    return String(scalars).debugDescription
  }

  private func otherFormat() -> ManifestError {
    let found =
      switch current {
      case nil: "no bytes but white space"
      case UInt8(ascii: "{"), UInt8(ascii: "("), UInt8(ascii: "/"):
        "an old-style property list or JSON, which plutil -convert xml1 rewrites"
      case _ where bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]): "UTF-16"
      default: excerpt(at: position)
      }
    return file.failure(
      .notAPropertyList, "a property list in XML (UTF-8) or in binary form (bplist00)",
      found: found)
  }
}
