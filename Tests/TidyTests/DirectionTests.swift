// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The direction of the code: files, folders and types do not use each other in large cycles.
@Suite(.serialized) struct DirectionTests {
  private static let environment = ProcessInfo.processInfo.environment
  #if os(Linux)
    private static let findsIndex = true
  #else
    // Other systems have the library, and the program of the tests, at other places.
    private static let findsIndex = false
  #endif
  private static let isWhole = findsIndex && environment["PROSCENIUM_TESTS"] == nil

  private static func read(_ sources: String) throws -> (graph: CodeGraph, outdated: [String]) {
    let tree = try TidyTests.tree.get()
    let paths = tree.files.map(\.path).filter { path in
      path.hasSuffix(".swift") && ["Sources/", "Tests/", "Docs/"].contains(where: path.hasPrefix)
        // Packages of their own.
        && !path.hasPrefix("Tests/Consumers/")
    }
    let index = try CodeIndex(sources: sources, paths: Set(paths))
    return (CodeGraph(index, of: tree, below: sources), index.outdated(paths))
  }

  @Test(.enabled(if: isWhole, "a build of some targets has no index of the others"))
  func `the Sources have one direction, but for what is allowed`() throws {
    let (graph, outdated) = try Self.read("Sources/")
    try #require(outdated.isEmpty, "these files changed after their build: build them first")
    let complaints = CodeGraph.complaints(graph.findings(), allowed: Allowance.directions)
    #expect(complaints.isEmpty, "see Tests/TidyTests/Allowance+direction.swift")
  }

  @Test(.enabled(if: environment["PROSCENIUM_DIRECTION"] != nil, "scripts/direction asks for it"))
  func `a report shows the direction of each target`() throws {
    let (graph, outdated) = try Self.read("Sources/")
    let path = try #require(Self.environment["PROSCENIUM_DIRECTION"])
    let late = "\(outdated.count) files are not built as they are now \(outdated.prefix(3))\n"
    let report = late + graph.targets.map(graph.report).joined(separator: "\n")
    try report.write(toFile: path + ".txt", atomically: true, encoding: .utf8)
    try graph.table.write(toFile: path + ".tsv", atomically: true, encoding: .utf8)
  }

  @Test(.enabled(if: findsIndex))
  func `the index shows a planted cycle of members`() throws {
    let graph = try Self.read("Tests/TidyTests/").graph
    let lower = "Planted/Lower/PlantedLower.swift"
    let upper = "Planted/Upper/PlantedLower+raised.swift"
    let uses = graph.uses.keys.filter { $0.user == lower }
    #expect(uses == [CodeGraph.Use(user: lower, used: upper, symbol: "PlantedLower.raised")])
    #expect(graph.fileCycles(of: "Planted") == [[lower, upper]])
    #expect(graph.report(on: "Planted").contains("\(lower):8 uses PlantedLower.raised of \(upper)"))
    let findings = graph.findings().filter { $0.key.hasPrefix("Planted") }
    #expect(
      CodeGraph.complaints(findings, allowed: [:]) == [
        "Planted: folders in cycles: 2, and 0 are allowed"
      ])
  }

  @Test func `an index is read as the compiler wrote it`() throws {
    let index = try CodeIndex(
      text: """
        unit\tStage/A.swift\t1000000000
        definition\t1\t8\twritten\tPlay\tplay\t-
        definition\t2\t8\twritten\tDrama\tdrama\t-
        conformance\tplay\tdrama
        definition\t3\t6\twritten\tHamlet\thamlet\t-
        conformance\tdrama\thamlet
        definition\t4\t22\timplicit\tinit()\thamlet.init\thamlet
        definition\t5\t6\twritten\tAct\tact\thamlet
        definition\t6\t16\twritten\tplay()\tact.play\tact
        unit\tStage/Gone.swift\t1000000000
        definition\t1\t16\twritten\told()\told\thamlet
        unit\tStage/B.swift\t2000000000
        extension\thamlet\tmore
        definition\t1\t9\twritten\tHamlet\tmore\t-
        definition\t2\t18\twritten\tend()\thamlet.end\tmore
        unit\tHall/C.swift\t1
        extension\tInt\tint
        conformance\tplay\tint

        """, paths: ["Stage/A.swift", "Stage/B.swift", "Hall/C.swift"])
    let text = """
      protocol Play {}
      protocol Drama: Play {}
      struct Hamlet: Drama
      {
        struct Act {
          func play() {}
        }
      }

      """
    let tree = SourceTree(files: [
      SourceFile(path: "Stage/A.swift", text: text),
      SourceFile(path: "Stage/B.swift", text: "extension Hamlet {\n  static func end() {}\n}\n"),
    ])
    let graph = CodeGraph(index, of: tree, below: "Stage/")
    let types = Dictionary(uniqueKeysWithValues: graph.types.map { ($0.name, $0) })
    #expect(types["Hamlet"]?.methods == 1)
    #expect(types["Hamlet"]?.lines == 6)
    #expect(types["Hamlet.Act"]?.methods == 1)
    #expect(types["Hamlet.Act"]?.lines == 3)
    #expect(types["Play"]?.conformers == ["Hamlet"])
    #expect(types["Play"]?.otherConformers == ["Int"])
    #expect(graph.findings() == ["A.swift: Drama: protocol without two conformers": 1])
    #expect(
      index.outdated(["Package.swift", "Stage/A.swift"]) == ["Package.swift", "Stage/A.swift"])
    #expect(throws: CodeIndex.Problem.self) { try CodeIndex(text: "error\tNo.\n", paths: []) }
  }

  @Test func `the search finds each cycle, and no more than cycles`() {
    let edges: [String: Set<String>] = [
      "a": ["b"], "b": ["c", "d"], "c": ["a"], "d": ["e"], "e": ["d", "f"], "g": ["a", "g"],
    ]
    #expect(Cycles.find(in: edges) == [["a", "b", "c"], ["d", "e"]])
    #expect(Cycles.find(in: ["a": ["b", "c"], "b": ["c"]]).isEmpty)
  }

  @Test func `each limit is found when it is exceeded, and not before`() {
    var graph = CodeGraph()
    func use(_ user: Int, _ used: Int) {
      let paths = [user, used].map { "Stage/Throne/\($0).swift" }
      graph.uses[.init(user: paths[0], used: paths[1], symbol: "")] = .init(line: 1, count: 1)
    }
    for number in 0..<30 { graph.lines["Stage/Throne/\(number).swift"] = 130 }
    for number in 0..<12 { use(number, (number + 1) % 12) }
    graph.lines["Stage/Hall/0.swift"] = 4_000
    graph.types = [.init(name: "King", path: "Stage/Hall/0.swift", methods: 40, lines: 900)]
    #expect(graph.findings().isEmpty)
    graph.lines["Stage/Throne/30.swift"] = 130
    graph.lines["Stage/Hall/0.swift"] = 4_001
    graph.types = [.init(name: "King", path: "Stage/Hall/0.swift", methods: 41, lines: 901)]
    use(3, 12)
    use(12, 3)
    #expect(
      graph.findings() == [
        "Stage: files of folder Throne": 31, "Stage: lines of folder Throne": 4_030,
        "Stage: lines of folder Hall": 4_001, "Stage: files of the largest cycle": 13,
        "Stage: King: methods and initializers": 41, "Stage: King: lines": 901,
      ])
  }

  @Test func `an allowance equals what is measured`() {
    let findings = ["a": 12, "b": 3]
    #expect(CodeGraph.complaints(findings, allowed: findings).isEmpty)
    #expect(
      CodeGraph.complaints(findings, allowed: ["a": 11, "b": 4, "c": 1]) == [
        "a: 12, and 11 are allowed", "b: 3, lower the allowance of 4",
        "c: 0, lower the allowance of 1",
      ])
  }
}
