// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
import Foundation
import ProsceniumCharts
import Testing

@testable import ProsceniumLoad

@Suite struct ReportReaderTests {
  private static let header = CSVRow.columns.joined(separator: ",")

  /// Reads a file with a content.
  private func read(_ text: String) throws -> [ReportRun] {
    let folder = try TemporaryFolder()
    let path = folder.path + "/r.csv"
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    return try ReportReader.read(path)
  }

  private func error(_ text: String) throws -> FileError {
    try #require(throws: FileError.self) { try read(text) }
  }

  @Test func `what a program writes is read as it was`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/r.csv"
    for number in 1...2 {
      var writer = try CSVWriter(appendingTo: path, run: "load-\(number)")
      try writer.write(
        CSVRow.meta(
          name: "chat", machine: "a, \"b\"; c=d%", commit: "x", flags: "--fail-if 'p99>5ms'",
          seed: .max, startedAt: 17))
      for second in 1...3 {
        try writer.write(
          CSVRow(
            .load, name: "chat", time: CSVNumber(second), metric: "scenes_connected",
            value: CSVNumber(second * number)))
      }
      try writer.write(
        CSVRow(
          .load, name: "chat", labels: ["scene": "connected"], metric: "latency",
          percentile: CSVNumber(99.9), value: try #require(CSVNumber(0.002)), unit: .seconds))
      try writer.finish()
    }
    let runs = try ReportReader.read(path)
    #expect(runs.map(\.id) == ["load-1", "load-2"])
    let run = try #require(runs.last)
    #expect(run.name == "chat" && run.suites == ["load"])
    #expect(run.circumstances["machine"] == "a, \"b\"; c=d%")
    #expect(run.circumstances["flags"] == "--fail-if 'p99>5ms'")
    #expect(run.circumstances["seed"] == String(UInt64.max))
    #expect(run.total("latency", percentile: 99.9, labels: "scene=connected") == 0.002)
    #expect(run.series("scenes_connected")?.means.map(\.y) == [2, 4, 6])
    #expect(run.series("scenes_connected")?.means.map(\.x) == [1, 2, 3])
  }

  @Test func `the sample in the documentation has what the program writes today`() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
      "../../..")
    let path = root.appendingPathComponent("Docs/Dashboards/sample.csv").standardizedFileURL.path
    let runs = try ReportReader.read(path)
    #expect(runs.count == 2)
    for run in runs { #expect(run.totals.contains { $0.figure.metric == "verdict" }) }
    // Every metric of the page on CSV files, but for those that nothing in the sample has.
    let rows = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\r\n")
      .dropFirst()
    let metrics = Set(
      rows.compactMap { $0.matches(of: /,[a-z_]+,/).last.map { String($0.output) } })
    let page = root.appendingPathComponent("Docs/CSV.md").standardizedFileURL.path
    let text = try String(contentsOfFile: page, encoding: .utf8)
    for metric in metrics { #expect(text.contains("`\(metric.dropFirst().dropLast())`")) }
  }

  @Test func `an empty file and one without rows are refused`() throws {
    #expect(try error("").code == .noRows)
    #expect(try error(Self.header + "\r\n").code == .noRows)
  }

  @Test func `another file is refused by its first line`() throws {
    let error = try error("time,value\n1,2\n")
    #expect(error.code == .otherHeader && error.line == 1)
  }

  @Test func `another version of the schema is refused, with its place`() throws {
    let error = try error(Self.header + "\n2,r,load,n,,,m,,1,1\n")
    #expect(error.code == .otherSchema && error.line == 2 && error.place == "schema_version")
    #expect("\(error)".contains("r.csv:2: schema_version: expected 1, got '2'."))
  }

  @Test(arguments: [
    ("1,r,load,n,,,m,,x,1", "value"), ("1,r,load,n,,x,m,,1,1", "t_s"),
    ("1,r,load,n,,,m,x,1,1", "percentile"), ("1,r,load,n,,,,,1,1", "metric"),
    ("1,r,load,n,,,m,,nan,1", "value"), ("1,r,load,n,,,m,,,1", "value"),
  ])
  func `a field that is no number is refused, with its place`(row: String, column: String) throws {
    let error = try error(Self.header + "\n1,r,load,n,,,m,,1,1\n\(row)\n")
    #expect(error.code == .invalidRow && error.line == 3 && error.place == column)
  }

  @Test func `a file that was cut off is refused wherever the cut is`() throws {
    let text = Self.header + "\n1,r,load,n,,,m,,12,1\n1,r,load,n,\"k=a,b\",,m,,12,1\n"
    let whole = Array(text.utf8)
    #expect(try read(text).count == 1)
    for length in Self.header.utf8.count + 2..<whole.count where whole[length - 1] != 0x0A {
      let error = try error(String(decoding: whole[..<length], as: UTF8.self))
      #expect(error.code == .incompleteLastRow, "\(length)")
    }
  }

  @Test func `a row with too few fields, and one with too many bytes, are refused`() throws {
    #expect(try error(Self.header + "\n1,r,load\n").code == .invalidRow)
    let long = String(repeating: "x", count: CSVLines.rowLimit + 10)
    #expect(try error(Self.header + "\n1,\(long),load,n,,,m,,1,1\n").code == .tooLarge)
  }

  @Test func `a line counts where a field has several`() throws {
    let error = try error(Self.header + "\n1,\"r\nr\nr\",load,n,,,m,,1,1\n1,r,load,n,,,m,,x,1\n")
    #expect(error.line == 5)
  }

  @Test func `a long series is thinned, and keeps its greatest value and its mean`() {
    var series = ReportSeries(limit: 64)
    for time in 0..<10_000 { series.add(time == 7_777 ? 5 : 1, at: Double(time)) }
    #expect((32...64).contains(series.means.count))
    #expect(series.greatest.map(\.y).max() == 5)
    #expect(series.means.allSatisfy { (1...1.1).contains($0.y) })
    #expect(series.means.map(\.x) == series.means.map(\.x).sorted())
  }

  @Test func `labels are read as they were written`() {
    let labels = ["a": "x;y=z%", "b": "\u{1}\n", "ü": ""]
    let row = CSVRow(.load, name: "", labels: labels, metric: "m", value: 1)
    #expect(CSVRow.labels(of: row.labelText) == labels)
    #expect(CSVRow.labels(of: "no label;a=1;%zz=%4") == ["a": "1", "%zz": "%4"])
  }
}
