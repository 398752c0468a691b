// SPDX-License-Identifier: Apache-2.0

/// A change of what a session holds.
final class SessionUpdate: Sendable {
  let change: @Sendable (inout SceneSession) throws(SceneError) -> Void
  let ticket: SessionTicket?
  /// Where a caller that waits is told that the change is durable, once it was made.
  let durable: CompletionTicket?
  let use: StateUse

  /// What the change is to the saved state.
  enum StateUse: Sendable {
    /// It may read and set it: the state has to be in memory.
    case needed
    /// It leaves it as it is.
    case untouched
    /// It drops it, whatever it was.
    case dropped
  }

  init(
    ticket: SessionTicket?, _ use: StateUse = .needed, durable: CompletionTicket? = nil,
    _ change: @escaping @Sendable (inout SceneSession) throws(SceneError) -> Void
  ) {
    self.change = change
    self.ticket = ticket
    self.durable = durable
    self.use = use
  }

  func fail(_ error: SceneError) {
    ticket?.answer(.failure(error))
  }

  /// Changes what the session of a connected scene holds.
  ///
  /// - Returns: What is to be stored.
  /// - Throws: What the update throws, `notPropertyList` or `limitExceeded`; then nothing has
  ///   changed.
  func carryOut(in scene: isolated Scene) throws(SceneError) -> SceneChanges? {
    if durable != nil { try scene.takeWithheldState() }
    var session = scene.session
    try change(&session)
    let changed = session.details
    try scene.context.check(settings: changed.userInfo, of: session.id)
    if durable != nil { try scene.context.check(sizeOf: changed, of: session.id) }
    return scene.visit { scene in
      scene.change { $0 = changed }
      // What was withheld is dropped as well.
      if self.use == .dropped { scene.dropWithheldState() }
      if self.use == .untouched, !scene.details.isLocked { try? scene.takeWithheldState() }
    }
  }
}

/// A change of what a session holds that is made at once, in a callback or between two.
///
/// ``Application/updateSession(_:_:)`` makes it when its turn comes.
package struct ImmediateUpdate {
  private let change: (inout SceneSession) -> Void

  /// Makes an update.
  package init(_ change: @escaping (inout SceneSession) -> Void) {
    self.change = change
  }

  /// Changes what the session of a scene holds.
  ///
  /// - Throws: `notPropertyList`; then nothing has changed.
  package func carryOut(in scene: isolated Scene) throws(SceneError) {
    var session = scene.session
    change(&session)
    let changed = session.details
    try scene.context.check(settings: changed.userInfo, of: session.id)
    scene.change { $0 = changed }
  }
}

/// Awaits the session that a request is about.
final class SessionTicket: Ticket {
  let cell = TicketCell<SceneSession>()
}
