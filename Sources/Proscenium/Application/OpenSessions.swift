// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

/// The sessions of an application that are open: a view, which holds none of them.
///
/// A new session is one of them when its first scene is made, and stays one until its scene has
/// disconnected for good: callbacks of a scene find its session, while the end is decided and
/// waits, too. Look-ups, iterations, ``Application/session(_:)`` and ``Application/scene(for:)``
/// agree at each moment. Requests and messages count on what is decided instead: for a session that
/// is to end they are refused.
///
/// A look-up by identifier takes the same time however many there are. An iteration goes through
/// the sessions shard by shard, a page at a time; each page is of its own moment, so that what is
/// opened or discarded in between may be in it or not, but none is given twice. There is no order.
public struct OpenSessions: Sequence, Sendable {
  let core: ApplicationCore

  init(_ core: ApplicationCore) {
    self.core = core
  }

  /// How many sessions are open; it looks at none of them.
  public var count: Int {
    core.directory.mailboxes.reduce(0) { $0 + $1.state.withLock { $0.visibleCount } }
  }

  /// Whether no session is open.
  public var isEmpty: Bool { count == 0 }

  /// Any of the sessions, or nil if there is none.
  public var first: SceneSession? { first { _ in true } }

  /// The session with an identifier, as it is now, or nil if it is not open.
  public subscript(identifier: SessionIdentifier) -> SceneSession? {
    core.directory.visibleEntry(identifier).map { core.directory.session($0) }
  }

  /// Tells whether a session is open.
  public func contains(_ session: SessionIdentifier) -> Bool {
    core.directory.visibleEntry(session) != nil
  }

  /// Goes through the sessions.
  public func makeIterator() -> AnyIterator<SceneSession> {
    var entries = core.directory.entries.makeIterator()
    return AnyIterator { [core] in
      while let entry = entries.next() {
        if entry.flags[.isVisible] { return core.directory.session(entry) }
      }
      return nil
    }
  }
}
