// SPDX-License-Identifier: Apache-2.0

#if Cluster
  public import Logging
  public import Proscenium
  public import ProsceniumCluster

  extension ClusterNode {
    /// Joins the cluster of a PostgreSQL database, launches the application, hands the node to a
    /// closure, and ends it in order.
    ///
    /// The closure begins when the node serves the slices that it was given, or knows that the
    /// others have them all. At the end every scene is captured and disconnected as at the end of
    /// any application, and the node's slices go to the others.
    ///
    /// A node that was buried since it was not heard of for a lease drops its scenes and joins
    /// again as a new one, while the closure goes on.
    ///
    /// - Parameters:
    ///   - manifest: The kinds of scenes, the default one first.
    ///   - authority: The database; this node's alone. Its connections end with the node.
    ///   - node: The node's name, its address and its times.
    ///   - links: What brings messages to the other nodes, as the product `ProsceniumLinks` makes
    ///     it; without it, a message for a session of another node is refused with its address.
    ///   - settings: Sizes, limits, and everything that could be random.
    ///   - log: Receives diagnostics.
    ///   - delegate: Makes the application delegate, on the application actor, at the launch.
    ///   - body: What is done while the node runs.
    /// - Returns: What the closure returned.
    /// - Throws: `multipleScenesNotSupported` for a manifest that does not support multiple scenes;
    ///   what `links` throws if it cannot listen;
    ///   `inUse` if another process of this machine has the lock file; `unusable`,
    ///   `newerVersion` or `wrongKey` of the database, `failed` if it cannot be reached; and as
    ///   `Application.withRunning(manifest:store:settings:log:delegate:_:)` does.
    public static func withRunning<Value: Sendable>(
      manifest: SceneManifest, authority: PostgresAuthority, node: ClusterSettings,
      links: ClusterLinks? = nil, settings: ApplicationSettings = .init(),
      log: Logger = Logger(label: "proscenium"),
      delegate: (@Sendable () -> any ApplicationDelegate)? = nil,
      _ body: @escaping @Sendable (ClusterNode) async throws -> Value
    ) async throws -> Value {
      try await withRunning(
        Configuration(
          manifest: manifest, authority: authority, node: node, network: links?.network,
          settings: settings, log: log, delegate: delegate),
        body)
    }
  }
#endif
