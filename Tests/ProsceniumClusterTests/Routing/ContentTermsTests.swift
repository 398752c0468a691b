// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium
  import ProsceniumCluster
  import Testing

  /// What nodes know of each other's content, while sessions come, go and move, nodes die, and news
  /// takes its time.
  @Suite struct ContentTermsTests {
    @Test(arguments: 1...100 as ClosedRange<UInt64>)
    func `no session is left out while slices move and nodes die`(seed: UInt64) {
      var world = ContentWorld(seed: seed)
      for step in 0..<400 {
        world.step()
        if let missed = world.missed {
          Issue.record("seed \(seed), step \(step): \(missed)")
          return
        }
      }
      world.settle()
      #expect(world.missed == nil)
      #expect(world.namedInVain == nil)
    }

    private static let shape = SharedTerm.Shape(unbounded: .can)

    private static func delta(_ differences: [Int32]) -> TermDelta {
      var delta = TermDelta(begins: true)
      delta.shapes = differences.map { TermDelta.Count(shape, $0) }
      return delta
    }

    @Test(arguments: [[-1], [.min], [.max, 1], [1, -2]] as [[Int32]])
    func `a number of terms that no node has is refused`(_ differences: [Int32]) throws {
      var terms = ContentTerms()
      #expect(throws: LinkFault.self) {
        try terms.take(Self.delta(differences), from: 1)
      }
      // What is forgotten with it does not trap, and the others are found.
      _ = try terms.take(Self.delta([.max]), from: 2)
      _ = try terms.take(Self.delta([1]), from: 1)
      #expect(terms.look(for: "doc", .can).nodes == [1, 2])
    }

    @Test func `a hash that is told without end is refused before it slows the others down`() throws
    {
      var terms = ContentTerms()
      var delta = TermDelta(begins: true)
      delta.entered = [UInt64](repeating: 7, count: TermTable.repetitionLimit)
      _ = try terms.take(delta, from: 1)
      delta = TermDelta()
      delta.entered = [8, 7, 9]
      #expect(throws: LinkFault("expected a hash at most 64 times")) {
        try terms.take(delta, from: 1)
      }
      _ = try terms.take(TermDelta(begins: true), from: 1)
      #expect(terms.count == 0)
    }
  }
#endif
