// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
import Proscenium

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
