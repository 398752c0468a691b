// SPDX-License-Identifier: Apache-2.0

extension SceneError {
  /// The error of a request for which the router finds no session.
  package init(_ refusal: RoutingRefusal) {
    switch refusal {
    case .identifierTooLong: self.init(.limitExceeded, refusal.description)
    case .multipleScenesNotSupported:
      self.init(.multipleScenesNotSupported, refusal.description)
    case .sessionQuota: self.init(.quotaReached, refusal.description)
    }
  }

  /// Asks the router, whose refusals become those of a request.
  static func routed<Answer>(
    _ ask: () throws(RoutingRefusal) -> Answer
  ) throws(SceneError) -> Answer {
    do throws(RoutingRefusal) {
      return try ask()
    } catch {
      throw SceneError(error)
    }
  }
}
