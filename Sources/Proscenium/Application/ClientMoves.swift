// SPDX-License-Identifier: Apache-2.0

/// What becomes of clients while sessions come from other processes and go to them, or may not be
/// served.
package struct ClientMoves: Sendable {
  let core: ApplicationCore

  /// The lines of sessions that go to another process.
  package struct Lines: Sendable {
    fileprivate var all: [(line: SessionLine, handedOver: HandedOverLine)] = []

    package init() {}

    /// What the clients need there.
    var handedOver: [HandedOverLine] { all.map(\.handedOver) }

    /// How many sessions have clients.
    package var count: Int { all.count }

  }

  // MARK: - Sessions that go

  /// Takes the lines of sessions away that go: clients get nothing more.
  func depart(_ sessions: [SessionIdentifier]) -> Lines {
    var lines = Lines()
    for line in core.movingLines?.depart(sessions) ?? [] {
      lines.all.append((line, line.change { $0.depart(line.session) }))
    }
    return lines
  }

  /// Tells clients where to go on, or that they have to look for it.
  func end(_ lines: Lines, at address: String?) {
    core.movingLines?.end(lines.all.map(\.line))
    for (line, _) in lines.all { line.change { $0.endAll(.moved(address: address)) } }
  }

  /// Ends the lines of sessions that another process has taken over.
  func end(where isGone: (SessionIdentifier) -> Bool) {
    guard let lines = core.movingLines else { return }
    end(depart(lines.all.map(\.session).filter(isGone)), at: nil)
  }

  // MARK: - Sessions that come

  /// Makes the lines of sessions that are about to come, in the epochs in which they are served.
  func arrive(_ lines: [HandedOverLine], _ rows: [SessionRow]) -> [SessionLine] {
    if lines.isEmpty { return [] }
    let lines = Dictionary(lines.map { ($0.session, $0) }) { $1 }
    return rows.compactMap { row in
      let session = row.persistentIdentifier
      guard !row.isDiscarded, let line = lines[session] else { return nil }
      return core.movingLines?.arrive(
        line, epoch: core.writer.epochs[session],
        core.settings.clientRules(of: row.configuration.role))
    }
  }

  /// Begins to wait for the clients of sessions that have come.
  func beginAbsences(of lines: [SessionLine]) {
    for line in lines {
      guard let session = core.directory.find(line.session) else {
        end(depart([line.session]), at: nil)
        continue
      }
      core.deadlines.beginAbsence(
        LineLedger.arrival, of: line, session, limit: line.rules.gracePeriod)
    }
  }

  // MARK: - A pause

  /// Ends the lines of all clients while their sessions may not be served; they keep their places.
  func interrupt() {
    for line in core.movingLines?.all ?? [] {
      interrupt(line) { $0.interrupt(nil, .moved(address: nil)) }
    }
  }

  /// Ends the line of one client in the same way.
  func interrupt(_ line: SessionLine, _ number: UInt64) {
    interrupt(line) { $0.interrupt(number, .moved(address: nil)) }
  }

  private func interrupt(_ line: SessionLine, _ end: (inout LineLedger) -> Absence?) {
    guard let absence = line.change(end), let session = core.directory.find(line.session) else {
      return
    }
    core.deadlines.beginAbsence(
      absence, of: line, session,
      limit: absence.isLong ? line.rules.keepingPeriod : line.rules.gracePeriod)
  }
}
