// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium
  import ProsceniumCluster
  import ProsceniumStoring
  import Testing

  @Suite struct RecentCommitsTests {
    private static let session = SessionIdentifier(high: 1, low: 1)

    private static func draft(
      _ session: SessionIdentifier = session, _ kinds: StoreChange.Kind...
    ) -> SessionDraft {
      var draft = SessionDraft(session, epoch: 1)
      for kind in kinds { draft.take(StoreChange(session: session, epoch: 1, kind: kind)) }
      return draft
    }

    private static func insertion(of session: SessionIdentifier = session) -> StoreChange.Kind {
      .insert(SessionRow(persistentIdentifier: session, configuration: .init()))
    }

    private static func state(_ version: UInt64) -> StoreChange.Kind {
      .save(SimulatedSeal.bytes([1], version: version))
    }

    private static func noting(
      _ drafts: SessionDraft..., limits: RecentCommits.Limits = .init()
    ) -> RecentCommits {
      var commits = RecentCommits(limits)
      for draft in drafts { commits.note([draft], .zero, version: SimulatedSeal.version) }
      return commits
    }

    @Test func `nothing is lost that is kept in the version that was acknowledged`() {
      var commits = Self.noting(Self.draft(Self.session, Self.insertion(), Self.state(7)))
      #expect(commits.compare(with: [Self.session: 7], .zero).isEmpty)
      #expect(commits.compare(with: [Self.session: 9], .zero).isEmpty)
    }

    @Test func `a state that is gone is written again, and a session with its row`() {
      var commits = Self.noting(
        Self.draft(Self.session, Self.insertion()), Self.draft(Self.session, Self.state(7)))
      let older = commits.compare(with: [Self.session: 0], .zero)
      #expect(older.again.map(\.isInsertion) == [false])
      #expect(older.lost.isEmpty)
      let gone = commits.compare(with: [:], .zero)
      #expect(gone.again.map(\.isInsertion) == [true])
      #expect(gone.again.first?.saved == SimulatedSeal.bytes([1], version: 7))
    }

    @Test func `a session is lost whose insertion is not known any more`() {
      var commits = Self.noting(Self.draft(Self.session, Self.state(7)))
      #expect(commits.compare(with: [:], .zero).lost == [Self.session])
      // It is told once.
      #expect(commits.compare(with: [:], .zero).isEmpty)
    }

    @Test func `a session that was removed is removed again`() {
      var commits = Self.noting(
        Self.draft(Self.session, Self.insertion()), Self.draft(Self.session, .remove))
      #expect(commits.compare(with: [:], .zero).isEmpty)
      #expect(commits.compare(with: [Self.session: 0], .zero).again.map(\.removes) == [true])
    }

    @Test func `what another owner may have changed is not lost, unless an older state is kept`() {
      var commits = Self.noting(Self.draft(Self.session, Self.insertion(), Self.state(7)))
      #expect(commits.compare(with: [:], .zero) { _, _ in .owner }.isEmpty)
      #expect(commits.compare(with: [Self.session: 9], .zero) { _, _ in .owner }.isEmpty)
      let losses = commits.compare(with: [Self.session: 3], .zero) { _, _ in .owner }
      #expect(losses.lost == [Self.session] && losses.again.isEmpty)
    }

    @Test func `of a slice that has gone back everything that is missing is lost`() {
      var commits = Self.noting(Self.draft(Self.session, Self.insertion(), Self.state(7)))
      let state = AcknowledgedState(
        sealed: SimulatedSeal.bytes([1], version: 7), isOfNewSession: true)
      #expect(commits.savedState(of: Self.session) == state)
      let losses = commits.compare(with: [:], .zero) { _, _ in .undone }
      #expect(losses.lost == [Self.session] && losses.again.isEmpty)
      #expect(commits.savedState(of: Self.session) == nil)
    }

    @Test
    func `what was written before the slice was another node's is not mixed with what came later`()
    {
      var commits = Self.noting(Self.draft(Self.session, Self.insertion(), Self.state(7)))
      #expect(commits.savedState(of: Self.session, tenure: 2) == nil)
      commits.note([Self.draft(Self.session, Self.state(8))], .zero, version: SimulatedSeal.version)
      {
        _ in 2
      }
      let state = AcknowledgedState(
        sealed: SimulatedSeal.bytes([1], version: 8), isOfNewSession: false)
      #expect(commits.savedState(of: Self.session, tenure: 2) == state)
      var tenures: [UInt32] = []
      let losses = commits.compare(with: [:], .zero) { _, tenure in
        tenures.append(tenure)
        return .none
      }
      #expect(tenures == [2] && losses.lost == [Self.session])
    }

    @Test func `what is older than a minute is forgotten`() {
      var commits = Self.noting(Self.draft(Self.session, Self.state(7)))
      let other = SessionIdentifier(high: 2, low: 2)
      commits.note(
        [Self.draft(other, Self.state(8))], .seconds(61), version: SimulatedSeal.version)
      #expect(commits.sessions == [other])
    }

    @Test func `what there is no room for is counted, if something is lost`() {
      var limits = RecentCommits.Limits()
      limits.sessions = 1
      let other = SessionIdentifier(high: 2, low: 2)
      var commits = Self.noting(
        Self.draft(Self.session, Self.state(7)), Self.draft(other, Self.state(8)), limits: limits)
      #expect(commits.count == 1)
      let losses = commits.compare(with: [other: 3], .seconds(1))
      #expect(losses.again.map(\.session) == [other])
      #expect(losses.forgotten == 1)
    }
  }
#endif
