// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import ProsceniumCharts

@Suite struct ChartTests {
  private func chart(_ lines: [Chart.Line], strip: Chart.Line? = nil) -> Chart {
    Chart(
      "c", title: "A & B", summary: "What <is> seen.", horizontal: ChartAxis("time", .moment),
      vertical: ChartAxis("events", .perSecond), lines: lines, strip: strip)
  }

  private func line(_ name: String, _ count: Int) -> Chart.Line {
    Chart.Line(name, (0..<count).map { Chart.Point(Double($0), Double($0 * $0)) })
  }

  /// The numbers in an attribute of the first element of a kind.
  private func places(_ svg: String) throws -> [(x: Double, y: Double)] {
    let start = try #require(svg.range(of: "<polyline"))
    let rest = svg[start.upperBound...]
    let open = try #require(rest.range(of: "points=\""))
    let text = rest[open.upperBound...].prefix { $0 != "\"" }
    return text.split(separator: " ").map { pair in
      let sides = pair.split(separator: ",").map { Double($0) ?? .nan }
      return (sides[0], sides[1])
    }
  }

  @Test func `a line goes from left to right, and up where its values grow`() throws {
    let points = try places(chart([line("a", 5)]).svg)
    #expect(points.count == 5)
    #expect(points.first?.x == 76 && points.last?.x == 704)
    for (one, next) in zip(points, points.dropFirst()) {
      #expect(next.x > one.x && next.y <= one.y)
    }
    #expect(points.allSatisfy { (12...244).contains($0.y) })
  }

  @Test func `the page is well-formed, whatever the texts are`() throws {
    var hostile = chart([line("<script>alert('x')</script>", 3), line("\"&\u{1}", 1)])
    hostile.strip = line("]]>", 4)
    let html = hostile.html
    #expect(!html.contains("<script"))
    #expect(html.contains("A &amp; B") && html.contains("What &lt;is&gt; seen."))
    let parser = XMLChecker()
    #expect(parser.problem(in: html) == nil)
  }

  @Test func `those who can't see it have its title, its sentence, and its numbers`() {
    let html = chart([line("sent", 3)]).html
    #expect(html.contains("role=\"img\" aria-labelledby=\"c-title c-summary\""))
    #expect(html.contains("<th scope=\"col\">sent</th>"))
    #expect(html.contains("<td>4 /s</td>"))
  }

  @Test func `much is thinned to what can be seen`() throws {
    let long = chart([line("a", 100_000)], strip: line("s", 50_000))
    #expect(try places(long.svg).count <= Chart.pointLimit)
    #expect(long.html.utf8.count < 150_000)
    #expect(long.html.components(separatedBy: "<tr>").count <= Chart.rowLimit + 3)
    let many = chart((0..<20).map { line("l\($0)", 2) })
    #expect(many.shownLines.count == Chart.lineLimit)
  }

  @Test func `a chart without values says so, and one with odd values leaves them out`() throws {
    #expect(chart([]).svg.contains("nothing was measured"))
    #expect(chart([Chart.Line("a", [])]).svg.contains("nothing was measured"))
    let odd = Chart.Line("a", [.init(0, .nan), .init(1, 2), .init(.infinity, 3), .init(2, 4)])
    #expect(try places(chart([odd]).svg).count == 2)
    #expect(chart([Chart.Line("a", [.init(1, 2)])]).svg.contains("<circle"))
  }

  @Test(arguments: [1, 2, 10, 59, 60, 61, 1_000])
  func `thinning keeps the first and the last point`(count: Int) {
    let points = line("a", count).points
    let thinned = Chart.thinned(points, to: 60)
    #expect(thinned.count <= 60)
    #expect(thinned.first == points.first && thinned.last == points.last)
  }
}

/// Looks whether every element that is opened is closed, in order.
private struct XMLChecker {
  func problem(in text: String) -> String? {
    var open: [Substring] = []
    var rest = text[...]
    while let start = rest.firstIndex(of: "<") {
      rest = rest[rest.index(after: start)...]
      guard let end = rest.firstIndex(of: ">") else { return "an element has no end" }
      let tag = rest[..<end]
      rest = rest[rest.index(after: end)...]
      if tag.hasSuffix("/") { continue }
      let name = tag.prefix { $0 != " " && $0 != "\n" }
      if name.hasPrefix("/") {
        guard open.popLast() == name.dropFirst() else { return "\(name) closes nothing" }
      } else {
        open.append(name)
      }
    }
    return open.isEmpty ? nil : "\(open) are not closed"
  }
}
