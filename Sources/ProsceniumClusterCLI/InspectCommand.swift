// SPDX-License-Identifier: Apache-2.0

#if Cluster && Complete
  import ArgumentParser
  import Proscenium
  import ProsceniumJSON
  import ProsceniumPostgres
  import ProsceniumTerminal

  /// `proscenium inspect` of an address: shows what a store in PostgreSQL keeps.
  struct InspectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "inspect",
      abstract: "Shows the sessions of a store in PostgreSQL, or everything about one of them.",
      discussion: """
        Nothing is changed, and applications can use the store as well; what is shown is the store \
        as it was at one moment. Until the program ends, the server keeps old versions of rows for \
        it. Each session gives a line:

          session        the identifier; '!' behind it if something is damaged
          state          the size of the sealed state, or '-' for none
          activated      the activation counter when the session last became active

        The columns 'epoch' and 'changed' are those of a store in a file: here they are '-'.

        --session shows one session with its saved state, for which the application key is needed. \
        With --json each line is an object: first the store's, then one for each session.

        The exit code is 0, 1 if something that was shown is damaged, and 2 if there is no store \
        or no such session. 'verify' checks everything.

        EXAMPLES
          proscenium inspect postgres://app@db/sessions
          proscenium inspect postgres://app@db/sessions --key app.key --session $ID
          proscenium inspect postgres://app@db/sessions --json | jq .session
        """)

    @Argument(help: "The address of the store.")
    var address: String

    @Option(
      help: ArgumentHelp(
        "The file with the application key, which opens a saved state.", valueName: "file"))
    var key: String?

    @Option(help: ArgumentHelp("Show the session with an identifier.", valueName: "id"))
    var session: String?

    @Flag(help: "Write JSON, an object a line.")
    var json = false

    func validate() throws {
      if let session, SessionIdentifier(session) == nil {
        throw ValidationError("--session: expected the text of a UUID, found \(session)")
      }
    }

    func run() async throws {
      // A key that is missing is said in place of the state.
      let keys = key.map { path in
        Result { () throws(SealingError) in
          try FileKeyProvider(path: path, createsIfMissing: false).keys()
        }
      }
      let provider = try? keys?.get()
      let inspection = try await PostgresInspection(
        address, key: provider.map { keys in .callback { keys } })
      do {
        if let identifier = session.flatMap({ SessionIdentifier($0) }) {
          try await show(identifier, inspection, keys)
        } else {
          try await showAll(inspection)
        }
        await inspection.close()
      } catch {
        await inspection.close()
        throw error
      }
    }

    // MARK: - One session

    private func show(
      _ identifier: SessionIdentifier, _ inspection: PostgresInspection,
      _ keys: Result<ApplicationKeys, SealingError>?
    ) async throws {
      guard let session = try await inspection.session(identifier) else {
        throw StoreError(
          .failed, session: identifier,
          "expected a session of \(try PostgresAddress(address).place), found none.")
      }
      let state: Result<SessionStateText, StoreError>
      do throws(StoreError) {
        if session.stateSize != nil, case .failure(let error) = keys {
          throw StoreError(.init(rawValue: error.code.rawValue), error.message)
        }
        let bytes =
          session.stateSize == nil ? nil : try await inspection.savedState(of: identifier)
        state = .success(try SessionStateText(bytes, of: identifier))
      } catch {
        state = .failure(error)
      }
      let text = SessionText(session)
      try Terminal.writeOutput(json ? "\(text.json(with: state))\n" : text.table(with: state))
      guard session.row.damage == nil, (try? state.get()) != nil else { throw ExitCode(1) }
    }

    // MARK: - All sessions

    private func showAll(_ inspection: PostgresInspection) async throws {
      let totals = StoreTotalsText(
        try await inspection.totals(), place: try PostgresAddress(address).place)
      try Terminal.writeOutput(json ? "\(totals.json)\n" : totals.table + "\n")
      var lines = OutputBuffer()
      if !json { try lines.add(SessionText.heading) }
      var isDamaged = false
      try await inspection.forEachSession { session in
        if session.row.damage != nil { isDamaged = true }
        try lines.add(json ? "\(SessionText(session).json)\n" : SessionText(session).line)
      }
      try lines.flush()
      if isDamaged { throw ExitCode(1) }
    }
  }

  extension SessionText {
    /// A session of a store in PostgreSQL.
    fileprivate init(_ session: PostgresInspection.Session) {
      self.init(
        session.row,
        state: session.stateSize.map { State(size: $0, epoch: session.stateEpoch) })
    }
  }
#endif
