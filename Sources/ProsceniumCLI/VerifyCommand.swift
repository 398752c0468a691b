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
      on a read-only mount; an application can use it as well. Each thing that is wrong gives \
      a line, with the session that it concerns. The last line is the verdict, and the exit code \
      says the same:

        sound      0  everything has its checksum and its seal
        damaged    1  the store can be used, and what is listed is lost
        unusable   2  there is no store of this version, or it is sealed with another key

      EXAMPLES
        proscenium verify sessions.store
        proscenium verify sessions.store --key /run/keys/app.key
        proscenium verify backup-2026-05-01 --key sessions.store.key | tail -1
      """)

  @OptionGroup var file: StoreArguments

  func run() throws {
    let report = try verify()
    for error in report.damage {
      let place = error.session.map { "session \($0)" } ?? "store"
      try Terminal.writeOutput(Terminal.oneLine("\(place): \(error.message)") + "\n")
    }
    if report.damageCount > report.damage.count {
      let rest = NumberText.grouped(report.damageCount - report.damage.count)
      try Terminal.writeOutput("… and \(rest) more\n")
    }
    try Terminal.writeOutput(table(report))
    guard report.isSound else {
      try Terminal.writeOutput("damaged: \(summary(report))\n")
      throw ExitCode(1)
    }
    try Terminal.writeOutput("sound\n")
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

  private func table(_ report: StoreReport) -> String {
    var table = TextTable([.left, .right, .left])
    table.add("sessions", report.sessions)
    table.add("saved states", report.states, NumberText.bytes(report.stateBytes))
    return table.description
  }

  private func summary(_ report: StoreReport) -> String {
    let sessions = Set(report.damage.compactMap(\.session)).count
    let things =
      NumberText.grouped(report.damageCount) + (report.damageCount == 1 ? " thing" : " things")
    return "\(things), \(NumberText.grouped(sessions)) \(sessions == 1 ? "session" : "sessions")"
  }
}
