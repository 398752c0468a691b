// SPDX-License-Identifier: Apache-2.0

/// The page itself: its landmarks, and the containers that updates fill.
enum DashboardPage {
  /// The names of the containers.
  static let containers = ["counts", "charts", "scenes", "events"]

  /// The page, before the first update.
  ///
  /// - Parameters:
  ///   - title: The text above it.
  ///   - canAct: Whether a token lets pages act.
  ///   - actionLimit: How many sessions a storm may connect.
  /// - Returns: The HTML.
  static func html(title: String, canAct: Bool, actionLimit: Int) -> String {
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
      \(section("counts", "Sessions"))
      \(section("charts", "Charts"))
      \(controls(canAct: canAct, actionLimit: actionLimit))
      \(section("scenes", "Scenes"))
      \(section("events", "Events"))
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

  private static func controls(canAct: Bool, actionLimit: Int) -> String {
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
      <p id="db-answer" role="status"></p>
      </section>
      """
  }
}
