// SPDX-License-Identifier: Apache-2.0

#if Cluster
  package import Proscenium
  package import ProsceniumStoring

  /// What a node has committed in the last minute, for a database that has lost its latest moments.
  ///
  /// Of each session it knows the version that was acknowledged, and the changes themselves while
  /// there is room for them.
  package struct RecentCommits: Sendable {
    /// What of it is kept.
    package struct Limits: Sendable {
      /// For how long.
      package var time = Duration.seconds(60)
      /// Of how many sessions.
      package var sessions = 65_536
      /// How many bytes of saved states.
      package var bytes = 32 << 20

      package init() {}
    }

    private struct Commit: Sendable {
      var draft: SessionDraft
      /// The last version, or `nil` for a session that was removed.
      var version: UInt64?
      var time: Duration
      /// The number of the slice's tenure in which it was made.
      var tenure: UInt32
    }

    private let limits: Limits
    private var commits: [SessionIdentifier: Commit] = [:]
    /// When each commit was made, the oldest first; one that is followed by another counts no more.
    private var order: [(session: SessionIdentifier, time: Duration)] = []
    private var first = 0
    private var bytes = 0
    /// When the last commit was made that had to be forgotten before its time.
    private var lastForgotten: Duration?
    private var forgotten = 0

    package init(_ limits: Limits = Limits()) {
      self.limits = limits
    }

    /// The sealed state that was acknowledged last, while there is room for it.
    ///
    /// - Returns: The state and whether the session was made with it; nothing of an earlier tenure.
    package func savedState(
      of session: SessionIdentifier, tenure: UInt32 = 0
    ) -> AcknowledgedState? {
      guard let commit = commits[session], commit.tenure == tenure,
        let sealed = commit.draft.saved
      else { return nil }
      return AcknowledgedState(sealed: sealed, isOfNewSession: commit.draft.isInsertion)
    }

    /// How many sessions are known.
    package var count: Int { commits.count }

    /// Takes note of what was committed.
    ///
    /// - Parameters:
    ///   - drafts: What was written of each session.
    ///   - now: When that was.
    ///   - version: The version of a sealed state.
    ///   - tenure: The number of the tenure in which a session was written: a database that has
    ///     gone back can give an epoch twice.
    package mutating func note(
      _ drafts: [SessionDraft], _ now: Duration, version: ([UInt8]) -> UInt64?,
      tenure: (SessionIdentifier) -> UInt32 = { _ in 0 }
    ) {
      for draft in drafts {
        let tenure = tenure(draft.session)
        bytes -= commits[draft.session]?.draft.saved?.count ?? 0
        // What was written before the slice was another node's is over.
        let known = commits[draft.session].flatMap { $0.tenure == tenure ? $0 : nil }
        var commit = known ?? Commit(draft: draft, version: 0, time: now, tenure: tenure)
        if known != nil { commit.draft.take(draft) }
        if draft.removes, !draft.isInsertion {
          commit.version = nil
        } else if draft.isInsertion || commit.version == nil {
          commit.version = 0
        }
        if let version = draft.saved.flatMap(version) { commit.version = version }
        commit.time = now
        bytes += commit.draft.saved?.count ?? 0
        commits[draft.session] = commit
        order.append((draft.session, now))
      }
      trim(now)
    }

    private mutating func trim(_ now: Duration) {
      while first < order.count {
        let (session, time) = order[first]
        guard let commit = commits[session], commit.time == time else {
          first += 1
          continue
        }
        let isOld = now - time > limits.time
        guard isOld || commits.count > limits.sessions || bytes > limits.bytes else { break }
        bytes -= commit.draft.saved?.count ?? 0
        first += 1
        commits[session] = nil
        if !isOld {
          lastForgotten = now
          forgotten += 1
        }
      }
      // Of a session that is committed often, most of it counts no more.
      if order.count > 4 * commits.count + 1_024 {
        order = commits.map { ($0, $1.time) }.sorted { $0.time < $1.time }
        first = 0
      }
    }

    /// The sessions that are known.
    package var sessions: [SessionIdentifier] { Array(commits.keys) }

    /// What a comparison has found.
    package struct Losses: Sendable {
      /// What is to be written again.
      package var again: [SessionDraft] = []
      /// The sessions whose acknowledged changes are gone, and not known any more.
      package var lost: [SessionIdentifier] = []
      /// How many commits of the last minute were forgotten, of which nothing can be said.
      package var forgotten = 0

      package var isEmpty: Bool { again.isEmpty && lost.isEmpty }
    }

    /// What has become of a session's slice since a commit.
    package enum Change: Sendable {
      /// It is the node's, in the same epoch.
      case none
      /// It has another owner since, or is the node's in a later epoch: what is missing can have
      /// been removed there.
      case owner
      /// It is in an earlier epoch: the database has gone back.
      case undone
    }

    /// Compares what the database has with what it has acknowledged.
    ///
    /// - Parameters:
    ///   - found: The versions that the database has, by session; nothing of one that is not there.
    ///   - now: The time.
    ///   - change: Tells what has become of a session's slice. Only in the same epoch something can
    ///     be written again: its versions would hide what another owner saves.
    /// - Returns: What it has lost; nothing is forgotten that may be lost.
    package mutating func compare(
      with found: [SessionIdentifier: UInt64], _ now: Duration,
      _ change: (SessionDraft, _ tenure: UInt32) -> Change = { _, _ in .none }
    ) -> Losses {
      trim(now)
      var losses = Losses()
      var changed: [SessionDraft] = []
      for (session, commit) in commits.sorted(by: { $0.key < $1.key }) {
        let draft = commit.draft
        let change = change(draft, commit.tenure)
        switch (commit.version, found[session]) {
        case (nil, nil): break
        case (_, nil) where change == .owner: break
        case (let version?, let kept?) where kept >= version:
          if change == .none, draft.row != nil { changed.append(draft.asChange) }
        case _ where change != .none: losses.lost.append(session)
        case (nil, _): losses.again.append(draft)
        case (_, nil) where draft.isInsertion: losses.again.append(draft)
        case (_, nil): losses.lost.append(session)
        case _ where draft.saved == nil: losses.lost.append(session)
        case _: losses.again.append(draft.asChange)
        }
      }
      if !losses.isEmpty {
        // What else was written of rows has no version, and can be lost as well.
        losses.again += changed
        if let last = lastForgotten, now - last <= limits.time { losses.forgotten = forgotten }
      }
      forgotten = 0
      lastForgotten = nil
      for session in losses.lost {
        bytes -= commits.removeValue(forKey: session)?.draft.saved?.count ?? 0
      }
      return losses
    }
  }
#endif
