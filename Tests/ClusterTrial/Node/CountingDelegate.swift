// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import Foundation
  import Proscenium
  import ProsceniumPrimitives

  /// Counts what its session is told, and remembers the count: what a history is written of.
  final class CountingDelegate: SceneDelegate {
    private let history: HistoryWriter
    private let tenure: @Sendable (SessionIdentifier) -> CountReply.Tenure?
    private var count = 0
    /// The time in which the scene was connected.
    private var connectedIn = CountReply.Tenure()
    private var isPoisoned = false

    private static let poison = "poison"

    init(
      _ history: HistoryWriter,
      tenure: @escaping @Sendable (SessionIdentifier) -> CountReply.Tenure?
    ) {
      self.history = history
      self.tenure = tenure
    }

    func scene(
      _ scene: isolated Scene, willConnectTo session: SceneSession,
      options: Scene.ConnectionOptions
    ) {
      let kept = session.stateRestorationActivity?.title
      // As a defect would that only this session's state meets.
      if kept == Self.poison { _exit(86) }
      count = kept.flatMap { Int($0) } ?? 0
      connectedIn = tenure(session.id) ?? CountReply.Tenure()
      history.write(.loaded, session.id, connectedIn, count)
    }

    func scene(_ scene: isolated Scene, replyTo message: SceneMessage) -> SceneMessage {
      if message.string == "read" { return reply }
      isPoisoned = isPoisoned || message.string == Self.poison
      count += 1
      scene.setNeedsCapture()
      return reply
    }

    private var reply: SceneMessage { CountReply(count: count, tenure: connectedIn).message }

    func scene(_ scene: isolated Scene, didReceive message: SceneMessage) {
      if let told = ToldMessage(message) {
        return history.write(
          .given, scene.session.id, connectedIn, told.number, sender: told.sender)
      }
      scene.setNeedsCapture()
    }

    func stateRestorationActivity(for scene: isolated Scene) -> UserActivity? {
      var activity = UserActivity(
        "count",
        userInfo: ["filler": .string(String(repeating: "x", count: 300))])
      activity.title = isPoisoned ? Self.poison : "\(count)"
      return activity
    }
  }
#endif
