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

  /// Adds what was seen in a second.
  public func add(_ sample: LoadSample) {
    let rows = sample.rows(name: name)
    run.withLock { $0.add(rows) }
  }

  /// The charts as parts of a page, each with its name there.
  public var drawn: [(id: String, html: String)] {
    let run = run.withLock { $0 }
    return ReportCharts(run, number: 0).all.map { ($0.id, $0.html) }
  }
}
