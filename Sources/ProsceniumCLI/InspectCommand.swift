// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
import ArgumentParser
import Proscenium
import ProsceniumLoad
import ProsceniumSQLite
import ProsceniumTerminal
import ProsceniumTestKit

/// `proscenium inspect`: shows what a store keeps.
struct InspectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Shows the sessions of a store, or everything about one of them.",
    discussion: """
      Nothing is changed or made, so that the store can be on a read-only mount, and an \
      application can use it as well; what is shown is the store as it was at one moment. In place \
      of a file it can be the address of a store in PostgreSQL, which proscenium-cluster looks at. \
      Each session gives a line:

        session        the identifier; '!' behind it if something is damaged
        state          the size of the sealed state, or '-' for none
        epoch          how many loads of the store came before the last change of the row
        activated      the activation counter when the session last became active
        changed        when the row was changed last, in UTC

      --session shows one session with its saved state, for which the application key is needed. \
      With --json each line is an object: first the store's, then one for each session.

      The exit code is 0, 1 if something that was shown is damaged, and 2 if there is no store or \
      no such session. 'verify' checks everything.

      EXAMPLES
        proscenium inspect sessions.store
        proscenium inspect sessions.store --session 6f1ed002-ab5f-4ad3-9ff0-1b7fcf21ab0c
        proscenium inspect sessions.store --json | jq 'select(.stateBytes > 100000) | .session'
      """)

  @OptionGroup var file: StoreArguments

  @Option(help: ArgumentHelp("Show the session with an identifier.", valueName: "id"))
  var session: String?

  @Flag(help: "Write JSON, an object a line.")
  var json = false

  func run() throws {
    if let session {
      guard let identifier = SessionIdentifier(session) else {
        throw ValidationError("--session: expected the text of a UUID, found \(session)")
      }
      try show(identifier)
    } else {
      try showAll()
    }
  }

  // MARK: - One session

  private func show(_ identifier: SessionIdentifier) throws {
    // A key that is missing is said in place of the state.
    let key = Result { () throws(SealingError) in try file.keyProvider.keys() }
    let provider = try? key.get()
    let inspection = try StoreInspection(
      file.store, key: provider.map { keys in .callback { keys } })
    guard let session = try inspection.session(identifier) else {
      throw StoreError(
        .failed, session: identifier, "expected a session of \(file.store), found none.")
    }
    let state = Result { () throws(StoreError) in
      if session.savedState != nil, case .failure(let error) = key {
        throw StoreError(.init(rawValue: error.code.rawValue), error.message)
      }
      return try SessionStateText(inspection.savedState(of: session), of: identifier)
    }
    let text = SessionText(session)
    try Terminal.writeOutput(json ? "\(text.json(with: state))\n" : text.table(with: state))
    guard session.row.damage == nil, (try? state.get()) != nil else { throw ExitCode(1) }
  }

  // MARK: - All sessions

  private func showAll() throws {
    let inspection = try StoreInspection(file.store)
    let totals = StoreTotalsText(try inspection.totals(), path: file.store)
    try Terminal.writeOutput(json ? "\(totals.json)\n" : totals.table + "\n")
    var lines = OutputBuffer()
    if !json { try lines.add(SessionText.heading) }
    var isDamaged = false
    let damage = try inspection.forEachSession { session in
      if session.row.damage != nil { isDamaged = true }
      try lines.add(json ? "\(SessionText(session).json)\n" : SessionText(session).line)
    }
    try lines.flush()
    for error in damage { Terminal.writeError(Terminal.oneLine("proscenium: \(error)") + "\n") }
    if isDamaged || !damage.isEmpty { throw ExitCode(1) }
  }
}

extension SessionText {
  /// A session of a store in a file.
  fileprivate init(_ session: StoreInspection.Session) {
    self.init(
      session.row, state: session.savedState.map { State(size: $0.size, epoch: $0.epoch) },
      epoch: session.epoch, createdAt: session.createdAt, changedAt: session.changedAt)
  }
}
