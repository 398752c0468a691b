// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium
  import ProsceniumPrimitives

  /// Decides about the content of events of other nodes.
  struct ContentReceiver: Sendable {
    let links: NodeLinks

    private var feed: ContentFeed { links.content }

    /// Decides about what another node asks.
    ///
    /// - Returns: What waits for the answer.
    func receive(
      _ message: SceneMessage
    ) async -> @Sendable () async -> Result<SceneMessage, SceneError> {
      let answer: Result<SceneMessage, SceneError>
      do throws(SceneError) {
        guard let messages = links.messages.withLock({ $0 }), links.duties.isServing else {
          return { ContentAnswer.moving.encoded() }
        }
        switch try ContentQuestion.decoded(message) {
        case .best(let identifier, let source):
          let best = messages.best(for: identifier, source: source, .preferring)
          answer =
            (best.map { .best($0.session, $0.state, isSource: $0.isSource) }
            ?? nothing(for: identifier, .preferring)).encoded()
        case .event(let routed):
          guard routed.scope != .all, let identifier = routed.event.targetContentIdentifier else {
            throw SceneError(.notDecodable, "expected an event for content that is shown")
          }
          let wait = try await messages.decide(routed)
          return {
            await wait().flatMap { session in
              (session.map { .session($0) } ?? nothing(for: identifier, routed.scope)).encoded()
            }
          }
        }
      } catch {
        switch error.code {
        // Nothing was decided.
        case .notRunning, .servedElsewhere: answer = ContentAnswer.moving.encoded()
        default: answer = .failure(error)
        }
      }
      return { answer }
    }

    /// What is answered where no session of the node shows the content.
    private func nothing(for identifier: String, _ scope: RoutingScope) -> ContentAnswer {
      let isMoving =
        feed.look(for: identifier, .prefers).isMoving
        || scope != .preferring && feed.look(for: identifier, .can).isMoving
        || links.duties.ledger.withLock { $0.counts.waiting > 0 }
      return isMoving ? .moving : .nothing
    }
  }
#endif
