// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ProsceniumLoad

struct BenchmarkTablesTests {
  private static func row(
    _ name: String, _ labels: [String: String], _ metric: String, _ value: Int,
    _ unit: CSVRow.Unit = .one
  ) -> CSVRow {
    CSVRow(.bench, name: name, labels: labels, metric: metric, value: CSVNumber(value), unit: unit)
  }

  private static func rates(_ scenes: Int, _ own: Int, _ floor: Int) -> [CSVRow] {
    let size = ["scenes": String(scenes)]
    func labels(_ by: String, _ to: String? = nil) -> [String: String] {
      size.merging(["by": by, "to": to].compactMapValues(\.self)) { $1 }
    }
    return [
      row("Delivery:deliver", labels("proscenium"), "operations_per_second", own, .perSecond),
      row("Delivery:deliver", labels("proscenium"), "allocations_per_operation", 3),
      row("Delivery:deliver", labels("proscenium", "floor"), "ratio", 2),
      row("Delivery:deliver", labels("proscenium", "tokio"), "ratio", 4),
      row("Delivery:deliver", labels("floor"), "operations_per_second", floor, .perSecond),
      row("Delivery:deliver", labels("tokio"), "operations_per_second", 1_000, .perSecond),
    ]
  }

  private let report = Report(
    run: "bench-1",
    CSVRow.meta(
      name: "bench", machine: "a machine", commit: "abc1234", flags: "full", seed: nil,
      startedAt: 0) + rates(10_000, 4_000_000, 8_000_000) + rates(1_000_000, 1_000_000, 4_000_000))

  @Test func `a table has the runtime's figures, its ratios and its growth and the floor's`()
    throws
  {
    let text = try #require(
      report.replacingTables(in: "before\n<!-- benchmarks -->\nold\n<!-- end of benchmarks -->end"))
    #expect(
      text == """
        before
        <!-- benchmarks -->

        1970-01-01 00:00:00, a machine, commit `abc1234`, `make bench`.

        ### Delivery

        |  | figure | allocations | of the floor | growth | × tokio |
        | --- | --: | --: | --: | --: | --: |
        | deliver, 10,000 scenes | 4.0 M/s | 3.00 | 200.0 % |  | 4.00 |
        | deliver, 1,000,000 scenes | 1.0 M/s | 3.00 | 200.0 % | ×4.00, floor ×2.00 | 4.00 |

        <!-- end of benchmarks -->end
        """)
  }

  @Test(arguments: ["", "<!-- benchmarks -->", "<!-- end of benchmarks --><!-- benchmarks -->"])
  func `a file without both marks is left alone`(text: String) {
    #expect(report.replacingTables(in: text) == nil)
  }

  @Test func `results that are no benchmarks make no tables`() {
    let other = Report(
      run: "load-1", [CSVRow(.load, name: "browse", metric: "errors", value: 0)])
    #expect(
      other.replacingTables(in: "<!-- benchmarks --><!-- end of benchmarks -->") == nil)
  }

  @Test func `steps of one contest are rows of their own, and bytes have no growth`() throws {
    let rows = ["connected", "disconnected"].flatMap { step in
      [10_000, 100_000].map { sessions in
        Self.row(
          "Memory:session", ["by": step, "sessions": String(sessions)], "memory", 256, .bytes)
      }
    }
    let text = try #require(
      Report(run: "bench-1", rows).replacingTables(
        in: "<!-- benchmarks --><!-- end of benchmarks -->"))
    #expect(text.contains("| session: connected, 10,000 sessions | 256 B |  |  |  |"))
    #expect(text.contains("| session: disconnected, 100,000 sessions | 256 B |  |  |  |"))
  }

  @Test func `the page has the tables`() {
    let html = report.html
    #expect(html.contains("<h1>Proscenium: Benchmarks</h1>"))
    #expect(html.contains("<td>4.0 M/s</td>"))
  }
}
