// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ProsceniumSQLite

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
}
