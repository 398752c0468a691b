// SPDX-License-Identifier: Apache-2.0

#if Cluster
  public import Proscenium

  /// Where an event with a target content identifier would go from one node of a cluster, and why.
  ///
  /// It is advice about this moment, as this node knows the others.
  public struct ContentExplanation: Sendable, CustomStringConvertible {
    /// Who decides about the event.
    public enum Destination: Sendable, Equatable {
      /// This node, among its own sessions.
      case here
      /// Another node, by its name, among its sessions.
      case node(String)
      /// The node with the best session: this one and the named ones are compared.
      case bestOf([String])
      /// The node at the content's place, which makes a session unless it has one.
      case place(ClusterNode.Whereabouts)
      /// The event waits: a session that may show the content is on its way to a node.
      case waits
    }

    /// The target content identifier.
    public let identifier: String
    /// Who decides.
    public let destination: Destination
    /// The rule by which that is so (semantics#routing-decision).
    public let rule: RoutingRule
    /// The names of other nodes that may have sessions that prefer the content.
    public let preferring: [String]
    /// The names of other nodes that may have sessions that can show it.
    public let showing: [String]
    /// The decision among the sessions of this node.
    public let own: RoutingExplanation<SessionIdentifier>

    /// The explanation in lines for people.
    public var description: String {
      let decider =
        switch destination {
        case .here: "this node decides, by the rule \(rule.rawValue)"
        case .node(let name): "node \(name) decides, by the rule \(rule.rawValue)"
        case .bestOf(let names):
          "the best session of \(names.joined(separator: ", ")) and this node gets it, by the rule "
            + rule.rawValue
        case .place(.here): "a new session is made here, at the content's place"
        case .place(.node(let address)):
          "the node at \(address) makes a new session, at the content's place"
        case .place(.moving), .waits: "it waits: slices are on their way to their next nodes"
        }
      return """
        \(identifier): \(decider)
        other nodes that may prefer it: \(Self.list(preferring))
        other nodes that may show it: \(Self.list(showing))
        on this node:
        \(own)
        """
    }

    private static func list(_ names: [String]) -> String {
      names.isEmpty ? "none" : names.joined(separator: ", ")
    }
  }

  extension ClusterNode {
    /// Explains where an event with a target content identifier would go from this node, and why.
    ///
    /// For people and for tests: every open session of the node is looked at. Other nodes are
    /// named that may have sessions for the content; they are not asked.
    ///
    /// - Parameters:
    ///   - identifier: The target content identifier, up to 8,192 UTF-8 bytes.
    ///   - source: The session that the event comes from.
    ///   - limit: How many candidates of this node are shown, at least 1.
    /// - Returns: Who decides, and what is known of the others.
    /// - Throws: `limitExceeded` for a longer identifier; `notRunning` after the end.
    public func explain(
      _ identifier: String, source: SessionIdentifier? = nil, limit: Int = 10
    ) throws(SceneError) -> ContentExplanation {
      let own = try application.explain(identifier, source: source, limit: limit)
      let decision = try application.route(identifier, source: source)
      guard let links, links.own != 0 else {
        return ContentExplanation(
          identifier: identifier, destination: .here, rule: decision.rule, preferring: [],
          showing: [], own: own)
      }
      let forwarding = ContentForwarding(links: links)
      let names = links.withState { $0.peers.mapValues(\.member.name) }
      func name(_ node: Int32) -> String { names[node] ?? "\(node)" }
      var rule = decision.rule
      let destination: ContentExplanation.Destination
      switch forwarding.step(identifier, source, application.forwarded) {
      case .here where decision.session == nil:
        destination = .place(whereabouts(ofContent: identifier))
      case .here: destination = .here
      case .send(let node, let scope):
        destination = .node(name(node))
        rule = scope == .preferring ? .prefers : .can
      case .ask(let nodes):
        destination = .bestOf(nodes.map(name))
        rule = .prefers
      case .wait: destination = .waits
      }
      return ContentExplanation(
        identifier: identifier, destination: destination, rule: rule,
        preferring: links.content.look(for: identifier, .prefers).nodes.map(name),
        showing: links.content.look(for: identifier, .can).nodes.map(name), own: own)
    }
  }
#endif
