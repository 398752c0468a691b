// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Programs that write their results into one CSV file at the same time.
@Suite(.timeLimit(.minutes(20))) struct CSVProgramTests {
  private let folder: TemporaryFolder
  private var csv: String { folder.path + "/c.csv" }

  init() throws {
    folder = try TemporaryFolder()
    let names = (0..<40).map { "session\($0 % 7)\n" }.joined()
    _ = try folder.file("trace", names)
    let request = #"1.2.3.4 - - [10/Oct/2025:13:55:36 +0000] "GET /a HTTP/1.1" 200 1 "-" "b""#
    _ = try folder.file("log", request + "\n")
  }

  @Test(
    arguments: [
      "policy trace --sizes 2", "replay log",
      "load --sessions 9 --rate 20 --discards 0 --duration 1s --warmup 0s --store memory --quiet",
    ])
  func `runs that begin in one second have identifiers of their own`(command: String) async throws {
    let run = try await together(8, command)
    #expect(run.status == 0, "\(run.errors)")
    let rows = try CSVTable(folder.text("c.csv")).rows
    let runs = Dictionary(grouping: rows) { $0["run"] ?? "" }
    #expect(runs.count == 8, "\(runs.keys.sorted())")
    let program = command.prefix { $0 != " " } + "-"
    #expect(runs.keys.allSatisfy { $0.hasPrefix(program) })
    let report = try await ProgramRun(["report", csv, "-o", folder.path + "/r.html"])
    #expect(report.output.hasSuffix(", 8 runs\n"), "\(report.output)\(report.errors)")
  }

  @Test func `many runs on one new file write one header, first, and whole rows`() async throws {
    let run = try await together(24, "policy trace --sizes 2")
    #expect(run.status == 0, "\(run.errors)")
    let text = try folder.text("c.csv")
    let lines = text.components(separatedBy: "\r\n")
    #expect(lines.first?.hasPrefix("schema_version,") == true)
    #expect(lines.count { $0.hasPrefix("schema_version,") } == 1)
    #expect(lines.last == "")
    let table = CSVTable(text)
    #expect(table.rows.allSatisfy { $0.count == 10 && $0["schema_version"] == "1" })
    let counts = Dictionary(grouping: table.rows) { $0["metric"] }.mapValues(\.count)
    #expect(counts["commit"] == 24 && counts["events"] == 24, "\(counts)")
  }

  @Test func `a run that has no room for its rows leaves the file as it was`() async throws {
    #expect(try await together(1, "policy trace --sizes 2").status == 0)
    let before = try folder.text("c.csv")
    // Counted in pieces of 512 bytes, or of 1,024 by some shells: a part of the rows would fit.
    let room = before.utf8.count / 512 + 2
    let full = try await ProgramRun(
      shell: """
        trap '' XFSZ && ulimit -f \(room) && cd '\(folder.path)'
        for size in 1 2 3 4 5 6 7 8; do
          "$program" policy trace --sizes $size,20,30,40 --csv c.csv > /dev/null || status=$?
        done
        exit ${status:-0}
        """)
    #expect(full.status == 2, "\(full.errors)")
    #expect(full.errors.contains("expected that more can be written"), "\(full.errors)")
    let after = try folder.text("c.csv")
    #expect(after.hasPrefix(before) && after.hasSuffix("\r\n"), "\(after.suffix(200))")
    #expect(CSVTable(after).rows.allSatisfy { $0.count == 10 })
    #expect(try await together(1, "policy trace --sizes 3").status == 0)
  }

  /// Starts a command so many times at once, all on one file.
  private func together(_ count: Int, _ command: String) async throws -> ProgramRun {
    // Not by the shell itself: one whose signals are blocked would wait for ever.
    try await ProgramRun(
      shell: """
        cd '\(folder.path)'
        seq \(count) | xargs -P \(count) -n 1 sh -c '"$program" \(command) --csv c.csv > /dev/null'
        """)
  }
}
