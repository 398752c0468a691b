// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Testing

@testable import ProsceniumLive

/// What a page is made of is what the program has put in, and nothing that a text says.
struct PageBuilderTests {
  private static func html(_ content: (inout PageBuilder) -> Void) throws -> String {
    var builder = PageBuilder()
    content(&builder)
    return String(decoding: try builder.finish().get().bytes, as: UTF8.self)
  }

  private static func problem(_ content: (inout PageBuilder) -> Void) -> PageProblem? {
    var builder = PageBuilder()
    content(&builder)
    if case .failure(let problem) = builder.finish() { return problem }
    return nil
  }

  // MARK: - Escapes

  /// What a browser has of a text: HTML has no control characters but tab and line breaks.
  private static func shown(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      let isControl = scalar.value < 0x20 && ![9, 10, 13].contains(scalar.value)
      scalars.append(isControl || scalar.value == 0x7F ? "\u{FFFD}" : scalar)
    }
    return String(scalars)
  }

  private static func randomText(_ random: inout SplitMix64) -> String {
    var scalars = String.UnicodeScalarView()
    for _ in 0..<random.number(below: 24) {
      let bound = [0x30, 0x80, 0x2_00, 0x11_0000][random.number(below: 4)]
      let marks: [Unicode.Scalar] = ["<", ">", "&", "\"", "'", ";", "#", "/", "\r", "\0"]
      if random.happens(perThousand: 300) {
        scalars.append(marks[random.number(below: marks.count)])
      } else if let scalar = Unicode.Scalar(UInt32(random.number(below: bound))) {
        scalars.append(scalar)
      }
    }
    return String(scalars)
  }

  @Test func `every text and every value comes back as it was put in`() throws {
    var random = SplitMix64(seed: 3)
    for _ in 0..<20_000 {
      let (text, value) = (Self.randomText(&random), Self.randomText(&random))
      let html = try Self.html { $0.add(.p, text, PageAttribute("title", value), .onClick(value)) }
      let element = try PageModel(html.utf8).root
      #expect(element.text.unicodeScalars.elementsEqual(Self.shown(text).unicodeScalars))
      for name in ["title", "data-click"] {
        let found = try #require(element[name])
        #expect(found.unicodeScalars.elementsEqual(Self.shown(value).unicodeScalars))
      }
    }
  }

  @Test func `each character that means something is replaced`() throws {
    let html = try Self.html { $0.add(.p, "<&>\"'\r\n\t\u{0}\u{7F}é", id: "<&>\"'", .class("\"")) }
    let text = "&lt;&amp;&gt;&quot;&#39;"
    #expect(html == "<p id=\"\(text)\" class=\"&quot;\">\(text)&#13;\n\t\u{FFFD}\u{FFFD}é</p>")
  }

  @Test func `raw HTML is added as it is`() throws {
    #expect(try Self.html { $0.add(RawHTML(trusted: "<b>&nbsp;</b>")) } == "<b>&nbsp;</b>")
  }

  @Test func `what an attribute is about is escaped as well`() throws {
    let html = try Self.html {
      $0.add(
        .button, .onClick("a", value: "\"><script>"), .onInput("b", id: "&"), .onSubmit("<"),
        .flag("disabled", true), .flag("hidden", false), .focused)
    }
    #expect(
      html == """
        <button data-click="a" data-value="&quot;&gt;&lt;script&gt;" data-input="b" \
        data-value="&amp;" data-submit="&lt;" disabled data-focus></button>
        """)
  }

  // MARK: - Links

  @Test(arguments: [
    "/", "/s/1?a=b:c", "#top", "?q=a:b", "notes/a:b", "https://example.org/?a=b", "HTTP://a",
    "mailto:a@example.org", "", "a",
  ])
  func `a link to a path, a site or a mailbox is one`(_ address: String) throws {
    let html = try Self.html { $0.add(.a, .href(address)) }
    #expect(try PageModel(html.utf8).root["href"] == address)
  }

  @Test(arguments: [
    "javascript:alert(1)", "JavaScript:alert(1)", " javascript:alert(1)", "\tjavascript:alert(1)",
    "java\tscript:alert(1)", "java\nscript:alert(1)", "java\r\nscript:alert(1)",
    "javascript\n:alert(1)", "\u{1}javascript:alert(1)", "\u{0}javascript:x", "java\u{0}script:x",
    "\u{7F}javascript:x", "data:text/html,<script>alert(1)</script>", "vbscript:x", "file:///etc",
    "blob:x", "javascript&colon;x:y", "ftp://a", ":", "HTTPS\u{0}:a", "view-source:x",
    "https://example\n.org/", "/a\u{0}", "/a\tb",
  ])
  func `a link of another kind leads nowhere`(_ address: String) throws {
    let html = try Self.html { $0.add(.a, .href(address)) }
    #expect(try PageModel(html.utf8).root["href"] == "#")
  }

  // MARK: - Elements

  @Test(arguments: [PageTag.pre, .textarea], ["", "\n", "\n\na", "a\n", "\r\n", "a"])
  func `a line break at the beginning stays`(_ tag: PageTag, _ text: String) throws {
    let html = try Self.html { $0.add(tag, text) }
    #expect(try PageModel(html.utf8).root.text == text)
  }

  @Test(arguments: PageTag.allCases)
  func `an element has an end, or no content`(_ tag: PageTag) throws {
    let isVoid: Set<String> = ["br", "col", "hr", "img", "input", "wbr"]
    let html = try Self.html { $0.add(tag, "a", id: "x") }
    let element = try PageModel(html.utf8).root
    #expect(element.tag == tag.rawValue)
    #expect(element.id == "x")
    #expect(element.text == (isVoid.contains(tag.rawValue) ? "" : "a"))
    #expect(html.contains("</") == !isVoid.contains(tag.rawValue))
  }

  @Test func `no element runs or loads programs`() {
    let names = Set(PageTag.allCases.map(\.rawValue))
    let unwanted: Set<String> = [
      "script", "style", "iframe", "frame", "object", "embed", "link", "base", "meta", "svg",
      "math", "template", "noscript", "html", "head", "body", "title", "applet", "plaintext",
    ]
    #expect(names.isDisjoint(with: unwanted))
  }

  // MARK: - Limits

  @Test func `a page is as large as its limit, and no larger`() throws {
    let room = PageBuilder.sizeLimit - "<p></p>".utf8.count
    let largest = try Self.html { $0.add(.p, String(repeating: "a", count: room)) }
    #expect(largest.utf8.count == PageBuilder.sizeLimit)
    #expect(Self.problem { $0.add(.p, String(repeating: "a", count: room + 1)) } == .tooLarge)
    #expect(Self.problem { $0.add(.p, String(repeating: "<", count: room / 2)) } == .tooLarge)
    let raw = RawHTML(trusted: String(repeating: "a", count: PageBuilder.sizeLimit + 1))
    #expect(Self.problem { $0.add(raw) } == .tooLarge)
    let limit = "\(PageBuilder.sizeLimit)"
    #expect(
      PageProblem.tooLarge.description == "expected a page of at most \(limit) bytes, found more")
  }

  @Test func `a page that is too large grows no further`() {
    var count = 0
    let problem = Self.problem { page in
      for _ in 0..<100_000 {
        page.add(.p) { page in
          count += 1
          page.add("abcdefghi")
        }
      }
    }
    #expect(problem == .tooLarge)
    #expect(count == PageBuilder.sizeLimit / 16 + 1)
  }

  private static func nest(_ depth: Int, in page: inout PageBuilder) {
    if depth > 0 { page.add(.div) { nest(depth - 1, in: &$0) } }
  }

  @Test func `elements are as deep as their limit, and no deeper`() throws {
    _ = try Self.html { Self.nest(PageBuilder.depthLimit, in: &$0) }
    #expect(Self.problem { Self.nest(PageBuilder.depthLimit + 1, in: &$0) } == .tooDeep)
    #expect(Self.problem { Self.nest(100_000, in: &$0) } == .tooDeep)
    #expect(PageProblem.tooDeep.description == "expected elements at most 128 deep, found more")
  }

  @Test func `an id has a length`() throws {
    let longest = String(repeating: "é", count: PageBuilder.idLimit / 2)
    _ = try Self.html { $0.add(.p, id: longest) }
    #expect(Self.problem { $0.add(.p, id: longest + "a") } == .wrongID(longest + "a"))
    #expect(Self.problem { $0.add(.p, id: "") } == .wrongID(""))
    #expect(
      PageProblem.wrongID(longest + "a").description
        == "expected an id of 1 to 256 bytes, found 257")
  }

  @Test func `an id names one element`() {
    let problem = Self.problem { page in
      page.add(.div, id: "a") { $0.add(.p, id: "a") }
      page.add(.p, id: "")
    }
    #expect(problem == .repeatedID("a"))
    #expect(
      PageProblem.repeatedID("a").description
        == "expected each id once, found two elements with the id \"a\"")
  }

  // A colon and a mark that belongs to it are one `Character`, which is no colon. U+FF9E is such a
  // mark and the name of a variable, so that what follows is a program.
  @Test(arguments: [
    "javascript:\u{FF9E}=alert(1)", "javascript:\u{FF9F}=1", "data:\u{301}text/html,",
  ])
  func `a link whose colon has a mark leads nowhere`(_ address: String) throws {
    var builder = PageBuilder()
    builder.add(.a, .href(address))
    let html = try builder.finish().get().bytes
    #expect(try PageModel(html).root["href"] == "#")
  }

  // The shell has an element of this id before the page, and `getElementById` finds that one.
  @Test func `a part cannot have an id that the shell has`() {
    var builder = PageBuilder()
    builder.add(.main, id: LivePage.rootID) { $0.add(.p, "a", id: "live-status") }
    let result = builder.finish()
    #expect(throws: PageProblem.self) { try result.get() }
  }
}
