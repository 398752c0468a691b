// SPDX-License-Identifier: Apache-2.0

/// The bytes that mean something in a line of an access log.
enum Byte {
  static let space = UInt8(ascii: " ")
  static let quote = UInt8(ascii: "\"")
  static let backslash = UInt8(ascii: "\\")
  static let openingBracket = UInt8(ascii: "[")
  static let closingBracket = UInt8(ascii: "]")
  static let slash = UInt8(ascii: "/")
  static let colon = UInt8(ascii: ":")
  static let comma = UInt8(ascii: ",")
  static let dot = UInt8(ascii: ".")
  static let percent = UInt8(ascii: "%")
  static let plus = UInt8(ascii: "+")
  static let minus = UInt8(ascii: "-")
  static let underscore = UInt8(ascii: "_")
  static let zero = UInt8(ascii: "0")
  static let http = Array("HTTP/".utf8)

  static func isDigit(_ byte: UInt8) -> Bool { byte >= zero && byte <= zero + 9 }

  // An underscore is the name of a default host.
  static func isLetter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
    default: byte == underscore
    }
  }

  // The token characters of RFC 9110, without those that mark noise in practice.
  static func isInMethod(_ byte: UInt8) -> Bool {
    isLetter(byte) || isDigit(byte) || byte == minus
  }

  static func isInName(_ byte: UInt8) -> Bool { isInMethod(byte) || byte == dot }

  static func isInVersion6(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "F"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
    default: isDigit(byte) || byte == colon || byte == dot
    }
  }
}
