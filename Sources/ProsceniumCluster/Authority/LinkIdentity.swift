// SPDX-License-Identifier: Apache-2.0

#if Cluster
  /// Where a node is reached by the others, and how they know it.
  package struct LinkIdentity: Sendable, Equatable {
    /// A host and a port; empty if it is not reached.
    package var address: String
    /// What its certificate is known by.
    package var fingerprint: [UInt8]

    package init(address: String = "", fingerprint: [UInt8] = []) {
      self.address = address
      self.fingerprint = fingerprint
    }
  }
#endif
