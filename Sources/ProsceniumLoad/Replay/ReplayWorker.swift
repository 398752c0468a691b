// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPredicate

/// Serves some of the users: their requests one after the other, each after the one before was
/// delivered, while other workers serve other users.
struct ReplayWorker {
  private let application: Application
  private let journal: ReplayJournal
  private let settings: ReplaySettings
  // The open sessions of each user, as the requests returned them.
  private var windows: [ReplayUser: RecencyList<SessionIdentifier>] = [:]

  init(_ application: Application, _ journal: ReplayJournal, _ settings: ReplaySettings) {
    self.application = application
    self.journal = journal
    self.settings = settings
  }

  /// Serves a queue until it ends.
  mutating func serve(_ queue: BoundedQueue<ReplayRequest>) async {
    while let request = await queue.next() {
      await sendIdleToBackground(request)
      do {
        try await deliver(request)
      } catch {
        journal.count { $0.fail(line: request.line, error) }
      }
      await relievePressure(request)
    }
  }

  // MARK: - A request

  private mutating func deliver(_ request: ReplayRequest) async throws(SceneError) {
    let session: SceneSession
    if request.isActivation {
      journal.count { $0.activations += 1 }
      try await makeRoom(for: request)
      session = try await application.requestSceneSessionActivation(
        nil, userActivity: request.activity)
    } else {
      journal.count { $0.events += 1 }
      session = try await application.deliver(.activity(request.activity))
    }
    windows[request.user, default: RecencyList()].use(session.persistentIdentifier, at: 0)
  }

  /// Destroys the user's least recently used session if a new one would be one too many.
  private mutating func makeRoom(for request: ReplayRequest) async throws(SceneError) {
    guard let own = windows[request.user], own.count >= settings.windows,
      let oldest = own.oldest?.element, !isPreferred(request, by: own)
    else { return }
    windows[request.user]?.remove(oldest)
    journal.destroyed(oldest, before: request.line)
    try await application.requestSceneSessionDestruction(oldest)
  }

  // The activation reuses such a session (2.6), so that no new one is needed. Nothing else changes
  // this user's conditions meanwhile.
  private func isPreferred(
    _ request: ReplayRequest, by sessions: RecencyList<SessionIdentifier>
  ) -> Bool {
    let identifier = request.identifier.description
    return sessions.elements.contains { session in
      application.session(session)?.activationConditions.prefers.evaluate(identifier) ?? false
    }
  }

  // MARK: - The system

  private func sendIdleToBackground(_ request: ReplayRequest) async {
    while let idle = journal.takeIdle(at: request.time, limit: settings.idle) {
      do {
        try await application.host.background(idle)
        journal.count { $0.idleBackgrounds += 1 }
      } catch {
        // It was destroyed between the choice and its turn.
        guard error.code != .requestDenied else { continue }
        return journal.count { $0.fail(line: request.line, error) }
      }
    }
  }

  private func relievePressure(_ request: ReplayRequest) async {
    guard let limit = settings.connected else { return }
    while let victim = journal.takeVictim(limit: limit) {
      do {
        // R-DIS-1; a scene that is in the background already stays there.
        try await application.host.background(victim)
        try await application.host.disconnect(victim)
        journal.count { $0.systemDisconnects += 1 }
      } catch {
        journal.keep(victim)
        // Its user came back to it, or gave it up, between the choice and its turn.
        guard error.code == .notInBackground || error.code == .requestDenied else {
          return journal.count { $0.fail(line: request.line, error) }
        }
        journal.count { $0.sparedScenes += 1 }
      }
    }
  }
}
