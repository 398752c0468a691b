// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Testing

  import ProsceniumCluster
  @testable import ProsceniumPostgres

  /// When another process counts as dead, without a server.
  @Suite(.timeLimit(.minutes(10))) struct PredecessorWatchTests {
    private static let lease = Duration.seconds(5)

    private static func watch(own: Int32 = 7, heldName: String? = nil) -> PredecessorWatch {
      PredecessorWatch(own: own, lease: lease, heldName: heldName)
    }

    private static func node(
      _ number: Int32, beat: Int64 = 1, slices: Int = 0, name: String = ""
    ) -> ClusterMember {
      ClusterMember(
        number: number, name: name, address: "", build: 0, beat: beat, slices: slices)
    }

    /// Looks at the same nodes every second until something else than waiting is decided.
    private static func decision(
      _ watch: inout PredecessorWatch, _ nodes: [ClusterMember], from start: Int, to end: Int = 100
    ) -> (second: Int, decision: PredecessorWatch.Decision)? {
      for second in start..<end {
        let decision = watch.look(at: nodes, .seconds(second))
        if decision != .wait { return (second, decision) }
      }
      return nil
    }

    @Test func `a beat that moves is a sign of life`() {
      var watch = Self.watch()
      let own = Self.node(7)
      #expect(watch.look(at: [Self.node(3, beat: 4, slices: 9), own], .seconds(0)) == .wait)
      #expect(watch.look(at: [Self.node(3, beat: 4, slices: 9), own], .seconds(1)) == .wait)
      let moved = Self.node(3, beat: 5, slices: 9)
      #expect(watch.look(at: [moved, own], .seconds(2)) == .inUse(moved))
    }

    @Test func `a beat that does not move for a lease is the end, and not before`() {
      var watch = Self.watch()
      let nodes = [Self.node(3, slices: 9), Self.node(7)]
      let found = Self.decision(&watch, nodes, from: 10)
      #expect(found?.second == 15)
      #expect(found?.decision == .bury(nodes[0]))
    }

    @Test func `after a gap between two looks the lease begins again`() {
      var watch = Self.watch()
      let nodes = [Self.node(3, slices: 9), Self.node(7)]
      #expect(Self.decision(&watch, nodes, from: 0, to: 5) == nil)
      // Just within the patience, and just over it.
      #expect(watch.look(at: nodes, .milliseconds(4_900)) == .wait)
      #expect(watch.look(at: nodes, .milliseconds(6_901)) == .wait)
      #expect(watch.look(at: nodes, .milliseconds(8_901)) == .wait)
      #expect(watch.look(at: nodes, .milliseconds(10_901)) == .wait)
      #expect(watch.look(at: nodes, .milliseconds(11_900)) == .wait)
      #expect(watch.look(at: nodes, .milliseconds(11_901)) == .bury(nodes[0]))
    }

    @Test func `a beat that moved during a gap says nothing, and the next one does`() {
      var watch = Self.watch()
      let own = Self.node(7)
      #expect(watch.look(at: [Self.node(3, beat: 1, slices: 9), own], .seconds(0)) == .wait)
      #expect(watch.look(at: [Self.node(3, beat: 8, slices: 9), own], .seconds(9)) == .wait)
      let moved = Self.node(3, beat: 9, slices: 9)
      #expect(watch.look(at: [moved, own], .seconds(10)) == .inUse(moved))
    }

    @Test func `the node whose lock file is held has ended, whatever its beat does`() {
      let nodes = [Self.node(3, slices: 9, name: "here"), Self.node(7, name: "here")]
      var watch = Self.watch(heldName: "here")
      #expect(watch.look(at: nodes, .zero) == .bury(nodes[0]))
      var other = Self.watch(heldName: "there")
      #expect(other.look(at: nodes, .zero) == .wait)
    }

    @Test func `nodes that came later and own nothing are not in the way`() {
      var watch = Self.watch()
      #expect(watch.look(at: [Self.node(7)], .zero) == .claim)
      let others = [Self.node(7), Self.node(8)]
      #expect(watch.look(at: others, .zero) == .claim)
      #expect(watch.look(at: [], .zero) == .claim)
    }

    @Test func `nodes that came earlier are in the way, and so is any that owns something`() {
      for other in [Self.node(3), Self.node(3, slices: 9), Self.node(8, slices: 9)] {
        var watch = Self.watch()
        let found = Self.decision(&watch, [other, Self.node(7)], from: 0)
        #expect(found?.second == 5)
        #expect(found?.decision == .bury(other))
      }
    }

    @Test func `of those to whom a burial dealt slices the first has precedence`() {
      var (first, second) = (Self.watch(own: 7), Self.watch(own: 8))
      let dealt = { (beat: Int64) in
        [Self.node(7, beat: beat, slices: 512), Self.node(8, beat: beat, slices: 512)]
      }
      for beat in 0..<10 {
        let nodes = dealt(Int64(beat))
        #expect(first.look(at: nodes, .seconds(beat)) == .wait)
        let decision = second.look(at: nodes, .seconds(beat))
        #expect(decision == (beat == 0 ? .wait : .inUse(nodes[0])))
      }
      // The second one ends without leaving.
      let rest = dealt(9)
      #expect(Self.decision(&first, rest, from: 10)?.decision == .bury(rest[1]))
    }

    @Test func `one node after the other is buried`() {
      var watch = Self.watch()
      let nodes = [Self.node(3, slices: 9), Self.node(4), Self.node(7)]
      #expect(Self.decision(&watch, nodes, from: 0)?.decision == .bury(nodes[0]))
      #expect(watch.look(at: Array(nodes[1...]), .seconds(6)) == .bury(nodes[1]))
      #expect(watch.look(at: [nodes[2]], .seconds(7)) == .claim)
    }
  }
#endif
