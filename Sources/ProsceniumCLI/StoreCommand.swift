// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ProsceniumLoad
import ProsceniumSQLite
import ProsceniumTerminal

/// `proscenium store`: what is done to the file of a store.
struct StoreCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "store", abstract: "Upgrades the file of a store, or copies a store.",
    discussion: """
      Two more commands are those of the program proscenium-cluster next to this one:

        init ADDRESS   makes the tables of a store in PostgreSQL
        copy FROM TO   copies a store, from and to a file or PostgreSQL
      """,
    subcommands: [UpgradeCommand.self])
}

/// `proscenium store upgrade`: makes a store of this version of an older one.
struct UpgradeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "upgrade",
    abstract: "Makes a store of this version of one that an earlier version wrote.",
    discussion: """
      Stop the application first. A store of version 5 is changed where it is, at once and as a \
      whole; any program that opens it does the same.

      For one of version 4 the new store is written to a file of its own and verified, and then \
      takes the place of the old one, which stays as STORE.version4; remove that when you are \
      content. Where anything fails, the old store is as it was. There has to be room for both.

      EXAMPLES
        proscenium store upgrade sessions.store
        proscenium store upgrade sessions.store --key /run/keys/app.key
      """)

  @OptionGroup var file: StoreArguments

  func run() async throws {
    let (count, kept) = try await StoreUpgrade.run(file.store, key: file.keyProvider)
    let sessions = "\(NumberText.grouped(count)) session\(count == 1 ? "" : "s")"
    let rest = kept.map { ", the old store is \(Terminal.printable($0))" } ?? ""
    try Terminal.writeOutput(sessions + rest + "\n")
  }
}

/// Which store a command works on, and with which key.
struct StoreArguments: ParsableArguments {
  @Argument(help: "The file of the store.")
  var store: String

  @Option(
    help: ArgumentHelp(
      "The file with the application key; STORE.key unless given.", valueName: "file"))
  var key: String?

  /// Where the key comes from.
  ///
  /// A file that is not there is not made: another key opens nothing.
  var keyProvider: FileKeyProvider {
    FileKeyProvider(path: key ?? store + ".key", createsIfMissing: false)
  }

  func validate() throws { try Self.requireFile(store) }

  /// Refuses the address of a database; it is not repeated, since it may hold a password.
  static func requireFile(_ store: String) throws {
    if StoreAddress.isAddress(store) {
      throw ValidationError("expected the file of a store, found the address of a database.")
    }
  }
}

/// `proscenium backup`: copies a store, also while it is in use.
struct BackupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Copies a store into a new file, also while an application uses it.",
    discussion: """
      The copy is the store as it was at one moment: one file without a log, which is on the disk \
      when the program ends. A file that is there already is not replaced. The copy is sealed with \
      the same application key; keep the key, and not next to the copy. What is forgotten later \
      stays in copies that were made before.

      To restore, stop the application, remove STORE-wal and STORE-shm, and put the copy in the \
      store's place.

      EXAMPLES
        proscenium backup sessions.store backup-2026-05-01
        proscenium verify backup-2026-05-01 --key sessions.store.key
      """)

  @Argument(help: "The file of the store.")
  var store: String

  @Argument(help: "The file to make.")
  var file: String

  func validate() throws { try StoreArguments.requireFile(store) }

  func run() throws {
    let progress = Terminal.progress()
    let size = try {
      defer { progress.end() }
      return try StoreBackup.make(of: store, at: file) { done, total in
        progress.show(Double(done) / Double(max(total, 1))) { _ in ["copying"] }
      }
    }()
    try Terminal.writeOutput("\(NumberText.bytes(size)) in \(Terminal.printable(file))\n")
  }
}
