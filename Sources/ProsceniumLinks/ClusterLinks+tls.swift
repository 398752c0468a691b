// SPDX-License-Identifier: Apache-2.0

#if Links
  public import ProsceniumCluster

  extension ClusterLinks {
    /// Brings messages to other nodes over TCP with TLS 1.3.
    ///
    /// The process makes a key and a certificate at its start, and writes the certificate's
    /// fingerprint into its row of the database. Each node accepts from another one exactly the
    /// certificate that is in that one's row: who may log in to the database may join, and nothing
    /// is handed out or renewed.
    ///
    /// - Parameters:
    ///   - host: The address of this machine at which the node listens, such as `10.0.0.1`;
    ///     `0.0.0.0` or `::` for all of them.
    ///   - port: The port, or 0 for a free one.
    ///   - published: The host, or the host and the port as `host:port`, at which the others reach
    ///     it; as it listens unless given, which does not do for all addresses of a machine.
    /// - Returns: What a node is given. It listens from the start of the node to its end.
    public static func tls(
      at host: String, port: Int, published: String? = nil
    ) -> ClusterLinks {
      ClusterLinks(TLSNetwork(at: host, port: port, published: published))
    }
  }
#endif
