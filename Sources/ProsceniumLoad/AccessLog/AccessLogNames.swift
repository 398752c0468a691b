// SPDX-License-Identifier: Apache-2.0

/// The client, and the host that it asked, by what a line has before its time.
///
/// `client identity user`, with the virtual host before it in some logs. A user's name may have
/// blanks, so that the number of fields does not tell which they are; their form has to prove it.
struct AccessLogNames {
  private typealias Text = ArraySlice<UInt8>

  /// The virtual host, with its port if the log has one.
  let virtualHost: ArraySlice<UInt8>?
  /// The client's address or name.
  let client: ArraySlice<UInt8>

  /// Reads the names from the text before the time; nil where it does not prove which they are.
  init?(_ text: ArraySlice<UInt8>) {
    var fields = Self.fields(of: text)[...]
    if fields.count > 1, Self.isHost(fields[0], before: fields[1]) {
      virtualHost = fields.removeFirst()
    } else {
      virtualHost = nil
    }
    guard let client = fields.popFirst(), let identity = fields.popFirst(),
      let user = fields.popFirst(), !client.isEmpty, !Self.isAddress(identity)
    else { return nil }
    // More fields are the user's where the identity is a dash, and the user's first one is not.
    guard fields.isEmpty || Self.isDash(identity) && !Self.isDash(user) else { return nil }
    self.client = client
  }

  // Behind a proxy a client may be a list, with a blank behind each comma: only its first word
  // counts, which is the client itself.
  private static func fields(of text: Text) -> [Text] {
    var fields: [Text] = []
    var isInList = false
    for word in text.split(separator: Byte.space, omittingEmptySubsequences: false) {
      let isListed = word.last == Byte.comma
      if !isInList { fields.append(isListed ? word.dropLast() : word) }
      isInList = isListed
    }
    return fields
  }

  // A port tells a host from a client; without one, only an address behind a name does. Two
  // addresses may as well be a client and its proxy.
  private static func isHost(_ word: Text, before next: Text) -> Bool {
    if isAddress(next) { return isName(word) || isBracketed(word) || hasPort(word) }
    return isName(next) && hasPort(word)
  }

  private static func hasPort(_ word: Text) -> Bool {
    guard let colon = word.lastIndex(of: Byte.colon) else { return false }
    let (host, port) = (word[..<colon], word[(colon + 1)...])
    return (1...5).contains(port.count) && port.allSatisfy(Byte.isDigit)
      && (isName(host) || isBracketed(host) || isVersion4(host))
  }

  private static func isBracketed(_ word: Text) -> Bool {
    word.first == Byte.openingBracket && word.last == Byte.closingBracket
      && isVersion6(word.dropFirst().dropLast())
  }

  private static func isName(_ word: Text) -> Bool {
    word.allSatisfy(Byte.isInName) && word.contains(where: Byte.isLetter)
  }

  private static func isAddress(_ word: Text) -> Bool { isVersion4(word) || isVersion6(word) }

  private static func isVersion4(_ word: Text) -> Bool {
    let parts = word.split(separator: Byte.dot, omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy { (1...3).contains($0.count) && $0.allSatisfy(Byte.isDigit) }
  }

  // Its form in outline, with a zone as in fe80::1%eth0.
  private static func isVersion6(_ word: Text) -> Bool {
    let address = word.prefix { $0 != Byte.percent }
    return address.allSatisfy(Byte.isInVersion6) && address.count { $0 == Byte.colon } >= 2
  }

  private static func isDash(_ word: Text) -> Bool { word.elementsEqual([Byte.minus]) }
}
