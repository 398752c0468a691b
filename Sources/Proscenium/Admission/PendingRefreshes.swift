// SPDX-License-Identifier: Apache-2.0

/// The refreshes that wait for the host, in the order of their requests (R-RF-5).
///
/// Each session is in it once, with all tickets that wait for its refresh.
struct PendingRefreshes: Sendable {
  /// How many sessions may wait.
  let limit: Int
  private(set) var all: [(session: SessionHandle, tickets: [RequestTicket])] = []

  init(limit: Int) {
    self.limit = limit
  }

  func contains(_ session: SessionHandle) -> Bool { all.contains { $0.session == session } }

  /// Checks that a session's refresh can be added.
  ///
  /// - Throws: `systemBusy`.
  func check(_ session: SessionHandle, _ directory: SessionDirectory) throws(SceneError) {
    guard all.count >= limit, !contains(session) else { return }
    throw SceneError(
      .systemBusy, session: directory.identifier(session),
      "\(limit) refreshes wait for the host; try again later")
  }

  /// Adds a refresh, or to the one of the session that waits already.
  mutating func add(_ session: SessionHandle, _ ticket: RequestTicket?) {
    let tickets = ticket.map { [$0] } ?? []
    if let index = all.firstIndex(where: { $0.session == session }) {
      all[index].tickets += tickets
    } else {
      all.append((session, tickets))
    }
  }

  /// Takes the refresh of a session out; returns who waits for it.
  mutating func remove(_ session: SessionHandle) -> [RequestTicket] {
    guard let index = all.firstIndex(where: { $0.session == session }) else { return [] }
    return all.remove(at: index).tickets
  }

  /// Forgets a refresh that has been dropped; who waits for it goes on (R-RF-6).
  mutating func drop(_ session: SessionHandle, _ directory: SessionDirectory) {
    for ticket in remove(session) { ticket.succeed(directory.session(session)) }
  }
}
