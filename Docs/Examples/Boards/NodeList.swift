// SPDX-License-Identifier: Apache-2.0

#if Live && Links && Complete
  import Proscenium
  import ProsceniumLive
  import ProsceniumPostgres
  import Synchronization

  /// The nodes of the cluster, as the database knows them: which one serves a tab, and how the
  /// lease of a dead one runs.
  final class NodeList: Sendable {
    /// How often the database is asked.
    private static let pause = Duration.milliseconds(250)

    private let database: String
    private let address: String
    private let lease: Duration
    private let nodes = Mutex<[ClusterStatus.Node]>([])

    init(of database: String, for node: ClusterSettings) {
      self.database = database
      address = node.address
      lease = node.lease
    }

    /// Reads the nodes again and again, and tells the boards in the foreground when they differ.
    func run(_ application: Application) async {
      repeat {
        // Without a database the page shows what was known last.
        if let status = try? await ClusterStatus.read(database) {
          nodes.withLock { $0 = status.nodes.suffix(8) }
          for session in application.openSessions
          where application.scene(for: session.id)?.activationState == .foregroundActive {
            // One that cannot be told sees it with its next change.
            try? application.send("changed", to: session.id)
          }
        }
        // A lease runs, and nothing tells how far.
      } while (try? await Task.sleep(for: Self.pause)) != nil
    }

    func render(_ page: inout PageBuilder) {
      page.add(.section, id: "nodes", .label("Nodes")) { page in
        page.add(.h2, "Nodes")
        page.add(.ul, id: "members") { page in
          for node in nodes.withLock(\.self) { render(node, &page) }
        }
        page.add(
          .a, "Nodes in a new tab", .href("/nodes"), PageAttribute("target", "_blank"),
          .class("more"))
      }
    }

    private func render(_ node: ClusterStatus.Node, _ page: inout PageBuilder) {
      let isOwn = node.address == address && node.state != .dead
      page.add(
        .li, id: "node-\(node.number)", .class(node.state.rawValue),
        PageAttribute("aria-current", isOwn ? "true" : "false")
      ) { page in
        page.add(
          .span, "\(node.number): \(node.name), build \(node.build)" + (isOwn ? ", this tab" : ""))
        page.add(.span, words(for: node), .class("state"))
      }
    }

    /// The same on a page that every node answers, and that its browser loads again by itself: for
    /// a visitor whose tabs are all at a dead node.
    var page: LiveResponse {
      let lines = nodes.withLock(\.self).map { node in
        let name = node.name.replacing("<", with: "&lt;")
        return "<li>\(node.number): \(name), build \(node.build): \(words(for: node))</li>"
      }
      let html = """
        <!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="1">
        <title>Nodes</title><link rel="stylesheet" href="/live.css">
        <h1>Nodes</h1><ul>\(lines.joined())</ul></html>
        """
      return LiveResponse(type: "text/html; charset=utf-8", body: Array(html.utf8))
    }

    private func words(for node: ClusterStatus.Node) -> String {
      let slices = "\(node.slices) slices"
      if node.state == .dead { return "dead, buried" }
      // Signs of life come once a second, and at least five times in a lease.
      if node.silence > min(.seconds(1), lease / 5) * 3 / 2 {
        return "lease runs: \(tenths(node.silence)) of \(tenths(lease)) s"
      }
      return node.state == .draining ? "\(slices), gives them away" : slices
    }

    private func tenths(_ time: Duration) -> String {
      let tenths = Int(time / .milliseconds(100))
      return "\(tenths / 10).\(tenths % 10)"
    }
  }
#endif
