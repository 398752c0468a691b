// SPDX-License-Identifier: Apache-2.0

/// What a user did to a page: the name that the page gave to it, and what was in the fields.
///
/// It comes from outside. A browser sends only what the page declares; another program sends
/// anything. A delegate checks every name and value, and whether the session's user may do it.
public struct PageInput: Sendable, Hashable {
  /// One field.
  public struct Field: Sendable, Hashable {
    /// What it is called.
    public let name: String
    /// What was in it.
    public let value: String
  }

  /// The name that the page gave to what the user did.
  public let name: String

  /// The fields in their order; several may have the same name.
  public let fields: [Field]

  /// The first field that is called `value`: what was in a field, or what a button is about.
  public var value: String? { self["value"] }

  /// What was in the first field of a name.
  public subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

  /// Creates an input, as a test does.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - fields: The fields.
  public init(_ name: String, _ fields: KeyValuePairs<String, String> = [:]) {
    self.name = name
    self.fields = fields.map { Field(name: $0.key, value: $0.value) }
  }
}

// How it is written: a name, then as in an address a question mark and the fields of a form.
extension PageInput {
  /// How many fields an input may have.
  static let fieldLimit = 1_024

  /// Reads an input; nil if it is not written as one.
  init?(_ bytes: some Collection<UInt8>) {
    let parts = bytes.split(
      separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, !first.isEmpty, let name = Self.decoded(first) else {
      return nil
    }
    self.name = name
    guard parts.count > 1, !parts[1].isEmpty else {
      fields = []
      return
    }
    var fields: [Field] = []
    for pair in parts[1].split(separator: UInt8(ascii: "&")) {
      let sides = pair.split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard fields.count < Self.fieldLimit, let name = Self.decoded(sides[0]),
        let value = sides.count > 1 ? Self.decoded(sides[1]) : ""
      else { return nil }
      fields.append(Field(name: name, value: value))
    }
    self.fields = fields
  }

  /// Undoes the encoding of a form: `+` is a space, `%` and two digits are a byte.
  private static func decoded(_ text: some Collection<UInt8>) -> String? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var rest = text.makeIterator()
    while let byte = rest.next() {
      switch byte {
      case UInt8(ascii: "+"): bytes.append(0x20)
      case UInt8(ascii: "%"):
        guard let high = rest.next().flatMap(digit), let low = rest.next().flatMap(digit) else {
          return nil
        }
        bytes.append(high << 4 | low)
      default: bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func digit(_ character: UInt8) -> UInt8? {
    switch character {
    case 0x30...0x39: character - 0x30
    case 0x41...0x46: character - 0x37
    case 0x61...0x66: character - 0x57
    default: nil
    }
  }

  /// The input as it is sent.
  var bytes: [UInt8] {
    var bytes = Self.encoded(name)
    for (index, field) in fields.enumerated() {
      bytes.append(index == 0 ? UInt8(ascii: "?") : UInt8(ascii: "&"))
      bytes += Self.encoded(field.name)
      bytes.append(UInt8(ascii: "="))
      bytes += Self.encoded(field.value)
    }
    return bytes
  }

  private static func encoded(_ text: String) -> [UInt8] {
    let digits = Array("0123456789ABCDEF".utf8)
    return text.utf8.reduce(into: []) { bytes, byte in
      switch byte {
      case 0x20: bytes.append(UInt8(ascii: "+"))
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "*"), UInt8(ascii: "-"),
        UInt8(ascii: "."), UInt8(ascii: "_"):
        bytes.append(byte)
      default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
  }
}
