// SPDX-License-Identifier: Apache-2.0

#if Cluster && Complete
  import ArgumentParser
  import Proscenium
  import ProsceniumLoad
  import ProsceniumPostgres
  import ProsceniumTerminal

  /// `proscenium store copy`: copies a store into another one.
  struct CopyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "copy",
      abstract: "Copies all sessions of a store into another one, and compares the two.",
      discussion: """
        Stop the application first. FROM and TO are each the path of a store in a file, or the \
        address of a database, which begins with postgres:// or postgresql://. A file TO that is \
        not there is made, and so are the tables in a database, if the role may make them; see \
        'store init'. TO must have no sessions but those of an earlier copy of FROM.

        Saved states are opened with the one key and sealed with the other. Sessions that were \
        discarded while no application was running are discarded in the copy.

        A copy that was interrupted, as by Ctrl-C, is begun again with the same command: what is \
        in TO by then is written again. In PostgreSQL it waits a few seconds until the one before \
        is known to have ended.

        Each thing that is damaged in FROM gives a line, with the session that it concerns. The \
        last line is the verdict, and the exit code says the same:

          copied     0  TO has what FROM has
          damaged    1  the same but for what is listed, which was not copied

        The exit code is 2 if a store cannot be used.

        EXAMPLES
          proscenium store copy sessions.store postgres://app@db/sessions
          proscenium store copy postgres://app@db/sessions sessions.store --key app.key
          proscenium store copy old.store new.store --to-key /run/keys/new.key
        """)

    @Argument(help: "The store that is copied: a file or an address.")
    var from: String

    @Argument(help: "The store that is made or filled: a file or an address.")
    var to: String

    @Option(
      help: ArgumentHelp(
        "The file with FROM's application key; FROM.key unless given, required for an address.",
        valueName: "file"))
    var key: String?

    @Option(
      help: ArgumentHelp(
        "The file with TO's application key, made if it is missing and TO is a new file; TO.key "
          + "unless given, and the key of FROM for an address.", valueName: "file"))
    var toKey: String?

    /// How many sessions are discarded together.
    private static let group = 4_096

    func validate() throws {
      if key == nil, StorePlace(from).keyPath == nil {
        throw ValidationError(
          "expected --key with the file of FROM's application key, since FROM is an address.")
      }
      if from == to { throw ValidationError("expected two stores, found the same one twice.") }
    }

    func run() async throws {
      let (source, target) = (StorePlace(from), StorePlace(to))
      let sourceKey = key ?? source.keyPath ?? ""
      let targetKey = FileKeyProvider(
        path: toKey ?? target.keyPath ?? sourceKey, createsIfMissing: target.isNewFile)
      let progress = Terminal.progress()
      let result: StoreCopy.Result
      do {
        defer { progress.end() }
        result = try await copy(
          source, FileKeyProvider(path: sourceKey, createsIfMissing: false), target, targetKey,
          progress)
        try await discard(result.discarded, target, targetKey, progress)
      }
      let text = StoreReportText(
        result.report, verdict: "copied", [("discarded", result.discarded.count)])
      try Terminal.writeOutput(text.text)
      if !result.report.isSound { throw ExitCode(1) }
    }

    private func copy(
      _ source: StorePlace, _ sourceKey: FileKeyProvider, _ target: StorePlace,
      _ targetKey: FileKeyProvider, _ progress: ProgressLine
    ) async throws -> StoreCopy.Result {
      try await source.requireStore(sourceKey)
      let from = try source.open(sourceKey)
      return try await closing(from) {
        // A store that cannot be taken over leaves no new file behind.
        if target.isNewFile { _ = try await from.load { _ in } }
        if !target.isNewFile || Terminal.isFile(targetKey.path) {
          _ = try StoreError.sealing { () throws(SealingError) in try targetKey.keys() }
        }
        let to = try target.open(targetKey)
        return try await closing(to) {
          try await StoreCopy(from: from, to: to).run { step in Self.show(step, progress) }
        }
      }
    }

    /// Discards sessions of the copy, which no application uses yet.
    private func discard(
      _ sessions: [SessionIdentifier], _ place: StorePlace, _ key: FileKeyProvider,
      _ progress: ProgressLine
    ) async throws {
      if sessions.isEmpty { return }
      let store = try place.open(key)
      try await closing(store) {
        for start in stride(from: 0, to: sessions.count, by: Self.group) {
          let end = min(start + Self.group, sessions.count)
          try await store.discardWhileNotRunning(Array(sessions[start..<end]))
          progress.show(Double(end) / Double(sessions.count)) { _ in ["discarding"] }
        }
      }
    }

    /// Runs work and closes a store in any case.
    private func closing<Success>(
      _ store: any CopiedStore, _ work: () async throws -> Success
    ) async throws -> Success {
      let success: Success
      do {
        success = try await work()
      } catch {
        try? await store.close()
        throw error
      }
      try await store.close()
      return success
    }

    private static func show(_ step: StoreCopy.Step, _ progress: ProgressLine) {
      func show(_ what: String, _ done: Int, of total: Int, from start: Double) {
        progress.show(start + Double(done) / Double(max(total, 1)) / 2) { _ in
          ["\(what) \(NumberText.grouped(done)) of \(NumberText.grouped(total)) sessions"]
        }
      }
      switch step {
      case .copied(let done, let total): show("copying", done, of: total, from: 0)
      case .compared(let done, let total): show("comparing", done, of: total, from: 0.5)
      }
    }
  }
#endif
