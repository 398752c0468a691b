// SPDX-License-Identifier: Apache-2.0

@testable import Proscenium

/// A delegate that shows its clients a text, to which their input is added.
final class Transcript: ClientSceneDelegate {
  private let log: CallLog
  private var text = ""

  init(_ log: CallLog) {
    self.log = log
  }

  func scene(
    _ scene: isolated Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions
  ) {
    text = session.stateRestorationActivity?.title ?? ""
    log.append("connected \(text)")
  }

  func sceneDidBecomeActive(_ scene: isolated Scene) {
    log.append("active")
  }

  func sceneDidEnterBackground(_ scene: isolated Scene) {
    log.append("background")
  }

  func sceneDidDisconnect(_ scene: isolated Scene) {
    log.append("disconnected")
  }

  func scene(_ scene: isolated Scene, didReceive message: SceneMessage) {
    text += message.string
    scene.setNeedsCapture()
    scene.emit(SceneMessage("+" + message.string))
  }

  func scene(_ scene: isolated Scene, renderAfter reset: OutputReset) {
    scene.emit(SceneMessage("=" + text))
  }

  func stateRestorationActivity(for scene: isolated Scene) -> UserActivity? { .titled(text) }
}

extension Stage {
  /// An application whose scenes are transcripts.
  static func transcripts(
    store: any SessionStore = InMemorySessionStore(),
    settings change: (inout ApplicationSettings) -> Void = { _ in }
  ) -> Stage {
    let log = CallLog()
    return Stage(
      log: log, store: store,
      manifest: [SceneConfiguration("Main") { Transcript(log) }], settings: change)
  }
}

extension Scene {
  var hasClients: Bool { extras?.line != nil }
}

extension ClientIdentifier {
  static func number(_ number: UInt64) -> ClientIdentifier {
    ClientIdentifier(high: 0, low: number)
  }
}

/// A client that keeps what it is told.
struct Listener {
  let client: SceneClient

  init(_ client: SceneClient) {
    self.client = client
  }

  /// Reads so many outputs, each as a text.
  func read(_ count: Int) async -> [String] {
    var texts: [String] = []
    for _ in 0..<count {
      guard let output = await client.next() else { return texts + ["nothing"] }
      texts.append(Self.text(output))
    }
    return texts
  }

  private static func text(_ output: SceneClient.Output) -> String {
    switch output {
    case .frame(let frame): "\(frame.number.count) \(frame.content.string)"
    case .acknowledged(let number): "acknowledged \(number)"
    case .reset(let reset): "reset \(reset)"
    case .ended(let reason): "ended \(reason)"
    }
  }
}
