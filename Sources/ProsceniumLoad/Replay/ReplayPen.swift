// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// Writes into the book of a replay: one page after the other, each a session of its own.
///
/// A window's state names the last ``ReplayState/recentLimit`` lines that it saw, so that not every
/// line has to be in the book at once: whoever has written no more than so many lines since the last
/// commit finds all of them in the states.
struct ReplayPen {
  private let application: Application
  private let settings: ReplaySettings
  private var page: ReplayPage
  private var session: SessionIdentifier?
  private var waiting = 0

  /// Makes a pen that begins with a new page.
  init(_ application: Application, _ settings: ReplaySettings) {
    self.application = application
    self.settings = settings
    page = ReplayPage(windows: settings.windows, tabs: settings.tabs)
  }

  /// Writes the first page of a book: whoever finds it knows to which replay the store belongs.
  mutating func begin() async throws(SceneError) {
    try await commit()
  }

  /// Notes that a session saw a line, and commits where many lines wait for it.
  mutating func saw(
    _ session: SessionIdentifier, line: Int, log: ReplayDigest?
  ) async throws(SceneError) {
    page.append(
      .saw(session, line: line), at: log.map { ReplayPage.Place(line: line, log: $0) })
    waiting += 1
    if waiting >= ReplayState.recentLimit { try await commit() }
  }

  /// Notes that a session is about to be destroyed; returns when that cannot be forgotten any more.
  mutating func destroys(
    _ session: SessionIdentifier, before line: Int, _ state: ReplayStateSummary
  ) async throws(SceneError) {
    page.append(.destroyed(session, before: line, state), at: nil)
    waiting += 1
    try await commit()
  }

  /// Commits what waits for it.
  mutating func finish() async throws(SceneError) {
    if waiting > 0 { try await commit() }
  }

  private mutating func commit() async throws(SceneError) {
    let session: SessionIdentifier
    if let open = self.session {
      session = open
    } else {
      session = try await application.activateSceneSession(
        for: SceneSessionActivationRequest(role: .replayBook)
      ).persistentIdentifier
      self.session = session
    }
    try await application.sendDurably(SceneMessage(page.description), to: session)
    waiting = 0
    if page.entries.count > ReplayPage.entryLimit - ReplayState.recentLimit {
      try await application.host.background(session)
      try await application.host.disconnect(session)
      self.session = nil
      page = ReplayPage(windows: settings.windows, tabs: settings.tabs)
    }
  }
}
