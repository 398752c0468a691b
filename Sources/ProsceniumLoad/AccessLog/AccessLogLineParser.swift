// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

/// Walks once over the bytes of a line, field by field.
struct AccessLogLineParser {
  private typealias Failure = AccessLogSyntaxError

  private let bytes: ArraySlice<UInt8>
  private var position: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  /// Reads the whole line.
  mutating func line() throws(AccessLogSyntaxError) -> AccessLogLine {
    if let place = bytes.firstIndex(of: 0) {
      throw failure(.text, "text without NUL bytes", at: place)
    }
    let names = try names()
    let time = try time()
    let request = try request()
    let status = try status()
    var line = AccessLogLine(
      client: text(names.client), time: time, method: request.method, path: request.path,
      protocolVersion: request.protocolVersion, status: status, bytes: try byteCount())
    line.virtualHost = names.virtualHost.map(text)
    if next == UInt8(ascii: " "), following(1) == UInt8(ascii: "\"") {
      position += 1
      line.referrer = present(try quoted(.referrer, "referrer"))
      try expectSpace(.userAgent, "a space and the quoted user agent")
      line.userAgent = present(try quoted(.userAgent, "user agent"))
    }
    return line
  }

  // MARK: - Fields

  // Everything before the time, whose bracket stays.
  private mutating func names() throws(AccessLogSyntaxError) -> AccessLogNames {
    guard !word().isEmpty else { throw failure(.client, "the client's address") }
    try expectSpace(.client, "a space after the client's address")
    let second = position
    guard let time = timeStart() else {
      throw failure(.time, "a time stamp in square brackets", at: bytes.endIndex)
    }
    guard let names = AccessLogNames(bytes[..<(time - 1)]) else {
      throw failure(
        .identity, "the identity and the user, or the client behind host:port", at: second)
    }
    position = time
    return names
  }

  // A user's name may have brackets, but no quote as it is behind the time: it is escaped there.
  // Where no bracket has one, the first is what an error is about.
  private func timeStart() -> Int? {
    var first: Int?
    for place in position..<bytes.endIndex
    where bytes[place] == UInt8(ascii: "[") && bytes[place - 1] == UInt8(ascii: " ") {
      let rest = bytes[place...].dropFirst(Self.stampCount + 1).prefix(3)
      if rest.elementsEqual([UInt8(ascii: "]"), UInt8(ascii: " "), UInt8(ascii: "\"")]) {
        return place
      }
      first = first ?? place
    }
    return first
  }

  private mutating func time() throws(AccessLogSyntaxError) -> Int64 {
    let start = position
    position += 1
    guard let stamp = stamp(), next == UInt8(ascii: "]") else {
      throw failure(.time, "a time stamp like [17/May/2015:10:05:03 +0000]", at: start)
    }
    position += 1
    try expectSpace(.request, "a space and the quoted request line")
    return stamp
  }

  private static let stampCount = "17/May/2015:10:05:03 +0000".utf8.count

  private mutating func stamp() -> Int64? {
    guard let day = digits(2), skip("/"), let month = month(), skip("/"),
      let year = digits(4), skip(":"), let hour = digits(2), skip(":"),
      let minute = digits(2), skip(":"), let second = digits(2), skip(" "),
      let sign = next, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-")
    else { return nil }
    position += 1
    guard let zoneHours = digits(2), let zoneMinutes = digits(2), zoneHours < 24,
      zoneMinutes < 60, day >= 1, day <= CivilTime.days(inMonth: month, of: year), hour < 24,
      minute < 60, second <= 60
    else { return nil }
    let local = CivilTime(
      year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    let offset = Int64(zoneHours * 3_600 + zoneMinutes * 60)
    return local.secondsSince1970 - (sign == UInt8(ascii: "+") ? offset : -offset)
  }

  private mutating func month() -> Int? {
    guard bytes.endIndex - position >= 3 else { return nil }
    let name = bytes[position..<position + 3]
    guard let index = CivilTime.monthNames.firstIndex(where: { $0.utf8.elementsEqual(name) })
    else { return nil }
    position += 3
    return index + 1
  }

  private mutating func request() throws(AccessLogSyntaxError) -> (
    method: String, path: String, protocolVersion: String?
  ) {
    let start = position
    let line = try quoted(.request, "request line")
    guard let space = line.firstIndex(of: UInt8(ascii: " ")), space > line.startIndex,
      line[..<space].allSatisfy(Byte.isInMethod)
    else { throw failure(.request, "a request line with a method and a path", at: start + 1) }
    var path = line[(space + 1)...]
    var protocolVersion: ArraySlice<UInt8>?
    if let last = path.lastIndex(of: UInt8(ascii: " ")),
      path[(last + 1)...].starts(with: "HTTP/".utf8)
    {
      protocolVersion = path[(last + 1)...]
      path = path[..<last]
    }
    guard !path.isEmpty else {
      throw failure(.request, "a path after the method", at: start + 2 + space - line.startIndex)
    }
    try expectSpace(.status, "a space and the status")
    return (text(line[..<space]), text(path), protocolVersion.map(text))
  }

  private mutating func status() throws(AccessLogSyntaxError) -> Int {
    let start = position
    let status = skip("-") ? 0 : digits(3)
    guard let status, next == UInt8(ascii: " ") else {
      throw failure(.status, "a status of three digits and a space", at: start)
    }
    position += 1
    return status
  }

  private mutating func byteCount() throws(AccessLogSyntaxError) -> Int64 {
    let start = position
    let field = word()
    if field.elementsEqual([UInt8(ascii: "-")]) { return 0 }
    var count: Int64 = 0
    // Fifteen digits are below the limit and can't overflow.
    let isNumber = !field.isEmpty && field.count <= 15 && field.allSatisfy(Byte.isDigit)
    guard isNumber else {
      throw failure(.bytes, "a number of bytes of at most 15 digits, or -", at: start)
    }
    for byte in field { count = count * 10 + Int64(byte - UInt8(ascii: "0")) }
    return count
  }

  // MARK: - Pieces

  private var next: UInt8? { position < bytes.endIndex ? bytes[position] : nil }

  private func following(_ offset: Int) -> UInt8? {
    position + offset < bytes.endIndex ? bytes[position + offset] : nil
  }

  private mutating func skip(_ byte: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: byte) else { return false }
    position += 1
    return true
  }

  private mutating func expectSpace(
    _ code: Failure.Code, _ expectation: String
  ) throws(AccessLogSyntaxError) {
    if !skip(" ") { throw failure(code, expectation) }
  }

  // Up to the next space, which stays.
  private mutating func word() -> ArraySlice<UInt8> {
    let start = position
    while let byte = next, byte != UInt8(ascii: " ") { position += 1 }
    return bytes[start..<position]
  }

  private mutating func digits(_ count: Int) -> Int? {
    var value = 0
    for _ in 0..<count {
      guard let byte = next, Byte.isDigit(byte) else { return nil }
      value = value * 10 + Int(byte - UInt8(ascii: "0"))
      position += 1
    }
    return value
  }

  // The text between two quotes; a backslash protects the byte after it.
  private mutating func quoted(
    _ code: Failure.Code, _ name: String
  ) throws(AccessLogSyntaxError) -> ArraySlice<UInt8> {
    guard skip("\"") else { throw failure(code, "the quoted \(name)") }
    let start = position
    while let byte = next {
      if byte == UInt8(ascii: "\"") {
        position += 1
        return bytes[start..<position - 1]
      }
      position += byte == UInt8(ascii: "\\") && following(1) != nil ? 2 : 1
    }
    throw failure(code, "the quote that closes the \(name)")
  }

  private func present(_ field: ArraySlice<UInt8>) -> String? {
    field.isEmpty || field.elementsEqual([UInt8(ascii: "-")]) ? nil : text(field)
  }

  private func text(_ field: ArraySlice<UInt8>) -> String {
    String(decoding: field, as: UTF8.self)
  }

  private func failure(
    _ code: Failure.Code, _ expectation: String, at place: Int? = nil
  ) -> AccessLogSyntaxError {
    AccessLogSyntaxError(
      code, column: (place ?? position) - bytes.startIndex + 1, expectation: expectation)
  }
}

/// What the bytes in a line of an access log are.
enum Byte {
  static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  // An underscore is the name of a default host.
  static func isLetter(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte | 0x20) || byte == UInt8(ascii: "_")
  }

  // The token characters of RFC 9110, without those that mark noise in practice.
  static func isInMethod(_ byte: UInt8) -> Bool {
    isLetter(byte) || isDigit(byte) || byte == UInt8(ascii: "-")
  }

  static func isInName(_ byte: UInt8) -> Bool { isInMethod(byte) || byte == UInt8(ascii: ".") }

  static func isInVersion6(_ byte: UInt8) -> Bool {
    isDigit(byte) || (0x61...0x66).contains(byte | 0x20) || byte == UInt8(ascii: ":")
      || byte == UInt8(ascii: ".")
  }
}

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
    for word in text.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false) {
      let isListed = word.last == UInt8(ascii: ",")
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
    guard let colon = word.lastIndex(of: UInt8(ascii: ":")) else { return false }
    let (host, port) = (word[..<colon], word[(colon + 1)...])
    return (1...5).contains(port.count) && port.allSatisfy(Byte.isDigit)
      && (isName(host) || isBracketed(host) || isVersion4(host))
  }

  private static func isBracketed(_ word: Text) -> Bool {
    word.first == UInt8(ascii: "[") && word.last == UInt8(ascii: "]")
      && isVersion6(word.dropFirst().dropLast())
  }

  private static func isName(_ word: Text) -> Bool {
    word.allSatisfy(Byte.isInName) && word.contains(where: Byte.isLetter)
  }

  private static func isAddress(_ word: Text) -> Bool { isVersion4(word) || isVersion6(word) }

  private static func isVersion4(_ word: Text) -> Bool {
    let parts = word.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy { (1...3).contains($0.count) && $0.allSatisfy(Byte.isDigit) }
  }

  // Its form in outline, with a zone as in fe80::1%eth0.
  private static func isVersion6(_ word: Text) -> Bool {
    let address = word.prefix { $0 != UInt8(ascii: "%") }
    return address.allSatisfy(Byte.isInVersion6) && address.count { $0 == UInt8(ascii: ":") } >= 2
  }

  private static func isDash(_ word: Text) -> Bool { word.elementsEqual([UInt8(ascii: "-")]) }
}
