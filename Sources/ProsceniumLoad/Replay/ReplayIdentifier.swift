// SPDX-License-Identifier: Apache-2.0

/// Names the content of a request for one user: the target content identifier of the replay.
///
/// It is the user's name, a slash, and the *tab*: the path without its leading slash, so that
/// user 17's request for `/index.html` gives `u17/index.html` and for `/` gives `u17/`. A tab is
/// printable ASCII without spaces, quotes and backslashes: every other byte is written as `%` and
/// two hexadecimal digits. So an identifier compares byte by byte, and stands in a predicate
/// without escapes.
public struct ReplayIdentifier: Hashable, Sendable, CustomStringConvertible {
  /// The longest tab in bytes.
  ///
  /// A longer one is cut, and a check sum of the whole path takes the place of its end, so that
  /// different paths stay different. With this limit the predicate over ``ReplayState/tabLimit``
  /// tabs stays below 4 KiB.
  public static let tabByteLimit = 256

  /// The user.
  public let user: ReplayUser
  /// The path in its short form.
  public let tab: String

  /// Names the content of a path for a user.
  public init(user: ReplayUser, path: String) {
    self.user = user
    tab = Self.tab(forPath: path)
  }

  /// The identifier, such as `u17/index.html`.
  public var description: String { Self.prefix(of: user) + tab }

  /// The text with which all identifiers of a user begin, such as `u17/`.
  public static func prefix(of user: ReplayUser) -> String { "\(user)/" }

  /// The short form of a path.
  public static func tab(forPath path: String) -> String {
    let bytes = path.utf8.first == UInt8(ascii: "/") ? path.utf8.dropFirst() : path.utf8[...]
    if bytes.count <= tabByteLimit, bytes.allSatisfy(isPlain) { return String(bytes) ?? "" }
    var tab: [UInt8] = []
    for byte in bytes {
      if isPlain(byte) { tab.append(byte) } else { tab += escape(byte) }
      if tab.count > tabByteLimit { break }
    }
    if tab.count > tabByteLimit {
      var digest = ReplayDigest()
      digest.add(path)
      let suffix = "~" + digest.text
      tab.removeLast(tab.count - tabByteLimit + suffix.utf8.count)
      tab += suffix.utf8
    }
    return String(decoding: tab, as: UTF8.self)
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  private static func escape(_ byte: UInt8) -> [UInt8] {
    let digits = Array("0123456789ABCDEF".utf8)
    return [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
  }
}
