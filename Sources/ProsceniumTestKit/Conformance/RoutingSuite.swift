// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON

/// The cases of the predicate language and of routing decisions, format `scene-routing/1`.
struct RoutingSuite: ConformanceSuite {
  static let format = "scene-routing/1"

  private enum Kind: String, CaseIterable {
    case predicate, route
  }

  private enum Basis: String, CaseIterable {
    case apple, spec, choice
  }

  private enum Half: String, CaseIterable {
    case first = "A"
    case second = "B"
  }

  private struct Case {
    let id: String
    let note: String?
    let body: Body
  }

  private enum Body {
    case predicate(PredicateCase)
    case route(RouteCase)
  }

  private let cases: [Case]

  init(_ file: JSONNode) throws(JSONFileError) {
    try file.checkKeys("format", "half", "cases")
    _ = try file.optional("half")?.word(Half.self)
    var cases: [Case] = []
    var ids = UniqueNames()
    for node in try file.member("cases").elements() {
      let body = try Self.body(node)
      let id = try node.member("id")
      _ = try node.member("basis").word(Basis.self)
      let new = Case(id: try id.text(), note: try node.optional("note")?.text(), body: body)
      try ids.insert(new.id, id)
      cases.append(new)
    }
    self.cases = cases
  }

  private static func body(_ node: JSONNode) throws(JSONFileError) -> Body {
    switch try node.member("kind").word(Kind.self) {
    case .predicate: .predicate(try PredicateCase(node))
    case .route: .route(try RouteCase(node))
    }
  }

  func run(_ options: ConformanceOptions) async -> [ConformanceResult] {
    cases.map { item in
      let difference =
        switch item.body {
        case .predicate(let body): body.difference()
        case .route(let body): body.difference()
        }
      return ConformanceResult(id: item.id, note: item.note, difference: difference)
    }
  }
}
