// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Proscenium

/// The sessions of a replay as its store holds them.
struct ReplayContents: Sendable {
  /// What a session holds.
  enum Content: Sendable {
    case window(ReplayState)
    case page(ReplayPage)
    /// Nothing yet: it was made, and the process ended before it had seen anything.
    case blank
    /// What no replay writes.
    case foreign
  }

  private(set) var sessions: [(identifier: SessionIdentifier, content: Content)] = []

  /// Reads a store that no application runs on.
  ///
  /// - Throws: A `StoreError` if it cannot be read.
  static func read(_ store: any SessionStore) async throws -> ReplayContents {
    let rows = Guarded<[SessionRow]>([])
    _ = try await store.load { part in rows.withLock { $0 += part } }
    var contents = ReplayContents()
    for row in rows.withLock({ $0 }) where !row.isDiscarded {
      let identifier = row.persistentIdentifier
      let bytes = try await store.readState(of: identifier)
      let activity = try bytes.map { (bytes) throws(SavedStateError) in
        try SavedState(decoding: bytes)
      }?.activity
      contents.sessions.append((identifier, content(row.configuration.role, activity)))
    }
    return contents
  }

  private static func content(
    _ role: SceneSession.Role, _ activity: UserActivity?
  ) -> Content {
    guard let activity else { return .blank }
    if role == .replayBook {
      let page = activity.userInfo["text"]?.string.flatMap(ReplayPage.init)
      return page.map { .page($0) } ?? .foreign
    }
    return activity.replayState.map { .window($0) } ?? .foreign
  }

  /// The states of the windows; one that cannot be read counts as empty, which is found.
  var endings: [(identifier: SessionIdentifier, state: ReplayState)] {
    sessions.compactMap { identifier, content in
      switch content {
      case .page: nil
      case .window(let state): (identifier, state)
      case .blank, .foreign: (identifier, ReplayState())
      }
    }
  }
}

extension UserActivity {
  /// Makes the activity that a window's state is captured as.
  init(_ state: ReplayState) {
    self.init("window", userInfo: ["state": .string(state.description)])
  }

  /// The state that was captured, or nil if it is none.
  var replayState: ReplayState? {
    userInfo["state"]?.string.flatMap(ReplayState.init)
  }
}
