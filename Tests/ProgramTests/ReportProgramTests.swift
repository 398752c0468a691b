// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// `proscenium report`, and the files that it and other programs read.
@Suite(.timeLimit(.minutes(20))) struct ReportProgramTests {
  /// A file with two runs, made as a user would: a task that all tests wait for, so that it is made
  /// once.
  private static let made = Task { try await makeRuns() }

  private let folder: TemporaryFolder
  private let csv: String

  init() async throws {
    folder = try TemporaryFolder()
    csv = try await Self.made.value.path + "/load.csv"
  }

  private static func makeRuns() async throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for seed in ["1", "2"] {
      let run = try await ProgramRun([
        "load", "--sessions", "100", "--connected", "50", "--rate", "1000", "--duration", "2s",
        "--warmup", "0s", "--store", "memory", "--csv", folder.path + "/load.csv", "--seed", seed,
        "--quiet", "--fail-if", "p99>1000s",
      ])
      #expect(run.status == 0, "\(run.errors)")
    }
    return folder
  }

  @Test func `a page is drawn that has every run`() async throws {
    let page = folder.path + "/report.html"
    let run = try await ProgramRun(["report", csv, "-o", page])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output == "report: \(page), 2 runs\n")
    let html = try String(contentsOfFile: page, encoding: .utf8)
    #expect(html.hasPrefix("<!DOCTYPE html>") && html.hasSuffix("</html>\n"))
    for id in ["run0-throughput", "run1-latency", "run1-percentiles", "all-throughput"] {
      #expect(html.contains("id=\"\(id)\""), "\(id)")
    }
    #expect(html.contains("p99&gt;1000s"), "the flags are shown")
  }

  @Test func `a load test draws its own page`() async throws {
    let page = folder.path + "/own.html"
    let run = try await ProgramRun([
      "load", "--sessions", "50", "--rate", "500", "--duration", "1s", "--warmup", "0s",
      "--store", "memory", "--report", page,
    ])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("report: \(page)\n"))
    #expect(try String(contentsOfFile: page, encoding: .utf8).contains("id=\"run0-latency\""))
  }

  @Test func `files are compared, and a threshold that is crossed is exit code 1`() async throws {
    let slower = folder.path + "/slower.csv"
    let text = try String(contentsOfFile: csv, encoding: .utf8)
    // Every latency ten times as long.
    let changed = text.split(separator: "\r\n").map { line -> Substring in
      guard line.contains(",latency,"), let end = line.lastIndex(of: ","),
        let begin = line[..<end].lastIndex(of: ","),
        let value = Double(line[line.index(after: begin)..<end])
      else { return line }
      return line[...begin] + String(format: "%.9f", value * 10) + line[end...]
    }
    try (changed.joined(separator: "\r\n") + "\r\n")
      .write(toFile: slower, atomically: true, encoding: .utf8)
    let page = folder.path + "/compared.html"
    let same = try await ProgramRun(["report", csv, csv, "-o", page, "--threshold", "1%"])
    #expect(same.status == 0, "\(same.errors)")
    #expect(same.lastLine == "within 1.0 %")
    let worse = try await ProgramRun(["report", csv, slower, "-o", page, "--threshold", "200%"])
    #expect(worse.status == 1)
    #expect(worse.lastLine?.hasPrefix("worse: ") == true)
    #expect(worse.lastLine?.contains("latency p99 went from") == true)
    #expect(worse.output.contains("×10.0"))
  }

  @Test func `what cannot be compared is not said to be within a threshold`() async throws {
    let text = try String(contentsOfFile: csv, encoding: .utf8)
    let ids = Set(CSVTable(text).rows.compactMap { $0["run"] })
    let rows = ids.map { "1,\($0),load,browse,,,complete,,0,1\r\n" }.joined()
    let stopped = try folder.file("stopped.csv", text + rows)
    let other = try folder.file("other.csv", text.replacing(",load,browse,", with: ",load,chat,"))
    let page = folder.path + "/none.html"
    for (files, expected) in [
      ([csv, stopped], "stopped.csv"), ([stopped, csv], "stopped.csv"),
      ([csv, other], "found none"),
    ] {
      let run = try await ProgramRun(["report"] + files + ["-o", page, "--threshold", "50%"])
      #expect(run.status == 2, "\(run.output)")
      #expect(run.errorLines == 1 && run.errors.contains(expected), "\(run.errors)")
      #expect(!run.output.contains("within"))
    }
  }

  @Test func `what is no such file is refused in one line, with its place`() async throws {
    let text = try String(contentsOfFile: csv, encoding: .utf8)
    let files = [
      ("empty.csv", "", "expected a header and rows"),
      ("other.csv", "a,b\n1,2\n", ":1: expected schema_version,"),
      ("cut.csv", String(text.dropLast(20)), "cut off"),
      ("new.csv", text.replacing("\r\n1,", with: "\r\n7,"), ":2: schema_version: expected 1"),
    ]
    let page = folder.path + "/none.html"
    for (name, content, expected) in files {
      try content.write(toFile: folder.path + "/" + name, atomically: true, encoding: .utf8)
      let run = try await ProgramRun(["report", folder.path + "/" + name, "-o", page])
      #expect(run.status == 2, "\(name)")
      #expect(run.errorLines == 1 && run.errors.contains(expected), "\(name): \(run.errors)")
    }
    #expect(!FileManager.default.fileExists(atPath: page), "a page without a report is left behind")
    for arguments in [
      ["/nonexistent.csv", "-o", page], [folder.path, "-o", page], [],
      [csv, "--threshold", "10%"], [csv, "-o", "/nonexistent/r.html"],
      [csv, csv, "--threshold", "much"],
    ] {
      let run = try await ProgramRun(["report"] + arguments)
      #expect(run.status == 2 && run.errorLines == 1, "\(arguments): \(run.errors)")
    }
  }

  @Test func `SQLite and Python read the file as it was written`() async throws {
    let own = CSVTable(try String(contentsOfFile: csv, encoding: .utf8)).rows
    let sqlite = try await ProgramRun(
      shell: """
        sqlite3 :memory: -cmd '.mode csv' -cmd '.import \(csv) rows' \
        "select count(*), count(distinct run), sum(metric = 'latency'), \
        max(labels) from rows where suite = 'load'"
        """)
    #expect(sqlite.status == 0, "\(sqlite.errors)")
    let load = own.filter { $0["suite"] == "load" }
    let latencies = load.count { $0["metric"] == "latency" }
    let labels = load.compactMap { $0["labels"] }.max() ?? ""
    #expect(sqlite.lastLine.map { String($0) } == "\(load.count),2,\(latencies),\(labels)")
    let python = try await ProgramRun(
      shell: """
        python3 -c 'import csv, sys
        rows = list(csv.DictReader(open(sys.argv[1], newline="", encoding="utf-8"), strict=True))
        seeds = [float(r["value"]) for r in rows if r["metric"] == "seed"]
        print(len(rows), len(rows[0]), sum(seeds))
        print([r["labels"] for r in rows if r["metric"] == "flags"][0])' '\(csv)'
        """)
    #expect(python.status == 0, "\(python.errors)")
    #expect(python.output.hasPrefix("\(own.count) 10 3.0\n"))
    #expect(python.output.contains("--fail-if p99>1000s"))
  }
}
