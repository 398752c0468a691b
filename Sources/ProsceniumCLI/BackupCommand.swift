// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ProsceniumLoad
import ProsceniumSQLite

/// `proscenium backup`: copies a store, also while it is in use.
struct BackupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Copies a store into a new file, also while an application uses it.",
    discussion: """
      The copy is the store as it was at one moment: one file without a log, which is on the disk \
      when the program ends. A file that is there already is not replaced. The copy is sealed with \
      the same application key; keep the key, and not beside the copy. What is forgotten later \
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

  func run() throws {
    var progress = ProgressLine("copying")
    let size = try {
      defer { progress.end() }
      return try StoreBackup.make(of: store, at: file) { progress.show($0, of: $1) }
    }()
    try Terminal.writeOutput("\(NumberText.bytes(size)) in \(Terminal.printable(file))\n")
  }
}
