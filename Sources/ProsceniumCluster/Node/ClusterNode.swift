// SPDX-License-Identifier: Apache-2.0

#if Cluster
  package import Logging
  public import Proscenium
  import ProsceniumPrimitives

  /// One process of a cluster, and the application that serves its slices of the sessions.
  ///
  /// Every node knows from a session's identifier in which slice it is, and from the database which
  /// node owns the slice. A node that has not been heard of for a lease is buried by the others,
  /// which go on with its sessions as they were last committed; what it still writes is refused.
  public final class ClusterNode: Sendable {
    /// Where a session is served.
    public enum Whereabouts: Sendable, Equatable {
      /// By this node.
      case here
      /// By another node, at its address.
      case node(address: String)
      /// By no node in this moment, or by this one soon.
      case moving
    }

    /// The application of this node.
    public let application: Application

    /// How long a node waits at its end until other nodes have taken what is for them.
    private static let flushLimit = Duration.seconds(5)
    /// How long it waits until the other nodes know that it takes nothing more.
    private static let goodbyeLimit = Duration.seconds(1)

    private let parts: NodeParts
    private let membership: NodeMembership

    private init(_ configuration: Configuration, _ facts: ClusterFacts, holdsLock: Bool) {
      let metrics = NodeMetrics(configuration.settings.metrics)
      let reporter = LossReporter(configuration.log, metrics)
      let elapsed = configuration.settings.clock.stopwatch()
      let duties = NodeDuties(configuration.node, sliceBits: facts.sliceBits, elapsed)
      let store = ClusterStore(
        configuration.authority, facts, elapsed: elapsed, tell: reporter.tell)
      let links = configuration.network.map {
        NodeLinks(
          $0, duties, configuration.settings.clock, elapsed,
          configuration.settings.identifiers.next,
          configuration.log, metrics)
      }
      var settings = configuration.settings
      settings.sliceDuties = duties.ofApplication
      settings.sliceDuties?.neighbours = links?.ofApplication
      application = Application(
        manifest: configuration.manifest, store: store, settings: settings,
        log: configuration.log, delegate: configuration.delegate)
      reporter.exchange.withLock { [slices = application.slices] in $0 = slices }
      links?.messages.withLock { [messages = application.forwarded] in $0 = messages }
      parts = NodeParts(
        authority: configuration.authority, settings: configuration.node, store: store,
        duties: duties, links: links, slices: application.slices,
        kept: ReturningScenes(sliceBits: duties.sliceBits),
        endApplication: { [application] in application.shutDown() }, metrics: metrics,
        log: configuration.log, clock: configuration.settings.clock, elapsed: elapsed)
      membership = NodeMembership(parts, holdsLock: holdsLock)
    }

    /// What a node is made of.
    package struct Configuration: Sendable {
      package var manifest: SceneManifest
      package var authority: any ClusterAuthority
      /// What connects the node with the others; without it, each serves its own callers alone.
      package var network: (any LinkNetwork)?
      package var node: ClusterSettings
      package var settings: ApplicationSettings
      package var log: Logger
      package var delegate: (@Sendable () -> any ApplicationDelegate)?

      package init(
        manifest: SceneManifest, authority: any ClusterAuthority, node: ClusterSettings,
        network: (any LinkNetwork)? = nil, settings: ApplicationSettings = .init(),
        log: Logger = Logger(label: "proscenium"),
        delegate: (@Sendable () -> any ApplicationDelegate)? = nil
      ) {
        self.manifest = manifest
        self.authority = authority
        self.network = network
        self.node = node
        self.settings = settings
        self.log = log
        self.delegate = delegate
      }
    }

    /// Joins a cluster, launches the application, hands the node to a closure, and ends it in
    /// order.
    ///
    /// - Parameters:
    ///   - configuration: What the node is made of.
    ///   - body: What is done while the node runs. It begins when the node serves its slices, or
    ///     knows that it has none.
    /// - Returns: What the closure returned.
    /// - Throws: `multipleScenesNotSupported` if the manifest does not support multiple scenes;
    ///   what the authority refuses; or as an application does that is run.
    package static func withRunning<Value: Sendable>(
      _ configuration: Configuration,
      _ body: @escaping @Sendable (ClusterNode) async throws -> Value
    ) async throws -> Value {
      guard configuration.manifest.supportsMultipleScenes else {
        throw SceneError(
          .multipleScenesNotSupported,
          "expected a manifest that supports multiple scenes: one session is not for many nodes")
      }
      let lock = try configuration.node.lockFile.map { (path) throws(StoreError) in
        try MachineLock(path)
      }
      defer { lock?.release() }
      let facts = try await configuration.authority.open()
      let node = ClusterNode(configuration, facts, holdsLock: lock != nil)
      let result = await Result { try await node.run(configuration, body) }
      await configuration.network?.close()
      await configuration.authority.close()
      return try result.get()
    }

    private func run<Value: Sendable>(
      _ configuration: Configuration,
      _ body: @escaping @Sendable (ClusterNode) async throws -> Value
    ) async throws -> Value {
      try await parts.links?.open()
      let joining = Spawner(executor: configuration.settings.taskExecutor).start {
        // Not a child: it goes on until the application's last commit is over.
        await self.membership.run()
      }
      let result = await Result {
        try await application.whileRunning { _ in
          self.membership.begin()
          await self.parts.progress.waitUntilReady()
          return try await body(self)
        }
      }
      if letsScenesRun, let links = parts.links {
        await links.flush(within: Self.flushLimit)
        await links.sayGoodbye(within: Self.goodbyeLimit)
      }
      membership.end()
      try await joining.value
      return try result.get()
    }

    /// Ends the node as if its process had been ended: no callback comes any more, nothing more is
    /// written, and the others are not told.
    package func abandon() {
      membership.abandon()
      application.process.abandon()
      parts.links?.endAll()
    }

    /// Lets the node give all its slices to others, and then end its application in order, as
    /// `proscenium cluster drain` does.
    ///
    /// Returns when the database knows; ``status`` tells how many slices are left. Eight go at a
    /// time, to nodes of the newest build first; their scenes go to the background, are captured
    /// and disconnected (R-DC-1), and nothing that was acknowledged is lost. With links the next
    /// owner brings them back where they were. A node without others
    /// goes on until one joins, and one that is buried before keeps what it has as a new node. A
    /// node that has not joined has nothing to give.
    ///
    /// - Throws: `failed` if the database cannot be reached.
    public func drain() async throws(StoreError) {
      guard let number = parts.duties.ledger.withLock({ $0.node }) else { return }
      try await parts.authority.drain(number)
    }

    /// Tells where a session is served, as this node knows it.
    ///
    /// - Parameter session: The session, be it open or not.
    /// - Returns: Where it would be.
    public func whereabouts(of session: SessionIdentifier) -> Whereabouts {
      whereabouts(of: parts.duties.slice(of: session))
    }

    /// Tells where the sessions of an owner are served, but for those of a group.
    ///
    /// - Parameter owner: The owner.
    /// - Returns: Where they are.
    public func whereabouts(ofOwner owner: String) -> Whereabouts {
      whereabouts(
        of: SlicePlace.slice(
          of: SlicePlace.place(of: .owner, owner), bits: parts.duties.sliceBits))
    }

    /// Tells where the sessions of a group are served.
    ///
    /// - Parameter group: The group.
    /// - Returns: Where they are.
    public func whereabouts(of group: SceneGroup) -> Whereabouts {
      whereabouts(
        of: SlicePlace.slice(
          of: SlicePlace.place(of: .group, group.rawValue), bits: parts.duties.sliceBits))
    }

    /// Tells where a session is made for content that no session shows.
    ///
    /// - Parameter identifier: The target content identifier.
    /// - Returns: Where it would be.
    public func whereabouts(ofContent identifier: String) -> Whereabouts {
      whereabouts(
        of: SlicePlace.slice(
          of: SlicePlace.place(of: .content, identifier), bits: parts.duties.sliceBits))
    }

    /// What the node has to do with the others, if it reaches them.
    var links: NodeLinks? { parts.links }

    private func whereabouts(of slice: Int) -> Whereabouts {
      guard let refusal = parts.duties.refusal(of: slice, nil) else { return .here }
      return refusal.address.map { .node(address: $0) } ?? .moving
    }

    /// The epoch in which a session's slice has scenes here, or `nil` if it has none.
    package func epoch(of session: SessionIdentifier) -> UInt32? {
      let slice = parts.duties.slice(of: session)
      return parts.duties.ledger.withLock { $0.tenure(of: slice)?.epoch }
    }

    /// Whether scenes may run: those of a node that was buried run to their ends.
    package var letsScenesRun: Bool { parts.duties.permit.isValid }

    /// How the node is.
    public struct Status: Sendable, Equatable {
      /// Its number, or `nil` while it has none.
      public var number: Int32?
      /// How many slices it serves.
      public var served: Int
      /// How many slices are its own and not served yet.
      public var waiting: Int
      /// How many slices are its own and not served, since their owners died one after the other.
      public var parked: Int
      /// Whether its sessions are served: not while the database does not answer.
      public var isServing: Bool
    }

    /// How the node is now.
    public var status: Status {
      let (number, counts) = parts.duties.ledger.withLock { ($0.node, $0.counts) }
      return Status(
        number: number, served: counts.served, waiting: counts.waiting, parked: counts.parked,
        isServing: parts.duties.isServing)
    }
  }
#endif
