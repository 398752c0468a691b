// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ProsceniumLoad
import ProsceniumSQLite

/// `proscenium store`: what is done to the file of a store.
struct StoreCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "store", abstract: "Upgrades the file of a store.",
    subcommands: [UpgradeCommand.self])
}

/// `proscenium store upgrade`: makes a store of this version of an older one.
struct UpgradeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "upgrade",
    abstract: "Makes a store of this version of one that an earlier version wrote.",
    discussion: """
      Stop the application first. The new store is written to a file of its own and verified, and \
      then takes the place of the old one, which stays as STORE.version4; remove that when you are \
      content. Where anything fails, the old store is as it was. There has to be room for both.

      EXAMPLES
        proscenium store upgrade sessions.store
        proscenium store upgrade sessions.store --key /run/keys/app.key
      """)

  @OptionGroup var file: StoreArguments

  func run() async throws {
    let (count, kept) = try await StoreUpgrade.run(file.store, key: file.keyProvider)
    try Terminal.writeOutput(
      "\(NumberText.grouped(count)) session\(count == 1 ? "" : "s"), the old store is"
        + " \(Terminal.printable(kept))\n")
  }
}
