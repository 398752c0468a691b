// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Proscenium
import ProsceniumLoad
import ProsceniumSQLite
import ProsceniumTerminal

/// `proscenium forget`: destroys what a store keeps of sessions.
struct ForgetCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "forget",
    abstract: "Discards sessions of a store that no application uses.",
    discussion: """
      The keys of the sessions are destroyed, so that their saved states cannot be opened any \
      more; when the program ends, no copy of a key is left in the store's files. Copies that were \
      made before, and the disk below the file system, may still have them. The application is \
      told of the discards at its next launch, and the rows leave the store then.

      On a terminal it asks before it begins; otherwise --yes is required.

      EXAMPLES
        proscenium forget sessions.store --session 6f1ed002-ab5f-4ad3-9ff0-1b7fcf21ab0c
        proscenium forget sessions.store --all --yes
      """)

  @OptionGroup var file: StoreArguments

  @Flag(help: "Discard all sessions.")
  var all = false

  @Option(help: ArgumentHelp("Discard the session with an identifier.", valueName: "id"))
  var session: String?

  @Flag(help: "Do not ask.")
  var yes = false

  /// How many sessions are discarded together.
  private static let group = 4_096

  func validate() throws {
    if all == (session != nil) {
      throw ValidationError(
        "expected either --all or --session, found \(all ? "both" : "neither").")
    }
    if let session, SessionIdentifier(session) == nil {
      throw ValidationError("--session: expected the text of a UUID, found \(session)")
    }
  }

  func run() async throws {
    let sessions = try sessions()
    let count = "\(NumberText.grouped(sessions.count)) session\(sessions.count == 1 ? "" : "s")"
    guard try isConfirmed(count) else {
      try Terminal.writeOutput("nothing was changed\n")
      return
    }
    let store = try SQLiteSessionStore(path: file.store, key: file.keyProvider)
    let progress = Terminal.progress()
    do {
      for start in stride(from: 0, to: sessions.count, by: Self.group) {
        let end = min(start + Self.group, sessions.count)
        try await store.discardWhileNotRunning(Array(sessions[start..<end]))
        progress.show(Double(end) / Double(sessions.count)) { _ in ["discarding"] }
      }
      progress.end()
    } catch {
      progress.end()
      try? await store.close()
      throw error
    }
    try await store.close()
    try Terminal.writeOutput("\(count) discarded\n")
  }

  /// The sessions that are meant.
  private func sessions() throws -> [SessionIdentifier] {
    let inspection = try StoreInspection(file.store)
    guard let session else {
      var sessions: [SessionIdentifier] = []
      try inspection.forEachSession { session in
        if !session.row.isDiscarded { sessions.append(session.row.persistentIdentifier) }
      }
      return sessions
    }
    guard let identifier = SessionIdentifier(session),
      try inspection.session(identifier) != nil
    else {
      throw ValidationError("\(file.store): expected the session \(session), found none.")
    }
    return [identifier]
  }

  private func isConfirmed(_ count: String) throws -> Bool {
    if yes { return true }
    guard Terminal.isInteractive else {
      throw ValidationError("expected --yes, since there is no terminal to ask on.")
    }
    Terminal.writeError(
      "Discard \(count) of \(Terminal.printable(file.store)) and destroy their keys? [y/N] ")
    let answer = readLine() ?? ""
    return ["y", "yes"].contains(answer.lowercased())
  }
}
