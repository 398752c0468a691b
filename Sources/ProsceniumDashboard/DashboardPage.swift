// SPDX-License-Identifier: Apache-2.0

import ProsceniumCharts

/// The page itself: its landmarks, and the containers that updates fill.
struct DashboardPage {
  /// The text above it.
  let title: String
  /// Whether a token lets pages act.
  let canAct: Bool
  /// How many sessions a storm may connect.
  let actionLimit: Int
  /// Whether it shows the scenes of an application, and the nodes of a cluster.
  var hasScenes = true, hasNodes = false

  /// The page, before the first update.
  var html: String {
    let title = PageText.escaped(title)
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(title)</title>
      <link rel="icon" href="data:,">
      <link rel="stylesheet" href="/dashboard.css">
      <script src="/dashboard.js" defer></script>
      </head>
      <body>
      <a class="skip" href="#db-main">Skip to the content</a>
      <header>
      <h1>\(title)</h1>
      <p id="db-connection" role="status">connecting…</p>
      </header>
      <main id="db-main" tabindex="-1">
      \(hasScenes ? Self.section("counts", "Sessions") : "")
      \(hasNodes ? Self.section("nodes", "Nodes") : "")
      \(Self.section("charts", "Charts"))
      \(controls)
      \(hasScenes ? Self.section("scenes", "Scenes") + "\n" + Self.section("events", "Events") : "")
      </main>
      <noscript><p>The page needs JavaScript for its updates.</p></noscript>
      </body>
      </html>

      """
  }

  private static func section(_ name: String, _ title: String) -> String {
    """
    <section id="db-s-\(name)" aria-labelledby="db-h-s-\(name)">
    <h2 id="db-h-s-\(name)">\(title)</h2>
    <div id="db-\(name)"></div>
    </section>
    """
  }

  private var controls: String {
    guard canAct else {
      return """
        <section id="db-s-controls" aria-labelledby="db-h-s-controls">
        <h2 id="db-h-s-controls">Actions</h2>
        <p>This dashboard only shows: it was made without a token for actions.</p>
        </section>
        """
    }
    return """
      <section id="db-s-controls" aria-labelledby="db-h-s-controls">
      <h2 id="db-h-s-controls">Actions</h2>
      <p><label for="db-token">Token, as the program has printed it</label>
      <input id="db-token" type="password" autocomplete="off" spellcheck="false"></p>
      \(hasScenes ? sceneForms : "")
      <p id="db-answer" role="status"></p>
      </section>
      """
  }

  private var sceneForms: String {
    """
    <form data-action="pressure">
    <label for="db-keep">Disconnect scenes until so many percent are left</label>
    <input id="db-keep" name="keep" type="number" min="0" max="99" value="50" required>
    <button>Put under pressure</button>
    </form>
    <form data-action="storm">
    <label for="db-count">Connect so many sessions at once</label>
    <input id="db-count" name="count" type="number" min="1" max="\(actionLimit)" \
    value="\(min(actionLimit, 100))" required>
    <button>Start a storm</button>
    </form>
    """
  }
}

/// How the page looks: in light and dark, and down to 400 pixels.
enum DashboardStyle {
  /// The style rules.
  static let text =
    Chart.colours + """
      * { box-sizing: border-box; }
      body { margin: 0; background: var(--paper); color: var(--ink);
        font: 16px/1.45 system-ui, sans-serif; overflow-wrap: anywhere; }
      header { display: flex; flex-wrap: wrap; gap: .2rem 1rem; align-items: baseline;
        padding: 1rem; border-bottom: 1px solid var(--rule); }
      h1 { margin: 0; font-size: 1.4rem; }
      h2 { margin: 0 0 .6rem; font-size: 1.15rem; }
      h3 { margin: 1rem 0 .4rem; font-size: 1rem; }
      h4 { margin: 0 0 .3rem; font-size: 1rem; }
      header p { margin: 0; color: var(--soft); }
      main { max-width: 90rem; margin: 0 auto; padding: 1rem; display: grid; gap: 1.6rem;
        grid-template-columns: minmax(0, 1fr); }
      main:focus { outline: none; }
      .skip { position: absolute; left: -999rem; }
      .skip:focus { left: .5rem; top: .5rem; background: var(--paper); padding: .5rem; }
      dl { display: grid; gap: .6rem; margin: 0;
        grid-template-columns: repeat(auto-fill, minmax(10rem, 1fr)); }
      dl div { background: var(--card); border-radius: 8px; padding: .5rem .75rem; }
      dt { color: var(--soft); font-size: .8125rem; }
      dd { margin: 0; font-size: 1.25rem; font-variant-numeric: tabular-nums; }
      #db-charts { display: grid; gap: 1rem;
        grid-template-columns: repeat(auto-fit, minmax(min(22rem, 100%), 1fr)); }
      #db-charts figure { margin: 0; }
      .count { color: var(--soft); font-weight: normal; }
      .cards { list-style: none; margin: 0; padding: 0; display: grid; gap: .6rem;
        grid-template-columns: repeat(auto-fill, minmax(min(14rem, 100%), 1fr)); }
      .card { background: var(--card); border: 1px solid var(--rule); border-radius: 8px;
        border-top: 4px solid var(--soft); padding: .6rem; height: 100%; }
      .active .card { border-top-color: var(--good); }
      .inactive .card { border-top-style: dashed; border-top-color: var(--good); }
      .disconnected .card { border-top-style: dotted; }
      .card p { margin: .2rem 0; font-size: .875rem; }
      .card pre { margin: .3rem 0; max-height: 7rem; overflow: auto; white-space: pre-wrap;
        font-size: .8125rem; color: var(--soft); }
      .badge { color: var(--soft); }
      .nodes { border-collapse: collapse; width: 100%; max-width: 60rem; }
      .nodes th, .nodes td { text-align: left; padding: .3rem .6rem .3rem 0;
        border-bottom: 1px solid var(--rule); }
      .nodes .number { text-align: right; font-variant-numeric: tabular-nums; }
      .nodes meter { width: 100%; min-width: 6rem; }
      .wide { overflow-x: auto; }
      .none { color: var(--soft); margin: 0; }
      button, input { font: inherit; color: inherit; background: var(--paper);
        border: 1px solid var(--soft); border-radius: 6px; padding: .3rem .7rem;
        min-height: 2.2rem; }
      button { cursor: pointer; margin: .2rem .3rem .2rem 0; }
      button:hover { border-color: var(--s0); color: var(--s0); }
      :focus-visible { outline: 3px solid var(--s0); outline-offset: 2px; }
      form, #db-s-controls p { display: flex; flex-wrap: wrap; gap: .4rem .6rem;
        align-items: center; margin: 0 0 .6rem; }
      #db-answer:empty { display: none; }
      ol { margin: .4rem 0 0; padding: 0; list-style: none; font-size: .875rem; }
      ol li { padding: .15rem 0; border-bottom: 1px solid var(--rule); }
      .time { color: var(--soft); font-variant-numeric: tabular-nums; }

      """
}
