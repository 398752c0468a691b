// SPDX-License-Identifier: Apache-2.0

#if Cluster
  /// A state as it was acknowledged.
  package struct AcknowledgedState: Sendable, Equatable {
    package var sealed: [UInt8]
    /// Whether the session was made with it: then its row can be lost as well.
    ///
    /// What is saved of a session that is not kept does nothing.
    package var isOfNewSession: Bool

    package init(sealed: [UInt8], isOfNewSession: Bool) {
      self.sealed = sealed
      self.isOfNewSession = isOfNewSession
    }
  }
#endif
