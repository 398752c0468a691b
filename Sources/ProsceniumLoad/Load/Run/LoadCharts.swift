// SPDX-License-Identifier: Apache-2.0

import ProsceniumCharts
import ProsceniumPrimitives

/// The charts of a load test while it runs, in bounded memory: the same that a report has.
public final class LoadCharts: Sendable {
  /// The rules that a page needs to show them.
  public static let style = Chart.style

  private let run = Guarded(ReportRun(id: "live", path: ""))
  private let name: String

  /// Creates the charts of a scenario, without anything in them.
  public init(_ scenario: LoadScenario) {
    name = scenario.name
  }

  /// Creates the charts of a test with a name.
  package init(name: String) {
    self.name = name
  }

  /// Adds what was seen in a second.
  public func add(_ sample: LoadSample) { add(sample.rows(name: name)) }

  /// Adds what was seen in a second, as rows of the CSV.
  package func add(_ rows: [CSVRow]) { run.withLock { $0.add(rows) } }

  /// The charts as parts of a page, each with its name there.
  public var drawn: [(id: String, html: String)] {
    let run = run.withLock { $0 }
    return ReportCharts(run, number: 0).all.map { ($0.id, $0.html) }
  }
}
