// SPDX-License-Identifier: Apache-2.0

/// What one command logs, with what is needed to place the application's notifications.
struct ModelLog {
  /// The application's state after a callback, and where in the log that is.
  struct Mark {
    let position: Int
    let state: ModelState
    /// Whether it is in one of several sequences, so that its place is open.
    let isInBranch: Bool
  }

  private(set) var entries: [ModelEntry] = []
  private(set) var marks: [Mark] = []
  /// Whether something happened in an order that is open, with or without lines.
  private(set) var isBranched = false
  /// The sessions that the lines are about.
  var touched: Set<ModelLabel> = []
  /// The transitions that took place, such as `B→I`.
  var edges: Set<String> = []
  /// What else took place that tests are to meet.
  var situations: Set<String> = []

  mutating func write(_ line: String) {
    entries.append(.line(line))
  }

  mutating func mark(_ state: ModelState) {
    marks.append(Mark(position: entries.count, state: state, isInBranch: false))
  }

  /// Appends what happened in several sequences whose order among one another is open.
  mutating func append(_ branches: [ModelLog]) {
    let sequences = branches.map { $0.entries.flatMap(\.lines) }.filter { !$0.isEmpty }
    switch sequences.count {
    case 0: break
    case 1: entries += sequences[0].map { .line($0) }
    default: entries.append(.unordered(sequences))
    }
    isBranched = isBranched || branches.count > 1
    for branch in branches {
      touched.formUnion(branch.touched)
      edges.formUnion(branch.edges)
      situations.formUnion(branch.situations)
      marks += branch.marks.map {
        Mark(position: entries.count, state: $0.state, isInBranch: true)
      }
    }
  }

  /// Appends what a later command for the same session logged.
  mutating func follow(with later: ModelLog) {
    marks += later.marks.map {
      Mark(position: entries.count + $0.position, state: $0.state, isInBranch: $0.isInBranch)
    }
    entries += later.entries
    isBranched = isBranched || later.isBranched
    touched.formUnion(later.touched)
    edges.formUnion(later.edges)
    situations.formUnion(later.situations)
  }

  /// Puts the application's notifications for the net effect of the command in their places.
  ///
  /// Each is at the first callback that brings the state there for good (R-AGG-1).
  ///
  /// - Parameters:
  ///   - before: The application's state before the command.
  ///   - after: The state after it.
  /// - Returns: Whether all places are determined.
  mutating func insertNotes(from before: ModelState, to after: ModelState) -> Bool {
    var notes: [(name: String, mark: Mark)] = []
    var isDetermined = true
    func place(_ name: String, _ holds: (ModelState) -> Bool) {
      let last = marks.lastIndex { !holds($0.state) }.map { $0 + 1 } ?? 0
      guard last < marks.count, !marks[last].isInBranch else {
        isDetermined = false
        return
      }
      notes.append((name, marks[last]))
    }
    if before < after {
      if before < .inactive { place("willEnterForeground") { $0 >= .inactive } }
      if after == .active { place("didBecomeActive") { $0 == .active } }
    } else if before > after {
      if before == .active { place("willResignActive") { $0 < .active } }
      if after < .inactive { place("didEnterBackground") { $0 < .inactive } }
    }
    for note in notes.reversed() {
      entries.insert(.line("app.note(\(note.name))"), at: note.mark.position)
    }
    return isDetermined
  }
}
