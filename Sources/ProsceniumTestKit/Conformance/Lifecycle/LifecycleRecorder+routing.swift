// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Proscenium

// Where events go, and among which sessions that was decided.
extension LifecycleRecorder {
  /// Says that an event is submitted.
  ///
  /// The runtime reports where the event went when it gets there, which may be much later; what it
  /// explains now is taken for it until then.
  ///
  /// - Returns: The number by which it can be forgotten, if it is refused.
  func expectRoute(_ identifier: String?, source: SessionIdentifier?) -> Int {
    let route = explain(identifier, source)
    return state.withLock { state in
      state.routeCount += 1
      state.expectedRoutes.append(
        ExpectedRoute(
          number: state.routeCount, identifier: identifier, source: source, route: route,
          last: state.lastRoute))
      if let route { state.lastRoute = route }
      return state.routeCount
    }
  }

  /// Takes back what was said of an event that is refused.
  func forgetRoute(_ number: Int) {
    state.withLock { state in
      guard let index = state.expectedRoutes.firstIndex(where: { $0.number == number }) else {
        return
      }
      state.lastRoute = state.expectedRoutes.remove(at: index).last
    }
  }

  /// Notes where an event went.
  func arrive(_ decision: RoutingDecision) {
    let chosen = decision.session.map { label($0) }
    let (expected, isAsExplained) = state.withLock { state in
      let index = state.expectedRoutes.firstIndex {
        $0.route?.rule == decision.rule && $0.route?.chosen == chosen
      }
      let expected = (index ?? state.expectedRoutes.indices.first).map {
        state.expectedRoutes.remove(at: $0)
      }
      return (expected, index != nil)
    }
    let route =
      isAsExplained ? expected?.route : expected.flatMap { explain($0.identifier, $0.source) }
    // A new session is a candidate of nothing, but there by now.
    let candidates = decision.rule == .new ? [] : route?.candidates ?? []
    state.withLock { state in
      state.lastRoute = Route(rule: decision.rule, candidates: candidates, chosen: chosen)
    }
  }

  private func explain(_ identifier: String?, _ source: SessionIdentifier?) -> Route? {
    guard
      let explanation = try? application?.explain(identifier, source: source, limit: .max)
    else { return nil }
    return Route(
      rule: explanation.rule, candidates: Set(explanation.candidates.map { label($0.session) }),
      chosen: explanation.session.map { label($0) })
  }
}
