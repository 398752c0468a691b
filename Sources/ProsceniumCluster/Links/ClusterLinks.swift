// SPDX-License-Identifier: Apache-2.0

#if Cluster
  /// What brings messages from each node of a cluster to the others.
  ///
  /// With it a message for a session that another node serves goes there; without it, it is refused
  /// with the node's address. The product `ProsceniumLinks` makes it.
  public struct ClusterLinks: Sendable {
    package let network: any LinkNetwork

    package init(_ network: any LinkNetwork) {
      self.network = network
    }
  }
#endif
