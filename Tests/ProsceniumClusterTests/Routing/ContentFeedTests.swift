// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium
  import ProsceniumPredicate
  import ProsceniumPrimitives
  import Testing

  @testable import ProsceniumCluster

  @Suite struct ContentFeedTests {
    private final class Mails: Sendable {
      let deltas = Guarded<[TermDelta]>([])
    }

    @Test func `a node that takes nothing is told no more until it does, and then everything`()
      throws
    {
      let (feed, mails) = (ContentFeed(sliceCount: 1) { .zero }, Mails())
      let send: ContentFeed.Sending = { item, _, _ in
        if case .terms(let delta) = item { mails.deltas.withLock { $0.append(delta) } }
      }
      let router = ContentRouter(observer: feed.note) {
        SessionIdentifier(high: 0, low: UInt64($0.rawValue))
      }
      feed.begin(2, 1, send)
      for number in 0..<2_000 {
        router.insert(
          SessionHandle(rawValue: UInt32(number)), role: 0,
          SessionRank(.archived, lastActivated: 0),
          SceneActivationConditions(can: .false, prefers: try .equals("doc/\(number)")))
        feed.tell(send)
      }
      let untaken = mails.deltas.withLock { $0.count }
      #expect(untaken <= ContentFeed.limit + 1)
      for _ in 0..<untaken { _ = feed.noteTaken(by: 2) }
      feed.tell(send)
      // What it knows is what there is.
      var terms = ContentTerms()
      for delta in mails.deltas.withLock({ $0 }) { _ = try terms.take(delta, from: 1) }
      #expect(terms.count == 2_000)
      #expect(terms.look(for: "doc/1999", .prefers).nodes == [1])
    }
  }
#endif
