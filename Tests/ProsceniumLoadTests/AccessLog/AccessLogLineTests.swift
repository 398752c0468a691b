// SPDX-License-Identifier: Apache-2.0

@testable import ProsceniumLoad
import Testing

@Suite struct AccessLogLineTests {
  static let stamp = "[17/May/2015:10:05:03 +0000]"
  // The same moment, counted by `date -u -d '2015-05-17 10:05:03' +%s`.
  static let time: Int64 = 1_431_857_103

  @Test func `a combined line has all fields`() throws {
    let line = try AccessLogLine(
      parsing: #"10.0.0.7 - ann \#(Self.stamp) "GET /a?b=c HTTP/1.1" 200 203 "http://x/" "Agent 1""#
    )
    let expected = AccessLogLine(
      client: "10.0.0.7", time: Self.time, path: "/a?b=c", bytes: 203, referrer: "http://x/",
      userAgent: "Agent 1")
    #expect(line == expected)
  }

  @Test func `a common line has no referrer and no user agent`() throws {
    let line = try AccessLogLine(
      parsing: #"2001:db8::7 - - \#(Self.stamp) "HEAD / HTTP/1.0" 304 -"#)
    let expected = AccessLogLine(
      client: "2001:db8::7", time: Self.time, method: "HEAD", path: "/",
      protocolVersion: "HTTP/1.0", status: 304)
    #expect(line == expected)
  }

  @Test(arguments: [#""-""#, #""""#])
  func `a dash and an empty field are absent`(_ field: String) throws {
    let line = try AccessLogLine(
      parsing: #"a - - \#(Self.stamp) "GET / HTTP/1.1" 200 1 \#(field) \#(field)"#)
    #expect(line.referrer == nil)
    #expect(line.userAgent == nil)
  }

  @Test func `an escaped quote does not end a field`() throws {
    let line = try AccessLogLine(
      parsing: #"a - - \#(Self.stamp) "GET /\"x\\" 200 1 "r\"s" "t\\""#)
    #expect(line.path == #"/\"x\\"#)
    #expect(line.referrer == #"r\"s"#)
    #expect(line.userAgent == #"t\\"#)
  }

  @Test(
    arguments: [
      ("GET /x", "GET", "/x", nil),
      ("GET /a b HTTP/1.1", "GET", "/a b", "HTTP/1.1"),
      ("GET /a b", "GET", "/a b", nil),
      ("OPTIONS * HTTP/2.0", "OPTIONS", "*", "HTTP/2.0"),
      ("M-SEARCH http://h/x HTTP/1.1", "M-SEARCH", "http://h/x", "HTTP/1.1"),
      ("GET HTTP/1.1", "GET", "HTTP/1.1", nil),
    ] as [(String, String, String, String?)])
  func `request lines`(
    _ request: String, _ method: String, _ path: String, _ version: String?
  ) throws {
    let line = try AccessLogLine(parsing: #"a - - \#(Self.stamp) "\#(request)" 200 1"#)
    #expect(line.method == method)
    #expect(line.path == path)
    #expect(line.protocolVersion == version)
  }

  @Test(
    arguments: [
      ("17/May/2015:10:05:03 +0000", time),
      ("17/May/2015:12:05:03 +0200", time),
      ("17/May/2015:04:35:03 -0530", time),
      ("01/Jan/1970:00:00:00 +0000", 0),
      ("31/Dec/1969:23:59:59 +0000", -1),
      ("29/Feb/2000:00:00:00 +0000", 951_782_400),
      ("31/Dec/2016:23:59:60 +0000", 1_483_228_800),
      ("01/Mar/0001:00:00:00 +0000", -62_130_499_200),
    ] as [(String, Int64)])
  func `time stamps count from 1970 in UTC`(_ stamp: String, _ seconds: Int64) throws {
    let line = try AccessLogLine(parsing: #"a - - [\#(stamp)] "GET / HTTP/1.1" 200 1"#)
    #expect(line.time == seconds)
  }

  @Test(
    arguments: [
      "29/Feb/2015:00:00:00 +0000", "00/May/2015:00:00:00 +0000", "31/Apr/2015:00:00:00 +0000",
      "17/Mai/2015:00:00:00 +0000", "17/May/2015:24:00:00 +0000", "17/May/2015:00:60:00 +0000",
      "17/May/2015:00:00:61 +0000", "17/May/2015:00:00:00 +2400", "17/May/2015:00:00:00",
      "17/May/2015:00:00:00 0000", "7/May/2015:00:00:00 +0000", "17/May/2015 00:00:00 +0000",
      "17/M", "", "17/May/2015:00:00:00 +0000 ",
    ])
  func `a wrong stamp is told at its bracket`(_ stamp: String) {
    let error = #expect(throws: AccessLogSyntaxError.self) {
      try AccessLogLine(parsing: #"a - - [\#(stamp)] "GET / HTTP/1.1" 200 1"#)
    }
    #expect(error?.code == .time)
    #expect(error?.column == 7)
  }

  @Test(
    arguments: [
      ("a - - \0", .text, 7),
      ("", .client, 1),
      (" a", .client, 1),
      ("a", .client, 2),
      ("a - - no time", .time, 14),
      ("a - - [17/May/2015:10:05:03 +0000]", .request, 35),
      ("a - - [17/May/2015:10:05:03 +0000] GET", .request, 36),
      (#"a - - [17/May/2015:10:05:03 +0000] "GET /"#, .request, 42),
      (#"a - - [17/May/2015:10:05:03 +0000] "-" 408 -"#, .request, 37),
      (#"a - - [17/May/2015:10:05:03 +0000] "" 408 -"#, .request, 37),
      (#"a - - [17/May/2015:10:05:03 +0000] "GET" 400 1"#, .request, 37),
      (#"a - - [17/May/2015:10:05:03 +0000] "\x16\x03 /" 400 1"#, .request, 37),
      (#"a - - [17/May/2015:10:05:03 +0000] "GET  HTTP/1.1" 400 1"#, .request, 41),
      (#"a - - [17/May/2015:10:05:03 +0000] "GET /""#, .status, 43),
      (#"a - - [17/May/2015:10:05:03 +0000] "GET /" 20 1"#, .status, 44),
      (#"a - - [17/May/2015:10:05:03 +0000] "GET /" 200"#, .status, 44),
      (#"a - - [17/May/2015:10:05:03 +0000] "GET /" 200 "#, .bytes, 48),
      (#"a - - [17/May/2015:10:05:03 +0000] "GET /" 200 -1"#, .bytes, 48),
      (#"a - - [17/May/2015:10:05:03 +0000] "GET /" 200 1234567890123456"#, .bytes, 48),
      (#"a - - [17/May/2015:10:05:03 +0000] "GET /" 200 1 "r"#, .referrer, 52),
      (#"a - - [17/May/2015:10:05:03 +0000] "GET /" 200 1 "r""#, .userAgent, 53),
      (#"a - - [17/May/2015:10:05:03 +0000] "GET /" 200 1 "r" "ag"#, .userAgent, 57),
      (#"a - - [17/May/2015:10:05:03 +0000] "GET /" 200 1 "r" "ag\"#, .userAgent, 58),
    ] as [(String, AccessLogSyntaxError.Code, Int)])
  func `malformed lines`(_ text: String, _ code: AccessLogSyntaxError.Code, _ column: Int) {
    let error = #expect(throws: AccessLogSyntaxError.self) { try AccessLogLine(parsing: text) }
    #expect(error?.code == code)
    #expect(error?.column == column)
  }

  @Test func `a failure says what was expected and where`() {
    let error = #expect(throws: AccessLogSyntaxError.self) { try AccessLogLine(parsing: "a b") }
    #expect(error?.description == "column 4: expected a time stamp in square brackets")
  }

  @Test(arguments: [#" "r" "ag" "10.1.2.3" 0.004"#, " 0.004 x", " ", ""])
  func `fields behind the format are ignored`(_ rest: String) throws {
    let line = try AccessLogLine(parsing: #"a - - \#(Self.stamp) "GET /" 200 1\#(rest)"#)
    #expect(line.bytes == 1)
  }

  @Test func `invalid UTF-8 is repaired`() throws {
    var bytes = Array(#"a - - \#(Self.stamp) "GET /x HTTP/1.1" 200 1"#.utf8)
    let place = try #require(bytes.lastIndex(of: UInt8(ascii: "x")))
    bytes[place] = 0xFF
    let line = try AccessLogLine(parsing: bytes[...])
    #expect(line.path == "/\u{FFFD}")
  }

  @Test func `any damage to a line is a line or an error`() throws {
    let whole = Array(#"a - - \#(Self.stamp) "GET /x HTTP/1.1" 200 15 "-" "b\"c""#.utf8)
    for count in 0..<whole.count {
      let isRequest = (try? AccessLogLine(parsing: whole[..<count])) != nil
      let text = String(decoding: whole[..<count], as: UTF8.self)
      // Cut inside the bytes or right behind them, it is a sound line of the common format.
      let isCommon = ["200 1", "200 15", "200 15 "].contains { text.hasSuffix($0) }
      #expect(isRequest == isCommon, "\(text)")
    }
    for index in whole.indices {
      for byte in [0, 0x20, 0x22, 0x5C, 0xFF] as [UInt8] {
        var damaged = whole
        damaged[index] = byte
        let line = try? AccessLogLine(parsing: damaged[...])
        #expect(line?.path.isEmpty != true)
      }
    }
  }
}
