// SPDX-License-Identifier: Apache-2.0

import Proscenium
import Synchronization

/// Passes callbacks on to a delegate of a load test or a replay, and makes a mistake with each
/// eighth delivery.
final class MistakenDelegate: SceneDelegateFront {
  enum Mistake: Sendable, CaseIterable {
    case drop, double, swap
    /// The state is captured once, and never again.
    case oldState
  }

  private enum Delivery {
    case message(SceneMessage)
    case activity(UserActivity)

    var isMessage: Bool { if case .message = self { true } else { false } }
  }

  /// Counts the deliveries to all delegates of an application.
  private final class Chances: Sendable {
    private let count = Atomic<Int>(0)

    /// Whether the mistake is made now.
    func strike() -> Bool { count.wrappingAdd(1, ordering: .relaxed).newValue % 8 == 0 }
  }

  let delegate: any SceneDelegate
  private let mistake: Mistake
  private let chances: Chances
  private var held: Delivery?
  private var captured: UserActivity?

  private init(_ delegate: any SceneDelegate, _ mistake: Mistake, _ chances: Chances) {
    self.delegate = delegate
    self.mistake = mistake
    self.chances = chances
  }

  /// Returns what puts such an object before each delegate.
  static func making(
    _ mistake: Mistake
  ) -> @Sendable (any SceneDelegate) -> any SceneDelegateFront {
    let chances = Chances()
    return { MistakenDelegate($0, mistake, chances) }
  }

  private func deliver(_ delivery: Delivery, _ scene: isolated Scene) {
    let strikes = mistake != .oldState && chances.strike()
    switch mistake {
    case .drop where strikes: return
    case .double where strikes: pass(delivery, scene)
    case .swap where strikes && held == nil:
      held = delivery
      return
    default: break
    }
    pass(delivery, scene)
    if let late = held, late.isMessage == delivery.isMessage {
      held = nil
      pass(late, scene)
    }
  }

  private func pass(_ delivery: Delivery, _ scene: isolated Scene) {
    switch delivery {
    case .message(let message): delegate.scene(scene, didReceive: message)
    case .activity(let activity): delegate.scene(scene, continue: activity)
    }
  }

  // MARK: - Deliveries

  func scene(_ scene: isolated Scene, didReceive message: SceneMessage) {
    deliver(.message(message), scene)
  }

  func scene(_ scene: isolated Scene, continue activity: UserActivity) {
    deliver(.activity(activity), scene)
  }

  // MARK: - States

  func stateRestorationActivity(for scene: isolated Scene) -> UserActivity? {
    if mistake == .oldState, let captured { return captured }
    captured = delegate.stateRestorationActivity(for: scene)
    return captured
  }

  func snapshot(for scene: isolated Scene, variant: String?) -> [UInt8]? {
    delegate.snapshot(for: scene, variant: variant)
  }

  // MARK: - As they are

  func scene(
    _ scene: isolated Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions
  ) {
    delegate.scene(scene, willConnectTo: session, options: options)
  }

  func sceneDidBecomeActive(_ scene: isolated Scene) { delegate.sceneDidBecomeActive(scene) }

  func sceneDidEnterBackground(_ scene: isolated Scene) { delegate.sceneDidEnterBackground(scene) }

  func sceneDidDisconnect(_ scene: isolated Scene) { delegate.sceneDidDisconnect(scene) }

  func scene(_ scene: isolated Scene, replyTo message: SceneMessage) -> SceneMessage {
    delegate.scene(scene, replyTo: message)
  }
}
