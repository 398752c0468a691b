// SPDX-License-Identifier: Apache-2.0

#if Cluster
  package import Proscenium

  /// Decides step by step to which node an event goes whose content any node may show.
  ///
  /// The order of the rules holds across nodes: a session that prefers the content comes before one
  /// that can show it, and that before a new one.
  package struct ContentRoute: Sendable {
    /// What is to be done next.
    package enum Step: Sendable, Equatable {
      /// This node decides, and makes a new session at the content's place if none of its own shows
      /// it.
      case here
      /// A node decides among its sessions.
      case send(Int32, RoutingScope)
      /// Nodes are asked for the best of those that prefer it.
      case ask([Int32])
      /// What shows it may be on its way to a node.
      case wait
    }

    /// What this node knows of some content.
    package struct View: Sendable, Equatable {
      /// The best of its own sessions that prefers it.
      package var preferring: Best?
      /// Whether one of its own sessions shows it.
      package var shows = false
      package var prefers = ContentTerms.Hits()
      package var can = ContentTerms.Hits()

      package init() {}
    }

    /// The best session of a node for some content.
    package struct Best: Sendable, Equatable {
      package let state: SessionRank.State
      /// Whether it is the one in which the event arose.
      package let isSource: Bool

      package init(_ state: SessionRank.State, isSource: Bool) {
        (self.state, self.isSource) = (state, isSource)
      }

      /// R-RT-6 (a) and (b); activations of different nodes have no order.
      fileprivate var order: UInt8 { isSource ? 0 : 1 + state.rawValue }
    }

    /// Chooses among several nodes that can show it: the same one everywhere.
    private let hash: UInt64
    /// The nodes that have answered that they have none that prefers it, or that shows it.
    private var nonePreferring: Set<Int32> = []
    private var noneShowing: Set<Int32> = []

    /// Begins with an event.
    ///
    /// - Parameter hash: A hash of its target content identifier.
    package init(hash: UInt64) {
      self.hash = hash
    }

    /// The next step, by what the node knows now.
    package func next(_ view: View) -> Step {
      let preferring = view.prefers.nodes.filter { !nonePreferring.contains($0) }
      if view.preferring?.isSource == true { return .here }
      if view.preferring != nil { return preferring.isEmpty ? .here : .ask(preferring) }
      // It would come before all that can show it.
      if view.prefers.isMoving { return .wait }
      if preferring.count == 1 { return .send(preferring[0], .preferring) }
      if !preferring.isEmpty { return .ask(preferring) }
      if view.shows { return .here }
      let showing = view.can.nodes.filter { !noneShowing.contains($0) }
      if !showing.isEmpty { return .send(showing[Int(hash % UInt64(showing.count))], .showing) }
      return view.can.isMoving ? .wait : .here
    }

    /// The step behind a question for the best of those that prefer it.
    ///
    /// - Parameters:
    ///   - own: The best one of this node.
    ///   - others: Those of the nodes that were asked and have one.
    /// - Returns: Who gets it; of equals this node, then the first one; `nil` if there is none.
    package func choose(_ own: Best?, _ others: [(node: Int32, best: Best)]) -> Step? {
      let best = others.min { ($0.best.order, $0.node) < ($1.best.order, $1.node) }
      guard let best else { return own.map { _ in .here } }
      if let own, own.order <= best.best.order { return .here }
      return .send(best.node, .preferring)
    }

    /// A node has none.
    package mutating func note(_ node: Int32, hasNone scope: RoutingScope) {
      nonePreferring.insert(node)
      if scope != .preferring { noneShowing.insert(node) }
    }

    /// Something was on its way: everything is asked for again.
    package mutating func beginAgain() {
      nonePreferring = []
      noneShowing = []
    }
  }
#endif
