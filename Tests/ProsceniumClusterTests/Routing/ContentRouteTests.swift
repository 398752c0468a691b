// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium
  import ProsceniumCluster
  import Testing

  /// Where an event goes, by what a node knows.
  @Suite struct ContentRouteTests {
    private static func view(
      preferring: SessionRank.State? = nil, isSource: Bool = false, shows: Bool = false,
      prefers: [Int32] = [], can: [Int32] = [], movingPrefers: Bool = false, movingCan: Bool = false
    ) -> ContentRoute.View {
      var view = ContentRoute.View()
      view.preferring = preferring.map { ContentRoute.Best($0, isSource: isSource) }
      view.shows = shows
      view.prefers = ContentTerms.Hits(nodes: prefers, isMoving: movingPrefers)
      view.can = ContentTerms.Hits(nodes: can, isMoving: movingCan)
      return view
    }

    @Test func `a session that prefers the content comes before all that can show it`() {
      let route = ContentRoute(hash: 5)
      #expect(route.next(Self.view(preferring: .archived)) == .here)
      #expect(route.next(Self.view(shows: true, prefers: [7])) == .send(7, .preferring))
      #expect(route.next(Self.view(prefers: [7], can: [3])) == .send(7, .preferring))
      #expect(route.next(Self.view(preferring: .active, prefers: [7])) == .ask([7]))
      #expect(route.next(Self.view(shows: true, prefers: [7, 9])) == .ask([7, 9]))
      #expect(route.next(Self.view(shows: true, movingPrefers: true)) == .wait)
      #expect(route.next(Self.view(preferring: .archived, movingPrefers: true)) == .here)
    }

    @Test func `the session in which the event arose is the first of those that prefer it`() {
      let route = ContentRoute(hash: 5)
      let view = Self.view(preferring: .archived, isSource: true, prefers: [7])
      #expect(route.next(view) == .here)
      let own = ContentRoute.Best(.active, isSource: false)
      let other = ContentRoute.Best(.archived, isSource: true)
      #expect(route.choose(own, [(7, other)]) == .send(7, .preferring))
    }

    @Test func `a node's own session that can show it comes before those of others`() {
      let route = ContentRoute(hash: 5)
      #expect(route.next(Self.view(shows: true, can: [3])) == .here)
      #expect(route.next(Self.view(can: [3])) == .send(3, .showing))
      #expect(route.next(Self.view(can: [3, 4, 8])) == .send(8, .showing))
      #expect(route.next(Self.view(can: [3], movingCan: true)) == .send(3, .showing))
      #expect(route.next(Self.view(movingCan: true)) == .wait)
      #expect(route.next(Self.view()) == .here)
    }

    @Test func `of several that prefer it the best one is chosen, and of equals the own one`() {
      let route = ContentRoute(hash: 5)
      func best(_ state: SessionRank.State) -> ContentRoute.Best { .init(state, isSource: false) }
      #expect(route.choose(best(.background), [(7, best(.active))]) == .send(7, .preferring))
      #expect(route.choose(best(.active), [(7, best(.active))]) == .here)
      let several: [(node: Int32, best: ContentRoute.Best)] = [
        (9, best(.inactive)), (8, best(.inactive)), (7, best(.archived)),
      ]
      #expect(route.choose(nil, several) == .send(8, .preferring))
      #expect(route.choose(nil, []) == nil)
      #expect(route.choose(best(.archived), []) == .here)
    }

    @Test func `a node that has none is not asked again by the same rule`() {
      var route = ContentRoute(hash: 5)
      route.note(7, hasNone: .preferring)
      #expect(route.next(Self.view(prefers: [7], can: [7])) == .send(7, .showing))
      route.note(7, hasNone: .showing)
      #expect(route.next(Self.view(prefers: [7], can: [7])) == .here)
      #expect(route.next(Self.view(prefers: [7], can: [7, 8])) == .send(8, .showing))
      route.beginAgain()
      #expect(route.next(Self.view(prefers: [7], can: [7])) == .send(7, .preferring))
    }
  }
#endif
