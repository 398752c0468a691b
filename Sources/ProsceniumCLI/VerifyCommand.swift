// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Proscenium
import ProsceniumLoad
import ProsceniumSQLite
import ProsceniumTerminal

/// `proscenium verify`: checks everything that a store keeps.
struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Checks every page, row and seal of a store.",
    discussion: """
      Everything in the file is read and nothing is changed or made, so that the store can be \
      on a read-only mount; an application can use it as well. In place of a file it can be the \
      address of a store in PostgreSQL, which proscenium-cluster checks. Each thing that is wrong \
      gives a line, with the session that it concerns. The last line is the verdict, and the exit \
      code says the same:

        sound      0  everything has its checksum and its seal
        damaged    1  the store can be used, and what is listed is lost
        unusable   2  there is no store of this version, or it is sealed with another key

      EXAMPLES
        proscenium verify sessions.store
        proscenium verify sessions.store --key /run/keys/app.key
        proscenium verify backup-2026-05-01 --key sessions.store.key | tail -1
        proscenium verify postgres://app@db/sessions --key app.key
      """)

  @OptionGroup var file: StoreArguments

  func run() throws {
    let report = try verify()
    try Terminal.writeOutput(StoreReportText(report, verdict: "sound").text)
    if !report.isSound { throw ExitCode(1) }
  }

  private func verify() throws -> StoreReport {
    let progress = Terminal.progress()
    defer { progress.end() }
    do throws(StoreError) {
      return try StoreVerification.run(file.store, key: file.keyProvider) { done, total in
        progress.show(Double(done) / Double(max(total, 1))) { _ in ["verifying"] }
      }
    } catch {
      // Why it is unusable is said in any case.
      try? Terminal.writeOutput("unusable\n")
      throw error
    }
  }
}
