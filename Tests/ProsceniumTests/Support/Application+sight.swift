// SPDX-License-Identifier: Apache-2.0

@testable import Proscenium

extension Application {
  /// What every look-up and every iteration says of a session: that it is `open`, and whether with
  /// a scene; otherwise each of them with its answer.
  nonisolated func sight(of session: SessionIdentifier) -> String {
    var walk = SessionWalk()
    var isVisited = false
    walk.visit(self, atMost: 10_000) { found, _ in
      isVisited = isVisited || found == session
      return true
    }
    let isOpen = [
      ("openSessions", openSessions.contains { $0.id == session }),
      ("openSessions[]", openSessions[session] != nil),
      ("contains", openSessions.contains(session)),
      ("session", self.session(session) != nil),
      ("visitSessions", isVisited),
    ]
    let hasScene = [
      ("connectedScenes", connectedScenes.contains { $0.persistentIdentifier == session }),
      ("scene", scene(for: session) != nil),
    ]
    switch (Set(isOpen.map(\.1)), Set(hasScene.map(\.1))) {
    case ([true], [true]): return "open, with a scene"
    case ([true], [false]): return "open"
    case ([false], [false]): return "not open"
    default: return (isOpen + hasScene).map { "\($0.0): \($0.1)" }.joined(separator: ", ")
    }
  }
}
