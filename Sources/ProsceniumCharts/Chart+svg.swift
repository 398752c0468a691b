// SPDX-License-Identifier: Apache-2.0

// The chart as a picture.
extension Chart {
  private static let width = 720.0, height = 300.0
  private static let left = 76.0, right = 704.0, top = 12.0, bottom = 244.0
  private static let stripTop = 248.0, stripHeight = 8.0

  /// The picture: scalable, and complete except for its style.
  package var svg: String {
    let lines = shownLines
    let across = horizontal.range(of: lines.flatMap { $0.points.map(\.x) })
    let up = vertical.range(of: lines.flatMap { $0.points.map(\.y) })
    let x = Self.map(horizontal, across, to: Self.left...Self.right)
    let y = Self.map(vertical, up, to: Self.top...Self.bottom, isUpward: true)
    var text = """
      <svg viewBox="0 0 \(Self.number(Self.width)) \(Self.number(Self.height))" role="img" \
      aria-labelledby="\(id)-title \(id)-summary">\n
      """
    text += grid(across, up, x, y)
    if let strip { text += Self.drawn(strip, across, x) }
    for (index, line) in lines.enumerated() { text += Self.drawn(line, index, x, y) }
    if lines.allSatisfy(\.points.isEmpty) {
      text += Self.label("nothing was measured", 390, 130, "middle")
    }
    return text + "</svg>\n"
  }

  private func grid(
    _ across: ClosedRange<Double>, _ up: ClosedRange<Double>, _ x: (Double) -> Double,
    _ y: (Double) -> Double
  ) -> String {
    var text = ""
    for tick in vertical.ticks(in: up) {
      let at = y(tick.value)
      text += Self.rule(Self.left, at, Self.right, at)
      text += Self.label(tick.text, Self.left - 6, at + 4, "end")
    }
    let floor = strip == nil ? Self.bottom : Self.stripTop + Self.stripHeight
    for tick in horizontal.ticks(in: across) {
      let at = x(tick.value)
      text += Self.rule(at, Self.top, at, floor)
      text += Self.label(tick.text, at, floor + 16, "middle")
    }
    return text + Self.label(horizontal.title, (Self.left + Self.right) / 2, 292, "middle")
  }

  /// How much happened where: the more, the darker.
  private static func drawn(
    _ strip: Line, _ across: ClosedRange<Double>, _ x: (Double) -> Double
  ) -> String {
    let points = thinned(strip.points.filter { across.contains($0.x) }, to: 400)
    let most = points.map(\.y).max() ?? 0
    var text = ""
    var begin = left
    // What is given at a moment happened since the one before.
    for point in points {
      let end = x(point.x)
      if point.y > 0 {
        text += """
          <rect class="strip" x="\(number(begin))" y="\(number(stripTop))" \
          width="\(number(max(end - begin, 1)))" height="\(number(stripHeight))" \
          opacity="\(number(0.2 + 0.8 * point.y / most))"/>\n
          """
      }
      begin = end
    }
    return text
  }

  private static func drawn(
    _ line: Line, _ index: Int, _ x: (Double) -> Double, _ y: (Double) -> Double
  ) -> String {
    let places = line.points.map { "\(number(x($0.x))),\(number(y($0.y)))" }
    guard places.count != 1 else {
      let point = line.points[0]
      return "<circle class=\"s\(index)\" cx=\"\(number(x(point.x)))\""
        + " cy=\"\(number(y(point.y)))\" r=\"3\"/>\n"
    }
    return "<polyline class=\"s\(index)\" points=\"\(places.joined(separator: " "))\"/>\n"
  }

  private static func rule(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) -> String {
    "<line x1=\"\(number(x1))\" y1=\"\(number(y1))\" x2=\"\(number(x2))\" y2=\"\(number(y2))\"/>\n"
  }

  private static func label(_ text: String, _ x: Double, _ y: Double, _ anchor: String) -> String {
    "<text x=\"\(number(x))\" y=\"\(number(y))\" text-anchor=\"\(anchor)\">"
      + "\(HTMLText.escaped(text))</text>\n"
  }

  private static func map(
    _ axis: ChartAxis, _ range: ClosedRange<Double>, to pixels: ClosedRange<Double>,
    isUpward: Bool = false
  ) -> (Double) -> Double {
    let (low, high) = (axis.position(range.lowerBound), axis.position(range.upperBound))
    let length = pixels.upperBound - pixels.lowerBound
    return { value in
      let share = high > low ? (axis.position(value) - low) / (high - low) : 0
      return isUpward ? pixels.upperBound - share * length : pixels.lowerBound + share * length
    }
  }

  /// A place of the picture, to a tenth of its unit.
  private static func number(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    let sign = tenths < 0 ? "-" : ""
    let (whole, rest) = tenths.magnitude.quotientAndRemainder(dividingBy: 10)
    return rest == 0 ? "\(sign)\(whole)" : "\(sign)\(whole).\(rest)"
  }
}
