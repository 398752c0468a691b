// SPDX-License-Identifier: Apache-2.0

/// Reads HTML as `PageBuilder` writes it, and refuses all else.
struct PageReader {
  struct Failure: Error, CustomStringConvertible {
    let offset: Int
    let found: String

    var description: String { "byte \(offset): \(found)" }
  }

  private static let voidTags: Set<String> = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track",
    "wbr",
  ]

  private static let references: [String: String] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "#39": "'", "#13": "\r",
  ]

  private let bytes: [UInt8]
  private var position = 0

  /// The elements and texts of some HTML.
  static func nodes(_ html: some Collection<UInt8>) throws -> [PageModel.Node] {
    var reader = PageReader(bytes: Array(html))
    let nodes = try reader.content()
    guard reader.position == reader.bytes.count else { throw reader.failure("an end too many") }
    return nodes
  }

  private init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  private func failure(_ found: String) -> Failure { Failure(offset: position, found: found) }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skip(_ character: Unicode.Scalar) throws {
    guard next == UInt8(ascii: character) else {
      throw failure("expected \(character), found \(String(describing: next))")
    }
    position += 1
  }

  /// Reads up to an end tag, or to the end.
  private mutating func content() throws -> [PageModel.Node] {
    var nodes: [PageModel.Node] = []
    while let byte = next {
      if byte == UInt8(ascii: "<") {
        if position + 1 < bytes.count, bytes[position + 1] == UInt8(ascii: "/") { break }
        nodes.append(.element(try element()))
      } else {
        nodes.append(.text(try text { $0 == UInt8(ascii: "<") }))
      }
    }
    return nodes
  }

  private mutating func element() throws -> PageModel.Element {
    try skip("<")
    var element = PageModel.Element(tag: name(), attributes: [])
    while next == 0x20 {
      position += 1
      element.attributes.append(try attribute())
    }
    try skip(">")
    guard !Self.voidTags.contains(element.tag) else { return element }
    if element.tag == "pre" || element.tag == "textarea", next == 0x0A { position += 1 }
    element.children = try content()
    try skip("<")
    try skip("/")
    guard name() == element.tag else { throw failure("the end of another element") }
    try skip(">")
    return element
  }

  private mutating func attribute() throws -> PageModel.Attribute {
    let name = name()
    guard !name.isEmpty else { throw failure("an attribute without a name") }
    guard next == UInt8(ascii: "=") else { return PageModel.Attribute(name: name, value: "") }
    position += 1
    try skip("\"")
    let value = try text { $0 == UInt8(ascii: "\"") }
    try skip("\"")
    return PageModel.Attribute(name: name, value: value)
  }

  private mutating func name() -> String {
    let start = position
    while let byte = next,
      (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D
    {
      position += 1
    }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  /// Reads text up to a byte that ends it; no other byte of it may mean something.
  private mutating func text(until isEnd: (UInt8) -> Bool) throws -> String {
    var text: [UInt8] = []
    while let byte = next, !isEnd(byte) {
      switch byte {
      case UInt8(ascii: "&"): text += try reference().utf8
      case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"):
        throw failure("text that is not escaped")
      case 0x09, 0x0A:
        text.append(byte)
        position += 1
      case 0..<0x20, 0x7F: throw failure("a control character")
      default:
        text.append(byte)
        position += 1
      }
    }
    guard let valid = String(validating: text, as: UTF8.self) else { throw failure("no UTF-8") }
    return valid
  }

  private mutating func reference() throws -> String {
    let start = position + 1
    guard let end = bytes[start...].prefix(8).firstIndex(of: UInt8(ascii: ";")),
      let character = Self.references[String(decoding: bytes[start..<end], as: UTF8.self)]
    else { throw failure("an unknown reference") }
    position = end + 1
    return character
  }
}
