// SPDX-License-Identifier: Apache-2.0

// The chart as a part of a page.
extension Chart {
  /// The picture with its title, its legend, and the numbers behind it as a table.
  package var html: String {
    """
    <figure class="chart" id="\(HTMLText.escaped(id))">
    <figcaption>
    <h3 id="\(id)-title">\(HTMLText.escaped(title))</h3>
    <p id="\(id)-summary">\(HTMLText.escaped(summary))</p>
    \(legend)
    </figcaption>
    \(svg)\(table)</figure>

    """
  }

  private var legend: String {
    var items = shownLines.enumerated().map { index, line in
      "<li><svg viewBox=\"0 0 24 8\" aria-hidden=\"true\">"
        + "<polyline class=\"s\(index)\" points=\"0,4 24,4\"/></svg>"
        + "\(HTMLText.escaped(line.name))</li>"
    }
    if let strip {
      items.append(
        "<li><svg viewBox=\"0 0 24 8\" aria-hidden=\"true\">"
          + "<rect class=\"strip\" width=\"24\" height=\"8\"/></svg>"
          + "\(HTMLText.escaped(strip.name))</li>")
    }
    return "<ul class=\"legend\">\(items.joined())</ul>"
  }

  /// The numbers, of many every so-manyth row.
  private var table: String {
    let lines = shownLines
    // In most charts all lines have the same places.
    let places = Set(lines.flatMap { $0.points.map(\.x) }).sorted()
    let shown = Self.thinned(places.map { Point($0, 0) }, to: Self.rowLimit).map(\.x)
    let values = lines.map { line in
      Dictionary(line.points.map { ($0.x, $0.y) }, uniquingKeysWith: { first, _ in first })
    }
    let heads = [horizontal.title] + lines.map(\.name)
    let head = heads.map { "<th scope=\"col\">\(HTMLText.escaped($0))</th>" }.joined()
    let rows = shown.map { x in
      let cells = values.map { "<td>\($0[x].map { vertical.unit.text($0) } ?? "")</td>" }.joined()
      return "<tr><th scope=\"row\">\(text(ofPlace: x))</th>\(cells)</tr>\n"
    }
    let note = places.count > shown.count ? ", \(shown.count) of \(places.count) rows" : ""
    return """
      <details><summary>The numbers\(note)</summary>
      <table><thead><tr>\(head)</tr></thead><tbody>
      \(rows.joined())</tbody></table></details>

      """
  }

  private func text(ofPlace x: Double) -> String {
    horizontal.scale == .nines ? ChartUnit.decimal(x, places: 4) : horizontal.unit.text(x)
  }
}
