// SPDX-License-Identifier: Apache-2.0

#if Cluster
  /// A mistake of the database that the checker has to find.
  enum PlantedFault: String, Sendable, CaseIterable {
    /// A save looks at the fence, waits for its lock, and writes whatever has happened by then.
    case readsFenceBeforeLock
    /// Two burials at once: each deals to nodes that live as it saw them before it waited.
    case buriesWithoutLock
    /// Slices change hands, and the fence of the one that gave them stays.
    case handsOverWithoutFence
    /// A burial does not count as a death of its slices' owner.
    case forgetsDeaths
    /// After a roll-back a node is taken for the one that had its number before.
    case forgetsRuns
  }
#endif
