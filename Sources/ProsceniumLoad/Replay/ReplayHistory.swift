// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumJSON
import ProsceniumPrimitives

/// What earlier runs of a replay did, as far as its store knows.
struct ReplayHistory: Sendable {
  /// A session and a line that it saw.
  struct Sighting: Hashable, Sendable {
    let line: Int
    let session: SessionIdentifier
  }

  /// A session that was destroyed.
  struct Destruction: Hashable, Sendable {
    let session: SessionIdentifier
    let line: Int
    let state: ReplayStateSummary
  }

  /// Whether there was an earlier run.
  private(set) var isContinued = false
  /// By line.
  private(set) var sightings: [Sighting] = []
  private(set) var destructions: [Destruction] = []
  /// The sightings that only the windows' states know of.
  private(set) var unwritten: [Sighting] = []
  /// Sums of the log up to some lines, the last one among them.
  private(set) var places: [Int: ReplayDigest] = [:]
  /// Sessions that have seen nothing, and those that were about to be destroyed.
  private(set) var leftovers: [SessionIdentifier] = []

  /// Makes the history of a first run.
  init() {}

  /// Makes a history of what a store holds.
  ///
  /// - Parameters:
  ///   - contents: What the store holds.
  ///   - settings: The settings of the run that is to go on.
  ///   - name: The store in words.
  /// - Throws: `otherProgram` or `otherSettings`.
  init(
    _ contents: ReplayContents, _ settings: ReplaySettings, _ name: String
  ) throws(FileError) {
    for (identifier, content) in contents.sessions {
      switch content {
      case .page(let page): try read(page, settings, name)
      case .window, .blank: break
      case .foreign:
        throw FileError(
          .otherProgram,
          "\(name): expected a store of a replay, found session \(identifier) of another program."
        )
      }
    }
    let written = Set(sightings)
    let destroyed = Set(destructions.map(\.session))
    for (identifier, content) in contents.sessions {
      switch content {
      case .page: break
      case .blank: leftovers.append(identifier)
      case .foreign: break
      case .window(let state):
        guard isContinued else {
          throw FileError(
            .otherProgram,
            "\(name): expected the book of a replay, found windows without one.")
        }
        if destroyed.contains(identifier) { leftovers.append(identifier) }
        if let last = state.recentLines.last { places[last] = state.log }
        unwritten += state.recentLines.map { Sighting(line: $0, session: identifier) }
          .filter { !written.contains($0) }
      }
    }
    unwritten.sort { $0.line < $1.line }
    sightings = (sightings + unwritten).sorted { $0.line < $1.line }
  }

  private mutating func read(
    _ page: ReplayPage, _ settings: ReplaySettings, _ name: String
  ) throws(FileError) {
    guard page.windows == settings.windows, page.tabs == settings.tabs else {
      throw FileError(
        .otherSettings,
        "\(name): expected --windows \(page.windows) and --tabs \(page.tabs), with which the "
          + "store was begun, got \(settings.windows) and \(settings.tabs).")
    }
    isContinued = true
    if let place = page.place { places[place.line] = place.log }
    for entry in page.entries {
      switch entry {
      case .saw(let session, let line):
        sightings.append(Sighting(line: line, session: session))
      case .destroyed(let session, let line, let state):
        destructions.append(Destruction(session: session, line: line, state: state))
      }
    }
  }

  /// The last line that any session saw; 0 if there is none.
  var lastLine: Int { sightings.last?.line ?? 0 }
}

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

/// Goes through the part of a log that earlier runs have read, and finds what is left of it to do.
///
/// Nothing is delivered before the whole part was compared with what the store knows of its log.
struct ReplayRecall: Sendable {
  private let history: ReplayHistory
  private let name: String
  private let destroyed: Set<SessionIdentifier>
  // The first sighting of a line that was not read yet.
  private var position = 0
  // What was on its way when a run ended.
  private var left: [ReplayRequest] = []

  /// Whether what follows in the log was never read.
  private(set) var isOver: Bool

  /// Makes a recall.
  ///
  /// - Parameters:
  ///   - history: What earlier runs did.
  ///   - name: The store in words.
  init(_ history: ReplayHistory, _ name: String) {
    self.history = history
    self.name = name
    destroyed = Set(history.destructions.map(\.session))
    isOver = history.lastLine == 0
  }

  /// Whether there was an earlier run.
  var isContinued: Bool { history.isContinued }

  /// The last line before which nothing is left to do; right when the recall is over.
  var continuation: Int { left.first.map { $0.line - 1 } ?? history.lastLine }

  /// Takes the next request of the log.
  ///
  /// - Parameter request: The request.
  /// - Returns: What the workers are to be told, in order.
  /// - Throws: `otherLog` if it is not the request of that line.
  mutating func take(_ request: ReplayRequest) throws(FileError) -> [ReplayItem] {
    if request.line > history.lastLine { throw otherLog }
    if let known = history.places[request.line], known != request.log { throw otherLog }
    var items: [ReplayItem] = []
    let start = position
    while position < history.sightings.count, history.sightings[position].line <= request.line {
      guard history.sightings[position].line == request.line else { throw otherLog }
      let session = history.sightings[position].session
      if !destroyed.contains(session) { items.append(.recall(request.user, session)) }
      position += 1
    }
    if position == start { left.append(request) }
    if request.line == history.lastLine {
      isOver = true
      items += left.map { .deliver($0) }
    }
    return items
  }

  /// What it means that the log ends before the recall is over.
  var otherLog: FileError {
    FileError(
      .otherLog,
      "\(name): expected the log with which the store was begun, read up to line "
        + "\(history.lastLine), found another one.")
  }
}
