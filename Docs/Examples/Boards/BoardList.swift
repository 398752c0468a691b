// SPDX-License-Identifier: Apache-2.0

#if Live && Complete
  import Proscenium
  import ProsceniumLive

  /// The switcher: all boards of a user, and where their scenes are.
  struct BoardList {
    private let application: Application

    init(_ application: Application) {
      self.application = application
    }

    func render(_ page: inout PageBuilder, of scene: isolated Scene) {
      let own = scene.persistentIdentifier
      let sessions = application.session(own)?.owner.map(application.sessions(of:)) ?? []
      page.add(.nav, id: "boards", .label("Boards")) { page in
        page.add(.h2, "Boards")
        page.add(.ul, id: "sessions") { page in
          for session in sessions.prefix(50) {
            let isOwn = session.id == own
            // What others see of this scene is on its way while it renders.
            let state = isOwn ? "this tab" : Self.name(of: application.scene(for: session.id))
            page.add(.li, id: "session-\(session.id)") { page in
              page.add(
                .a, session.title ?? "Board without a name", .href("/s/\(session.id)"),
                PageAttribute("aria-current", isOwn ? "page" : "false"))
              page.add(.span, state, .class("state"))
            }
          }
        }
        page.add(
          .a, "New board in a new tab", .href("/"), PageAttribute("target", "_blank"),
          .class("more"))
      }
    }

    private static func name(of scene: Scene?) -> String {
      switch scene?.activationState {
      case .foregroundActive: "in the foreground"
      case .foregroundInactive: "inactive"
      case .background: "in the background"
      case .unattached, nil: "not in memory"
      }
    }
  }

  /// Tells the boards in the foreground when the state of one has changed; one that has just come
  /// there was not told before.
  struct Switcher {
    private let application: Application

    init(_ application: Application) {
      self.application = application
    }

    func run() async {
      for await event in application.lifecycleEvents(limit: 64) {
        guard case .transition = event.kind, let changed = event.session else { continue }
        let owner = application.session(changed)?.owner
        for session in owner.map(application.sessions(of:)) ?? [] {
          guard application.scene(for: session.id)?.activationState == .foregroundActive else {
            continue
          }
          // One that cannot be told sees it with its next change.
          try? application.send("changed", to: session.id)
        }
      }
    }
  }
#endif
