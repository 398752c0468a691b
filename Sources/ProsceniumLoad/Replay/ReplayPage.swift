// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// A page of the book in which a replay with a store writes down where the lines went.
///
/// The windows' own states say what each of them has seen, and are what is verified; the book says
/// which line is to be found where, also after a window was destroyed. Its text is one string of a
/// user activity:
/// ```
/// replay windows 8 tabs 8
/// read 18 51b07a…09
/// saw 17 6f0c…
/// destroyed 18 77ab… 3 4711 8c1f0d…e2 0d92…11
/// ```
struct ReplayPage: Hashable, Sendable, CustomStringConvertible {
  /// Something that happened.
  enum Entry: Hashable, Sendable {
    /// A session saw a line.
    case saw(SessionIdentifier, line: Int)
    /// A session was destroyed to make room for a line, with a state that is kept nowhere else.
    case destroyed(SessionIdentifier, before: Int, ReplayStateSummary)
  }

  /// A line, and what sums up the log up to it.
  struct Place: Hashable, Sendable {
    let line: Int
    let log: ReplayDigest
  }

  /// How many entries a page has at most.
  static let entryLimit = 128

  /// The limits by which sessions are destroyed and tabs closed; all runs have to agree on them.
  let windows: Int
  let tabs: Int
  /// A line that was read; the last one in the entries, unless it is not known.
  private(set) var place: Place?
  private(set) var entries: [Entry] = []

  /// Makes an empty page.
  init(windows: Int, tabs: Int) {
    self.windows = windows
    self.tabs = tabs
  }

  /// Appends an entry.
  ///
  /// - Parameters:
  ///   - entry: What happened.
  ///   - place: The line that it happened for, if its sum is known.
  mutating func append(_ entry: Entry, at place: Place?) {
    entries.append(entry)
    if let place, place.line > self.place?.line ?? 0 { self.place = place }
  }

  /// The text from which ``init(_:)`` makes an equal page.
  var description: String {
    var text = "replay windows \(windows) tabs \(tabs)"
    if let place { text += "\nread \(place.line) \(place.log.text)" }
    for entry in entries { text += "\n\(entry)" }
    return text
  }

  /// Reads the text of a page.
  ///
  /// - Returns: nil where the text is not one that ``description`` gives.
  init?(_ text: String) {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
    let head = lines.removeFirst().split(separator: " ")
    guard head.count == 5, let windows = Int(head[2]), let tabs = Int(head[4]) else { return nil }
    self.init(windows: windows, tabs: tabs)
    if let words = lines.first?.split(separator: " "), words.count == 3, words[0] == "read" {
      guard let line = Int(words[1]), let log = ReplayDigest(words[2]) else { return nil }
      place = Place(line: line, log: log)
      lines.removeFirst()
    }
    for line in lines {
      guard entries.count < Self.entryLimit, let entry = Entry(line) else { return nil }
      entries.append(entry)
    }
    if description != text { return nil }
  }
}

extension ReplayPage.Entry: CustomStringConvertible {
  var description: String {
    switch self {
    case .saw(let session, let line): return "saw \(line) \(session)"
    case .destroyed(let session, let line, let state):
      let lines = ReplayDigest(value: state.linesDigest).text
      let tabs = ReplayDigest(value: state.tabsDigest).text
      return "destroyed \(line) \(session) \(state.requests) \(state.bytes) \(lines) \(tabs)"
    }
  }

  init?(_ text: Substring) {
    let words = text.split(separator: " ")
    guard words.count >= 3, let line = Int(words[1]),
      let session = SessionIdentifier(String(words[2]))
    else { return nil }
    if words[0] == "saw", words.count == 3 {
      self = .saw(session, line: line)
      return
    }
    guard words[0] == "destroyed", words.count == 7, let requests = Int(words[3]),
      let bytes = Int64(words[4]), let lines = ReplayDigest(words[5]),
      let tabs = ReplayDigest(words[6])
    else { return nil }
    self = .destroyed(
      session, before: line,
      ReplayStateSummary(
        requests: requests, bytes: bytes, linesDigest: lines.value, tabsDigest: tabs.value))
  }
}

/// A page of the book as a session: it keeps the text that it was sent last.
final class ReplayPageDelegate: SceneDelegate, SendableMetatype {
  private var text = ""

  func scene(
    _ scene: isolated Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions
  ) {
    text = session.stateRestorationActivity?.userInfo["text"]?.string ?? ""
  }

  func scene(_ scene: isolated Scene, didReceive message: SceneMessage) {
    text = message.string
  }

  func stateRestorationActivity(for scene: isolated Scene) -> UserActivity? {
    text.isEmpty ? nil : UserActivity("page", userInfo: ["text": .string(text)])
  }
}

extension SceneSession.Role {
  /// The pages of a replay's book; no request of a user is ever routed to one.
  static let replayBook: Self = "replayBook"
}

/// Writes into the book of a replay: one page after the other, each a session of its own.
///
/// A window's state names the last ``ReplayState/recentLimit`` lines that it saw, so that not every
/// line has to be in the book at once: a replay that has written no more than so many lines since
/// the last commit finds all of them in the states.
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

  /// Writes the first page of a book: it tells to which replay the store belongs.
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
      try await application.host.perform(.background(session))
      try await application.host.perform(.disconnect(session))
      self.session = nil
      page = ReplayPage(windows: settings.windows, tabs: settings.tabs)
    }
  }
}
