// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON

/// The cases of the predicate language and of routing decisions, format `scene-routing/1`.
struct RoutingSuite: ConformanceSuite {
  static let format = "scene-routing/1"

  /// A case, in the terms of its kind.
  protocol Case: Decodable, Sendable {
    var id: String { get }
    var note: String? { get }

    /// Runs the case and says what differs, or nil.
    func difference() -> String?
  }

  enum Kind: String, JSONWord {
    case predicate, route
  }

  /// Where an expectation comes from.
  enum Basis: String, JSONWord {
    case apple, spec, choice
  }

  private let cases: [any Case]

  init(_ file: JSONNode) throws(JSONFileError) {
    try file.checkKeys("format", "half", "cases")
    _ = try file.optional("half")?.decode(SuiteHalf.self)
    var cases: [any Case] = []
    var ids = UniqueNames()
    for node in try file.member("cases").elements() {
      let new: any Case =
        switch try node.member("kind").decode(Kind.self) {
        case .predicate: try node.decode(PredicateCase.self)
        case .route: try node.decode(RouteCase.self)
        }
      try ids.insert(new.id, node.member("id"))
      cases.append(new)
    }
    self.cases = cases
  }

  func run(_ options: ConformanceOptions) async -> [ConformanceResult] {
    cases.map { ConformanceResult(id: $0.id, note: $0.note, difference: $0.difference()) }
  }
}
