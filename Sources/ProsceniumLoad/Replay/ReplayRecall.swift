// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
import Proscenium

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
