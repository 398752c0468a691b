// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// What a session of the trial remembers: how many inputs it has taken, and which in what order.
struct TallyState: Sendable, Equatable {
  private(set) var count: UInt64 = 0
  private(set) var sum: UInt64 = 0

  init() {}

  /// Takes an input.
  mutating func take(_ input: UInt64) {
    count += 1
    sum = sum &* 0x9E37_79B9_7F4A_7C15 &+ input
  }

  /// Reads what ``text`` gives.
  init?(_ text: some StringProtocol) {
    let parts = text.split(separator: ",").compactMap { UInt64($0) }
    guard parts.count == 2 else { return nil }
    (count, sum) = (parts[0], parts[1])
  }

  var text: String { "\(count),\(sum)" }
}

/// Takes inputs, and shows each of them, with what it has led to.
final class Tally: ClientSceneDelegate {
  private var state = TallyState()

  func scene(
    _ scene: isolated Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions
  ) {
    state = session.stateRestorationActivity?.title.flatMap { TallyState($0) } ?? TallyState()
  }

  func scene(_ scene: isolated Scene, didReceive message: SceneMessage) {
    guard let input = UInt64(message.string) else { return }
    state.take(input)
    scene.setNeedsCapture()
    scene.emit(SceneMessage("+\(input) \(state.text)"))
  }

  func scene(_ scene: isolated Scene, renderAfter reset: OutputReset) {
    scene.emit(SceneMessage("=\(state.text)"))
  }

  func stateRestorationActivity(for scene: isolated Scene) -> UserActivity? {
    var activity = UserActivity("tally")
    activity.title = state.text
    return activity
  }
}
