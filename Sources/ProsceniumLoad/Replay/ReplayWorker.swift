// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPredicate

/// Serves some of the users: their requests one after the other, each after the one before was
/// delivered and, where there is a store, is durable, while other workers serve other users.
struct ReplayWorker {
  private let application: Application
  private let journal: ReplayJournal
  private let settings: ReplaySettings
  // Nil where nothing is kept.
  private var pen: ReplayPen?
  // The open sessions of each user, as the requests returned them.
  private var windows: [ReplayUser: RecencyList<SessionIdentifier>] = [:]

  init(
    _ application: Application, _ journal: ReplayJournal, _ settings: ReplaySettings,
    isKept: Bool
  ) {
    self.application = application
    self.journal = journal
    self.settings = settings
    pen = isKept ? ReplayPen(application, settings) : nil
  }

  /// Serves a queue until it ends; what comes after a failure of the store is left for another run.
  mutating func serve(_ queue: BoundedQueue<ReplayItem>) async {
    var lastLine = 0
    while let item = await queue.next() {
      switch item {
      case .recall(let user, let session): windows[user, default: RecencyList()].use(session, at: 0)
      case .deliver(let request):
        if pen != nil, journal.failure != nil { continue }
        lastLine = request.line
        await serve(request)
      }
    }
    do {
      try await pen?.finish()
    } catch {
      journal.breakOff(line: lastLine, error)
    }
  }

  private mutating func serve(_ request: ReplayRequest) async {
    await sendIdleToBackground(request)
    do {
      let session = try await deliver(request)
      windows[request.user, default: RecencyList()].use(session, at: 0)
      await keep(request, session)
    } catch {
      journal.count { $0.fail(line: request.line, error) }
    }
    await relievePressure(request)
  }

  // MARK: - A request

  private mutating func deliver(
    _ request: ReplayRequest
  ) async throws(SceneError) -> SessionIdentifier {
    guard request.isActivation else {
      journal.count { $0.events += 1 }
      return try await application.deliver(.activity(request.activity)).persistentIdentifier
    }
    journal.count { $0.activations += 1 }
    try await makeRoom(for: request)
    return try await application.activateSceneSession(for: .init(userActivity: request.activity))
      .persistentIdentifier
  }

  /// Waits until what the session has seen is durable, and notes where the line is.
  private mutating func keep(_ request: ReplayRequest, _ session: SessionIdentifier) async {
    guard pen != nil else { return }
    do {
      try await application.sendDurably(SceneMessage(""), to: session)
      try await pen?.saw(session, line: request.line, log: request.log)
    } catch {
      journal.breakOff(line: request.line, error)
    }
  }

  /// Destroys the user's least recently used session if a new one would be one too many.
  private mutating func makeRoom(for request: ReplayRequest) async throws(SceneError) {
    guard let own = windows[request.user], own.count >= settings.windows,
      let oldest = own.oldest?.element, !isPreferred(request, by: own)
    else { return }
    let state = try await bury(oldest, before: request.line)
    windows[request.user]?.remove(oldest)
    journal.destroyed(oldest, before: request.line, state: state)
    try await application.requestSceneSessionDestruction(oldest)
  }

  /// Writes down what a session leaves that is about to be destroyed.
  private mutating func bury(
    _ session: SessionIdentifier, before line: Int
  ) async throws(SceneError) -> ReplayStateSummary? {
    guard pen != nil, application.session(session) != nil else { return nil }
    let state = try await application.savedState(of: session)
    let summary = (state.activity?.replayState ?? ReplayState()).summary
    try await pen?.destroys(session, before: line, summary)
    return summary
  }

  // The activation reuses such a session (2.6), so that no new one is needed. Nothing else changes
  // this user's conditions in between.
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
        try await application.host.perform(.background(idle))
        journal.count { $0.idleBackgrounds += 1 }
      } catch {
        // It was destroyed between the choice and its turn.
        guard error.code.uiKitCode != 1 else { continue }
        return journal.count { $0.fail(line: request.line, error) }
      }
    }
  }

  private func relievePressure(_ request: ReplayRequest) async {
    guard let limit = settings.connected else { return }
    while let victim = journal.takeVictim(limit: limit) {
      do {
        // R-DIS-1; a scene that is in the background already stays there.
        try await application.host.perform(.background(victim))
        try await application.host.perform(.disconnect(victim))
        journal.count { $0.systemDisconnects += 1 }
      } catch {
        journal.keep(victim)
        // Its user came back to it, or gave it up, between the choice and its turn.
        guard error.code == .notInBackground || error.code.uiKitCode == 1 else {
          return journal.count { $0.fail(line: request.line, error) }
        }
        journal.count { $0.sparedScenes += 1 }
      }
    }
  }
}

/// A queue of limited length from one task to another one: each waits for the other.
actor BoundedQueue<Element: Sendable> {
  private let limit: Int
  // The oldest first; there are few.
  private var elements: [Element] = []
  private var isFinished = false
  private var sender: CheckedContinuation<Void, Never>?
  private var receiver: CheckedContinuation<Void, Never>?

  /// Makes an empty queue.
  ///
  /// - Parameter limit: How many elements it holds before the sender waits: 1 or more.
  init(limit: Int) {
    self.limit = max(limit, 1)
  }

  /// Appends an element as soon as there is room; only one task may send.
  func send(_ element: Element) async {
    while elements.count == limit {
      await withCheckedContinuation { sender = $0 }
    }
    elements.append(element)
    receiver.take()?.resume()
  }

  /// Takes the oldest element as soon as there is one; only one task may receive.
  ///
  /// - Returns: nil after the last element.
  func next() async -> Element? {
    while elements.isEmpty {
      if isFinished { return nil }
      await withCheckedContinuation { receiver = $0 }
    }
    defer { sender.take()?.resume() }
    return elements.removeFirst()
  }

  /// Ends the queue behind the elements in it.
  func finish() {
    isFinished = true
    receiver.take()?.resume()
  }
}
