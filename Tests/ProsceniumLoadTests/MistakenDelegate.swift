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

  /// Counts the deliveries to all delegates of an application.
  private final class Chances: Sendable {
    private let count = Atomic<Int>(0)

    /// Whether the mistake is made now.
    func strike() -> Bool { count.wrappingAdd(1, ordering: .relaxed).newValue % 8 == 0 }
  }

  let delegate: any SceneDelegate
  private let mistake: Mistake
  private let chances: Chances
  private var held: ((isolated Scene) -> Void)?
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

  private func deliver(_ scene: isolated Scene, _ event: @escaping (isolated Scene) -> Void) {
    let strikes = mistake != .oldState && chances.strike()
    switch mistake {
    case .drop where strikes: return
    case .double where strikes: event(scene)
    case .swap where strikes && held == nil:
      held = event
      return
    default: break
    }
    event(scene)
    if let late = held.take() { late(scene) }
  }

  // MARK: - Deliveries

  func scene(_ scene: isolated Scene, didReceive message: SceneMessage) {
    deliver(scene) { [delegate] in delegate.scene($0, didReceive: message) }
  }

  func scene(_ scene: isolated Scene, continue activity: UserActivity) {
    deliver(scene) { [delegate] in delegate.scene($0, continue: activity) }
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
