// SPDX-License-Identifier: Apache-2.0

/// The nodes of a cluster on a dashboard: what is shown of them, and how one is drained.
///
/// The program says both: it may read the database, or ask its own node.
public struct DashboardCluster: Sendable {
  /// A node as the page shows it.
  public struct Node: Sendable, Hashable {
    /// Its number.
    public var number: Int32
    /// What it is called, of which up to 80 Unicode scalars are shown.
    public var name: String
    /// The build of its program.
    public var build: Int32
    /// What is said of it in a word, such as `live`, of which up to 80 Unicode scalars are shown.
    public var state: String
    /// How many slices it owns.
    public var slices: Int
    /// Whether a button drains it, if the page can act.
    public var canDrain: Bool

    /// Describes a node.
    ///
    /// - Parameters:
    ///   - number: Its number.
    ///   - name: What it is called.
    ///   - build: The build of its program.
    ///   - state: What is said of it in a word.
    ///   - slices: How many slices it owns.
    ///   - canDrain: Whether a button drains it.
    public init(
      number: Int32, name: String, build: Int32, state: String, slices: Int, canDrain: Bool = true
    ) {
      self.number = number
      self.name = name
      self.build = build
      self.state = state
      self.slices = slices
      self.canDrain = canDrain
    }
  }

  /// What there is to see of a cluster at one moment.
  public struct View: Sendable, Hashable {
    /// The nodes, of which up to 64 are shown.
    public var nodes: [Node]
    /// How many slices there are.
    public var slices: Int
    /// How often a slice has got another owner.
    public var moves: Int

    /// Describes a cluster.
    ///
    /// - Parameters:
    ///   - nodes: The nodes.
    ///   - slices: How many slices there are.
    ///   - moves: How often a slice has got another owner.
    public init(nodes: [Node], slices: Int, moves: Int) {
      self.nodes = nodes
      self.slices = slices
      self.moves = moves
    }
  }

  let view: @Sendable () -> View
  let drain: @Sendable (Int32) async throws -> Void

  /// Creates the part of a dashboard that shows a cluster.
  ///
  /// - Parameters:
  ///   - view: What is to be seen now; called at each update, one call at a time. It must be quick:
  ///     the update waits for it.
  ///   - drain: Has a node give its slices away and end, and returns when that is under way. What
  ///     it throws is shown to the person who has asked.
  public init(
    view: @escaping @Sendable () -> View, drain: @escaping @Sendable (Int32) async throws -> Void
  ) {
    self.view = view
    self.drain = drain
  }
}
