// SPDX-License-Identifier: Apache-2.0

#if Cluster
  /// What can be chosen of a node of a cluster.
  public struct ClusterSettings: Sendable {
    /// What the node is called where people see it, at most 128 characters.
    public var name: String

    /// Where the node's clients find it, as others are told: for example a host and a port.
    public var address: String

    /// The build of the node's program.
    ///
    /// Nodes of the greatest build get first what another one leaves, and `proscenium cluster
    /// status` shows it.
    public var build: Int32

    /// A file of this machine that the node holds while it runs, or `nil`.
    ///
    /// A process that is started again with the same name and gets hold of it knows that the one
    /// before has ended, and buries it at once. Without the file that takes a ``lease``.
    public var lockFile: String?

    /// How long a node must not have been heard of until another one buries it: 5 s unless set, 1 s
    /// at least.
    ///
    /// All nodes must have the same. A node that has had no answer from the database for three
    /// quarters of it pauses its scenes.
    public var lease = Duration.seconds(5)

    /// How long a node waits for others before it takes slices of which no node that lives has any:
    /// 3 s unless set.
    public var settleTime = Duration.seconds(3)

    /// How long the nodes must be the same until one that has more than its share of the slices
    /// gives some to one that has less: 10 s unless set, and never if `nil`.
    ///
    /// Eight slices go at a time. Their scenes are captured and disconnected before that; for some
    /// milliseconds no node serves their sessions. While nodes of several ``build``s live, none
    /// gives anything: what a node leaves goes to the newest build, so that each slice moves once
    /// in a rolling deploy.
    public var balancePause: Duration? = .seconds(10)

    /// Whether the node takes slices: true unless set.
    ///
    /// One that takes none serves no session. It sends to the sessions of all other nodes, as a
    /// process does that gets events from a queue or runs jobs. It joins as a node that drains, as
    /// `proscenium cluster status` says, and lives on without slices.
    public var takesSlices = true

    /// How many owners of a slice may die, each within ten minutes of the last, until the slice is
    /// parked: 3 unless set, 1 at least.
    ///
    /// A session that ends its process would end that of node after node. The sessions of a parked
    /// slice are kept and not served until `proscenium cluster release` lets them.
    public var deathLimit = 3

    /// Names a node.
    ///
    /// - Parameters:
    ///   - name: What it is called.
    ///   - address: Where clients find it.
    ///   - build: The build of its program.
    public init(name: String, address: String, build: Int32 = 0) {
      self.name = name
      self.address = address
      self.build = build
    }

    /// How often a node shows that it lives.
    var beatInterval: Duration { min(.seconds(1), validLease / 5) }

    /// How long a node may serve after it has shown that it lives.
    var pause: Duration { validLease * 3 / 4 }

    var validName: String { String(name.prefix(128)) }

    var validLease: Duration { max(lease, .seconds(1)) }
  }
#endif
