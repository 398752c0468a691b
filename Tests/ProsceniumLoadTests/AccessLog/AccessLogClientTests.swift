// SPDX-License-Identifier: Apache-2.0

@testable import ProsceniumLoad
import Testing

/// Who the client is, by what a line has before its time.
@Suite struct AccessLogClientTests {
  private func parse(_ names: String) throws -> AccessLogLine {
    try AccessLogLine(
      parsing: #"\#(names) [17/May/2015:10:05:03 +0000] "GET /x HTTP/1.1" 200 1 "-" "b""#)
  }

  @Test(
    arguments: [
      ("203.0.113.1 - -", "203.0.113.1"),
      ("2001:db8::1 - ann", "2001:db8::1"),
      ("fe80::1%eth0 - -", "fe80::1%eth0"),
      ("[2001:db8::1] - -", "[2001:db8::1]"),
      ("crawler.example.net ann ann", "crawler.example.net"),
      ("203.0.113.1:51234 - -", "203.0.113.1:51234"),
      ("- - -", "-"),
    ])
  func `the client is the first of three fields`(_ names: String, _ client: String) throws {
    #expect(try parse(names).client == client)
    #expect(try parse(names).virtualHost == nil)
  }

  @Test(
    arguments: [
      "::1 - Ann Lee", "::1 - Ann B. Lee", "::1 - ann ", "::1 -  ann", "::1 - ", #"::1 - """#,
      "::1 - ann [admin]", "::1 - ann [17/May/2015:10:05:03 +0000]", "::1 - Lee, Ann",
    ])
  func `a user may have blanks and brackets where there is no identity`(_ names: String) throws {
    let line = try parse(names)
    #expect(line.client == "::1")
    #expect(line.time == 1_431_857_103)
  }

  @Test(
    arguments: [
      ("www.example.net:443 203.0.113.1 - -", "203.0.113.1"),
      ("www.example.net:443 2001:db8::1 - ann", "2001:db8::1"),
      ("www.example.net:443 ::ffff:203.0.113.1 ann ann", "::ffff:203.0.113.1"),
      ("www.example.net:443 203.0.113.1 - Ann Lee", "203.0.113.1"),
      ("www.example.net:80 crawler.example.net - -", "crawler.example.net"),
      ("127.0.1.1:80 ::1 - -", "::1"),
      ("[2001:db8::80]:443 2001:db8::1 - -", "2001:db8::1"),
      ("[2001:db8::80] 203.0.113.1 - -", "203.0.113.1"),
      ("www.example.net 203.0.113.1 - -", "203.0.113.1"),
      ("_ 203.0.113.1 - -", "203.0.113.1"),
    ])
  func `a virtual host may be before the client`(_ names: String, _ client: String) throws {
    let line = try parse(names)
    #expect(line.client == client)
    #expect(line.virtualHost.map { names.hasPrefix($0 + " ") } == true)
    #expect(line.location == (line.virtualHost ?? "") + "/x")
  }

  @Test(
    arguments: [
      "203.0.113.1, 10.0.0.2 - -", "203.0.113.1, 10.0.0.2, 10.0.0.3 - Ann Lee",
      "www.example.net:443 203.0.113.1, 10.0.0.2 - -",
    ])
  func `proxies behind the client are not the client`(_ names: String) throws {
    #expect(try parse(names).client == "203.0.113.1")
  }

  // Each of them may be read in two ways, or in none.
  @Test(
    arguments: [
      "203.0.113.1", "203.0.113.1 -", "203.0.113.1  - -", "203.0.113.1 ann Ann Lee",
      "203.0.113.1 - - -", "203.0.113.1 10.0.0.2 -", "203.0.113.1 10.0.0.2 - -", "- 10.0.0.2 - -",
      "www.example.net 203.0.113.1 -", "www.example.net crawler.example.net - -",
      "www.example.net - - -", "www.example.net:443 203.0.113.1 -", "www.example.net:443 - - -",
      "www.example.net:443 203.0.113.1 ann Ann Lee", "www.example.net:443 203.0.113.1 - - -",
      "www.example.net:443x 203.0.113.1 - -", "www.example.net: 203.0.113.1 - -",
      "www.example.net:123456 203.0.113.1 - -", ":443 203.0.113.1 - -",
      "2001:db8::80:443 203.0.113.1 - -", "[2001:db8::80]443 203.0.113.1 - -",
      ", - - -", #""GET /" 203.0.113.1 - -"#,
    ])
  func `what does not prove who the client is is malformed`(_ names: String) {
    let error = #expect(throws: AccessLogSyntaxError.self) { try parse(names) }
    #expect(error?.code.rawValue == "identity")
    #expect(
      error?.column == (names.firstIndex(of: " ") ?? names.endIndex).utf16Offset(in: names) + 2)
  }
}
