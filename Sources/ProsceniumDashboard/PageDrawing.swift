// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumCharts

/// Draws the parts of the page that change.
enum PageDrawing {
  /// How many sessions there are in each state, and what the policy did.
  static func counts(_ census: SceneCensus, _ pressure: PressureReport) -> String {
    var rows = CardState.allCases.map { ($0.title, PageText.number(census[$0])) }
    let connected = PageText.number(pressure.connectedScenes)
    rows.append(
      ("Scenes in memory", pressure.sceneLimit.map { "\(connected) of \($0)" } ?? connected))
    if let used = pressure.usedBytes {
      let limit = pressure.limitBytes.map { " of \(mebibytes($0))" } ?? ""
      rows.append(("Memory, by the policy", mebibytes(used) + limit))
    }
    rows.append(
      ("Disconnected for pressure", PageText.number(pressure.disconnectedForPressure)))
    rows.append(("Disconnected when idle", PageText.number(pressure.disconnectedWhenIdle)))
    let items = rows.map { name, value in "<div><dt>\(name)</dt><dd>\(value)</dd></div>" }
    return "<dl>\(items.joined())</dl>"
  }

  /// The nodes, with their shares of the slices.
  static func nodes(_ view: DashboardCluster.View, canAct: Bool) -> String {
    let owned = view.nodes.reduce(0) { $0 + $1.slices }
    let counts = [
      ("Nodes", PageText.number(view.nodes.count)),
      ("Slices with an owner", "\(PageText.number(owned)) of \(PageText.number(view.slices))"),
      ("Changes of owners", PageText.number(view.moves)),
    ].map { name, value in "<div><dt>\(name)</dt><dd>\(value)</dd></div>" }
    let rows = view.nodes.prefix(64).map { node in
      let name = PageText.escaped(node.name, atMost: 80)
      let button =
        canAct && node.canDrain
        ? """
        <button type="button" id="db-drain-\(node.number)" data-node="\(node.number)" \
        aria-label="Drain node \(node.number), \(name)">Drain</button>
        """ : ""
      return """
        <tr><td class="number">\(node.number)</td><th scope="row">\(name)</th>\
        <td class="number">\(node.build)</td><td>\(PageText.escaped(node.state, atMost: 80))</td>\
        <td class="number">\(PageText.number(node.slices))</td>\
        <td><meter min="0" max="\(max(view.slices, 1))" value="\(node.slices)">\
        \(node.slices) of \(view.slices)</meter></td><td>\(button)</td></tr>
        """
    }
    return """
      <dl>\(counts.joined())</dl>
      <div class="wide"><table class="nodes"><thead><tr><th scope="col">number</th>\
      <th scope="col">name</th><th scope="col">build</th><th scope="col">state</th>\
      <th scope="col">slices</th><th scope="col">of all</th><th scope="col">action</th></tr></thead>
      <tbody>
      \(rows.joined(separator: "\n"))
      </tbody></table></div>
      """
  }

  /// The cards, under a heading for each state.
  static func scenes(_ cards: [SceneCard], _ census: SceneCensus, canAct: Bool) -> String {
    CardState.allCases.map { state in
      let ofState = cards.filter { $0.state == state }
      let count = PageText.number(max(census[state], ofState.count))
      let note = ofState.count < census[state] ? ", \(ofState.count) of them shown" : ""
      let heading = "<h3 id=\"db-h-\(state.name)\">\(state.title)"
      let items = ofState.map { "<li>\(card($0, canAct: canAct))</li>" }.joined(separator: "\n")
      return """
        <section class="state \(state.name)" aria-labelledby="db-h-\(state.name)">
        \(heading) <span class="count">\(count)\(note)</span></h3>
        \(items.isEmpty ? "<p class=\"none\">none</p>" : "<ul class=\"cards\">\n\(items)\n</ul>")
        </section>
        """
    }
    .joined(separator: "\n")
  }

  private static func card(_ card: SceneCard, canAct: Bool) -> String {
    let title = card.title.map { PageText.escaped($0, atMost: 80) } ?? "without a title"
    var html = "<article class=\"card\"><h4>\(title)</h4>"
    html += "<p><code title=\"\(card.session)\">\(card.shortName)</code> "
    html += "<span class=\"badge\">\(card.state.title)</span></p>"
    if let subtitle = card.subtitle { html += "<p>\(PageText.escaped(subtitle, atMost: 120))</p>" }
    if let snapshot = card.snapshot { html += "<pre>\(PageText.escaped(snapshot))</pre>" }
    guard canAct else { return html + "</article>" }
    html += "<p class=\"buttons\">"
    if card.state != .disconnected { html += button("disconnect", "Disconnect", card) }
    return html + button("discard", "Discard", card) + "</p></article>"
  }

  private static func button(_ action: String, _ label: String, _ card: SceneCard) -> String {
    """
    <button type="button" id="db-\(action)-\(card.session)" data-action="\(action)" \
    data-session="\(card.session)" \
    aria-label="\(label) session \(card.shortName)">\(label)</button>
    """
  }

  /// The last events, the newest first.
  ///
  /// - Parameters:
  ///   - lines: The events.
  ///   - unlisted: How many were counted only; nil if the program gives the page no events.
  /// - Returns: The HTML.
  static func events(_ lines: [EventLine], unlisted: Int?) -> String {
    guard let unlisted else {
      return "<p class=\"none\">The program gives the dashboard no events.</p>"
    }
    let items = lines.map { line in
      let session = line.session.map { "<code>\(SceneCard.shortName($0))</code> " } ?? ""
      return "<li><span class=\"time\">\(seconds(line.time))</span> \(session)"
        + "\(PageText.escaped(line.text))</li>"
    }
    let list =
      items.isEmpty
      ? "<p class=\"none\">none yet</p>" : "<ol>\n\(items.joined(separator: "\n"))\n</ol>"
    return "<p>\(PageText.number(unlisted)) others were counted and are not listed.</p>\n\(list)"
  }

  /// The charts, one below the other; a sentence if there are none.
  static func charts(_ fragments: [DashboardFragment]) -> String {
    guard !fragments.isEmpty else { return "<p class=\"none\">none</p>" }
    return fragments.prefix(32).map { "<div id=\"db-chart-\($0.id)\">\($0.html)</div>" }
      .joined(separator: "\n")
  }

  /// Seconds with three decimals.
  private static func seconds(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    let thousandths = String(attoseconds / 1_000_000_000_000_000)
    let zeros = String(repeating: "0", count: max(3 - thousandths.count, 0))
    return "\(PageText.number(Int(seconds))).\(zeros)\(thousandths) s"
  }

  private static func mebibytes(_ bytes: Int) -> String { "\(PageText.number(bytes >> 20)) MiB" }
}

/// Brings texts that a program or its users chose into the page.
enum PageText {
  /// The text, escaped for an element or for an attribute's quotes.
  static func escaped(_ text: some StringProtocol) -> String { HTMLText.escaped(text) }

  /// The beginning of a text, by Unicode scalars, with an ellipsis if there is more.
  static func limited(_ text: String, to limit: Int) -> String {
    let scalars = text.unicodeScalars
    guard let end = scalars.index(scalars.startIndex, offsetBy: limit, limitedBy: scalars.endIndex),
      end < scalars.endIndex
    else { return text }
    return String(scalars[..<end]) + "…"
  }

  /// The beginning of a text, escaped.
  static func escaped(_ text: String, atMost limit: Int) -> String {
    escaped(limited(text, to: limit))
  }

  /// A number with a comma between thousands.
  static func number(_ number: Int) -> String {
    var digits = String(number.magnitude)
    var parts: [String] = []
    while digits.count > 3 {
      parts.insert(String(digits.suffix(3)), at: 0)
      digits.removeLast(3)
    }
    return (number < 0 ? "-" : "") + ([digits] + parts).joined(separator: ",")
  }
}
