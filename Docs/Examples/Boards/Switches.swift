// SPDX-License-Identifier: Apache-2.0

#if Live && Complete
  import Foundation
  import Proscenium
  import ProsceniumLive

  /// The destructive buttons: they exist in this example alone, for this machine alone.
  ///
  /// Each is a form that is sent by `POST`, with a token that only the page has; the host refuses
  /// what comes from other sites.
  struct Switches: Sendable {
    private let token: String
    /// Which node of a cluster this is, if it is one.
    private let node: String?
    /// Kills the process, or does with those of a cluster what a button asks for.
    private let told: @Sendable (_ action: String, _ node: String) -> Void

    /// Reads the token, or makes one.
    ///
    /// - Parameters:
    ///   - folder: Where the token is kept, since pages outlive the process.
    ///   - node: Which node of a cluster this is, if it is one.
    ///   - told: Does what is not done with scenes.
    /// - Throws: If it cannot be kept.
    init(
      folder: String, node: String? = nil,
      told: @escaping @Sendable (_ action: String, _ node: String) -> Void
    ) throws {
      self.node = node
      self.told = told
      let path = folder + "/switches.token"
      if let kept = try? String(contentsOfFile: path, encoding: .utf8), kept.count == 36 {
        token = kept
      } else {
        token = UUID().uuidString
        try token.write(toFile: path, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
      }
    }

    func render(_ page: inout PageBuilder, for session: SessionIdentifier) {
      page.add(.section, id: "switches", .label("What the system does")) { page in
        page.add(.h2, "What the system does")
        button("disconnect", "Disconnect this scene", session, &page)
        button("pressure", "Put the process under memory pressure", session, &page)
        button("plug", "Pull the plug", session, &page)
        if node != nil { button("deploy", "Replace the nodes one by one", session, &page) }
      }
    }

    private func button(
      _ action: String, _ text: String, _ session: SessionIdentifier, _ page: inout PageBuilder
    ) {
      page.add(
        .form, id: "do-" + action, PageAttribute("method", "post"),
        PageAttribute("action", "/do/" + action)
      ) { page in
        page.add(.input, .type("hidden"), .name("token"), .value(token))
        page.add(.input, .type("hidden"), .name("session"), .value("\(session)"))
        // Any node can get the request.
        if let node { page.add(.input, .type("hidden"), .name("node"), .value(node)) }
        page.add(.button, text, id: "press-" + action)
      }
    }

    /// Does what a button asks for; the page stays, since the answer has no content.
    func respond(to request: LiveRequest, _ application: Application) async -> LiveResponse? {
      guard request.path.hasPrefix("/do/") else { return nil }
      guard request.method == "POST" else { return LiveResponse(status: 405, "expected POST") }
      let form = request.form
      guard form["token"] == token, let session = SessionIdentifier(form["session"] ?? "") else {
        return LiveResponse(status: 403, "expected the token of the page")
      }
      switch request.path {
      case "/do/disconnect":
        application.host.submit(.background(session))
        application.host.submit(.disconnect(session))
      case "/do/pressure":
        application.host.submit(.relievePressure(count: application.connectedSceneCount))
      case "/do/plug", "/do/deploy":
        // The answer leaves first: without it the browser would show an error instead of the page.
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.1) {
          told(String(request.path.dropFirst(4)), form["node"] ?? "")
        }
      default: return nil
      }
      return LiveResponse(status: 204)
    }
  }
#endif
