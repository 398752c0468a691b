// SPDX-License-Identifier: Apache-2.0

/// Lines over one axis: what a chart shows, apart from how it is drawn.
///
/// ``html`` draws it for a page whose style has ``style``.
package struct Chart: Sendable, Hashable {
  /// A place in the chart.
  package struct Point: Sendable, Hashable {
    /// Where it is along the horizontal axis.
    package var x: Double
    /// Where it is along the vertical axis.
    package var y: Double

    /// Creates a point.
    package init(_ x: Double, _ y: Double) {
      (self.x, self.y) = (x, y)
    }
  }

  /// Points that belong together.
  package struct Line: Sendable, Hashable {
    /// What the legend says.
    package var name: String
    /// The points from left to right.
    package var points: [Point]

    /// Creates a line.
    package init(_ name: String, _ points: [Point]) {
      (self.name, self.points) = (name, points)
    }
  }

  /// How many lines a chart can have: more can't be told apart.
  package static let lineLimit = 8
  /// How many points of a line are drawn; of more than these every so-manyth is.
  package static let pointLimit = 1_200
  /// How many rows the table of a chart has at most.
  package static let rowLimit = 60

  /// The name of the chart, unique in its page.
  package var id: String
  /// What it is about, in a few words.
  package var title: String
  /// What is to be seen there, as a sentence: for those who can't see it as well.
  package var summary: String
  /// The horizontal axis.
  package var horizontal: ChartAxis
  /// The vertical axis.
  package var vertical: ChartAxis
  /// The lines, up to ``lineLimit``; further ones are not drawn.
  package var lines: [Line]
  /// How much of something happened where, drawn as a strip below the lines; nil for no strip.
  package var strip: Line?

  /// Creates a chart.
  package init(
    _ id: String, title: String, summary: String, horizontal: ChartAxis, vertical: ChartAxis,
    lines: [Line], strip: Line? = nil
  ) {
    self.id = id
    self.title = title
    self.summary = summary
    self.horizontal = horizontal
    self.vertical = vertical
    self.lines = lines
    self.strip = strip
  }

  /// The lines that are drawn, without the points that their axes cannot show.
  var shownLines: [Line] {
    lines.prefix(Self.lineLimit).map { line in
      let points = line.points.filter { horizontal.shows($0.x) && vertical.shows($0.y) }
      return Line(line.name, Self.thinned(points, to: Self.pointLimit))
    }
  }

  /// Every so-manyth point and the last one, so that there are not more than a limit.
  static func thinned(_ points: [Point], to limit: Int) -> [Point] {
    guard points.count > limit, let last = points.last else { return points }
    let step = (points.count + limit - 2) / (limit - 1)
    return stride(from: 0, to: points.count - 1, by: step).map { points[$0] } + [last]
  }
}
