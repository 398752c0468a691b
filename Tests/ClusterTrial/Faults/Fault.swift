// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import ProsceniumLocalPostgres

  /// Something that happens to a cluster, once.
  protocol Fault: Sendable {
    /// What happens, in a few words.
    var name: String { get }

    /// Lets it happen to a cluster of its own.
    func run(on cluster: TrialCluster) async throws -> FaultOutcome
  }

  /// What came of a fault.
  struct FaultOutcome: Sendable {
    /// What was measured.
    var figures: [String] = []
    /// What must not have happened.
    var problems: [String] = []
    /// Why it could not happen here, if so.
    var reason: String?

    /// Looks at what all nodes have done, when they have ended.
    mutating func judge(_ checker: HistoryChecker) {
      figures.append("\(checker.acknowledgements) counts acknowledged")
      problems += checker.problems
      if checker.acknowledgements == 0 { problems.append("nothing was acknowledged") }
    }

    /// Notes what a figure is that has a bar: one that is far above it is a problem, since
    /// machines differ.
    mutating func note(_ name: String, _ value: Double, of bar: Double, _ unit: String) {
      figures.append("\(name) \(value.formatted(2)) \(unit) (\(bar.formatted(2)))")
      if value > 10 * bar { problems.append("\(name): \(value.formatted(2)) \(unit)") }
    }
  }

  extension Double {
    /// The number with so many places.
    func formatted(_ places: Int) -> String {
      let scale = (0..<places).reduce(1.0) { value, _ in value * 10 }
      let rounded = (self * scale).rounded() / scale
      return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
    }
  }
#endif
