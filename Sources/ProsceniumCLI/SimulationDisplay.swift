// SPDX-License-Identifier: Apache-2.0

import ProsceniumLoad
import ProsceniumPrimitives
import ProsceniumSimulation

/// Shows how far a run of simulated worlds has come.
final class SimulationDisplay: Sendable {
  private let progress: Guarded<ReplayProgress<ContinuousClock>>
  private let seeds: Int

  /// Makes a display that begins now.
  init(seeds: Int) {
    self.seeds = seeds
    let columns = Terminal.errorColumns
    progress = Guarded(
      ReplayProgress(
        columns.map { .terminal(columns: $0) } ?? .lines, clock: ContinuousClock()))
  }

  /// The time since the beginning.
  var seconds: Double { progress.withLock { $0.elapsed / .seconds(1) } }

  /// Shows the position, if it is time.
  func show(_ position: SimulationCampaign.Progress) {
    let text = progress.withLock { progress in
      progress.text { elapsed, columns in line(position, elapsed / .seconds(1), columns) }
    }
    if let text { Terminal.writeError(text) }
  }

  /// Takes the line away.
  func end() {
    Terminal.writeError(progress.withLock { $0.end })
  }

  private func line(
    _ position: SimulationCampaign.Progress, _ elapsed: Double, _ columns: Int?
  ) -> String {
    let fraction = Double(position.seeds) / Double(max(seeds, 1))
    var parts = [ReplayPosition.bar(fraction)]
    parts.append("\(NumberText.grouped(position.seeds)) of \(NumberText.grouped(seeds)) seeds")
    parts.append("\(NumberText.grouped(position.failed)) failed")
    if elapsed > 0 {
      parts.append("\(NumberText.rate(Double(position.seeds) / elapsed)) seeds")
      parts.append("\(NumberText.rate(Double(position.steps) / elapsed)) steps")
    }
    if fraction > 0 {
      parts.append(NumberText.clock(seconds: elapsed / fraction - elapsed) + " left")
    }
    let line = parts.joined(separator: "  ")
    return columns.map { String(line.prefix($0)) } ?? line
  }
}
