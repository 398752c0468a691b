// SPDX-License-Identifier: Apache-2.0

#if Cluster
  public import Proscenium

  /// What a database has lost that it had acknowledged, as far as a process knows.
  public struct CommitLosses: Sendable, Equatable {
    /// The sessions whose last acknowledged changes are gone.
    public var sessions: [SessionIdentifier]
    /// How many sessions were written again from memory.
    public var repeated: Int
    /// How many commits of the last minute were made beyond what is remembered: nothing is known of
    /// them.
    public var forgotten: Int

    package init(_ losses: RecentCommits.Losses) {
      sessions = losses.lost
      repeated = losses.again.count
      forgotten = losses.forgotten
    }
  }
#endif
