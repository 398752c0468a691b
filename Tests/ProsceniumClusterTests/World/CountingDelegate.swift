// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium
  import ProsceniumCluster
  import ProsceniumPredicate

  /// Remembers the last number of each client, and tells the model what it sees; clients that are
  /// attached are shown each number.
  final class CountingDelegate: ClientSceneDelegate {
    private let life: NodeLife
    private var counts = ClientCounts()

    init(_ life: NodeLife) {
      self.life = life
    }

    /// A session shows what it was made for, and nothing else.
    static func conditions(_ options: Scene.ConnectionOptions) -> SceneActivationConditions {
      let content = options.urlContexts.first.flatMap { try? ContentPredicate.equals($0.url) }
      return SceneActivationConditions(can: .false, prefers: content ?? .false)
    }

    func scene(
      _ scene: isolated Scene, willConnectTo session: SceneSession,
      options: Scene.ConnectionOptions
    ) {
      look("connect")
      take(options.urlContexts, scene)
      let saved = session.stateRestorationActivity?.title ?? ""
      counts = ClientCounts(saved) ?? ClientCounts()
      let isCurrent = life.isOwner(of: session.id)
      life.world.note(
        "\(life.name) loads \(session.id) with \(saved)\(isCurrent ? "" : ", another's")")
      // What another one serves by now is of no account.
      if isCurrent {
        life.world.tell { [life, counts] in $0.load(session.id, counts, by: life.name) }
      }
    }

    func scene(_ scene: isolated Scene, didReceive message: SceneMessage) {
      take(message, scene)
    }

    func scene(_ scene: isolated Scene, replyTo message: SceneMessage) -> SceneMessage {
      take(message, scene)
      return SceneMessage(counts.text)
    }

    func scene(_ scene: isolated Scene, renderAfter reset: OutputReset) {
      show("=\(counts.text)", scene)
    }

    private func show(_ text: String, _ scene: isolated Scene) {
      let rest = max(0, life.world.options.frameSize - text.utf8.count)
      scene.emit(SceneMessage(text + String(repeating: " ", count: rest)))
    }

    func sceneDidDisconnect(_ scene: isolated Scene) { look("disconnect") }

    func stateRestorationActivity(for scene: isolated Scene) -> UserActivity? {
      look("capture")
      var activity = UserActivity("count")
      activity.title = counts.text
      return activity
    }

    func scene(_ scene: isolated Scene, openURLContexts contexts: [OpenURLContext]) {
      look("event")
      take(contexts, scene)
    }

    /// Events are told apart by what opens them.
    private func take(_ contexts: [OpenURLContext], _ scene: isolated Scene) {
      for context in contexts {
        guard let event = context.options.sourceApplication else { continue }
        let session = scene.persistentIdentifier
        // What a node makes that was buried and has not seen it goes with it.
        let rows = life.isOwner(of: session) ? Array(life.world.server.database.rows.keys) : []
        life.world.note("\(life.name) is given \(event) for \(context.url) in \(session)")
        life.world.tell { [life] in
          $0.deliver(event: event, to: session, showing: context.url, by: life.name, rows)
        }
      }
    }

    private func take(_ message: SceneMessage, _ scene: isolated Scene) {
      look("message")
      let words = message.string.split(separator: " ").compactMap { Int($0) }
      guard words.count == 2 else { return }
      let (client, number) = (words[0], words[1])
      let session = scene.persistentIdentifier
      let epoch = life.running?.epoch(of: session) ?? 0
      if counts.numbers[client] ?? 0 >= number {
        life.world.tell { $0.find("session \(session) was told \(client):\(number) again") }
      }
      counts.numbers[client] = number
      life.world.tell { [life] in
        $0.deliver(session, client, number, epoch: epoch, by: life.name)
      }
      scene.setNeedsCapture()
      show("\(client):\(number)", scene)
      guard number % 5 == 0 else { return }
      scene.afterDurable { [life] in life.acknowledge(session, client, number) }
    }

    /// Nothing is called while the node has to pause, or when its process has ended.
    private func look(_ callback: String) {
      if life.isDead { life.world.tell { [life] in $0.find("\(life.name) is dead: \(callback)") } }
      life.world.lookAtBeliefs()
      guard let node = life.running, !node.letsScenesRun else { return }
      life.world.tell { [life] in $0.find("\(life.name) has to pause: \(callback)") }
    }
  }
#endif
