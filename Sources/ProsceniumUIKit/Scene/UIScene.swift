// SPDX-License-Identifier: Apache-2.0

public import Foundation
import Proscenium

/// One connected instance of a session.
///
/// A scene is made by the system, never by the program. It is released with its delegate after the
/// disconnect; a reconnection makes another one for the same session (R-ID-5).
@MainActor
open class UIScene: UIResponder {
  /// How near a scene is to its user (R-ACT-1).
  public enum ActivationState: Int, Sendable, Hashable {
    /// It is not connected.
    case unattached = -1
    /// It is in the foreground and receives events.
    case foregroundActive = 0
    /// It is in the foreground and receives no events.
    case foregroundInactive = 1
    /// It is not seen.
    case background = 2
  }

  /// The session that the scene is connected to.
  public let session: UISceneSession

  /// The runtime's scene; nil for a session that has none.
  let core: Scene?

  /// The object that is told what happens to the scene; it may be replaced (R-ID-4).
  open var delegate: (any UISceneDelegate)?

  private var conditions: UISceneActivationConditions?

  /// Set by the default implementations of the delegate's methods.
  var isUnhandled = false

  /// The activity that is being captured.
  var captured: NSUserActivity?

  /// Makes the scene of a session, for classes that a configuration names.
  public init(session: UISceneSession, connectionOptions: ConnectionOptions) {
    self.session = session
    core = session.coreScene
    super.init()
  }

  /// How near the scene is to its user; in a `will…` callback before the change, in a `did…`
  /// callback after it (R-ACT-3).
  open var activationState: ActivationState {
    core.map { ActivationState($0.activationState) } ?? .unattached
  }

  /// The title; an empty one is none.
  open var title: String! {
    get { core?.assumeIsolated { $0.title } ?? "" }
    set { core?.assumeIsolated { $0.title = newValue } }
  }

  /// The second line of the title.
  open var subtitle: String {
    get { core?.assumeIsolated { $0.subtitle } ?? "" }
    set { core?.assumeIsolated { $0.subtitle = newValue } }
  }

  /// Which content the scene can and would rather show; routing sees a change when the callback
  /// that made it has returned.
  open var activationConditions: UISceneActivationConditions {
    get {
      if let conditions { return conditions }
      let value = core?.assumeIsolated { $0.activationConditions }
      let made = UISceneActivationConditions(value ?? SceneActivationConditions())
      made.scene = self
      conditions = made
      return made
    }
    set {
      conditions?.scene = nil
      conditions = newValue
      newValue.scene = self
      take(newValue)
    }
  }

  /// Takes conditions over that were changed in place.
  func take(_ conditions: UISceneActivationConditions) {
    let value = conditions.value
    core?.assumeIsolated { $0.activationConditions = value }
  }

  /// What ends the session besides a request (R-DC-1); nothing, unless set.
  open var destructionConditions: Set<DestructionCondition> {
    get {
      let values = core?.assumeIsolated { $0.destructionConditions } ?? []
      return Set(values.map(DestructionCondition.init))
    }
    set {
      let values = Set(newValue.map(\.value))
      core?.assumeIsolated { $0.destructionConditions = values }
    }
  }

  /// Holds the scene's way to the foreground until ``completeStateRestoration()`` (R-EXT-1).
  open func extendStateRestoration() {
    core?.assumeIsolated { $0.extendStateRestoration() }
  }

  /// Completes one extension; the last one lets the scene go on.
  open func completeStateRestoration() {
    core?.assumeIsolated { $0.completeStateRestoration() }
  }

  /// Hands a URL to the device.
  ///
  /// - Parameters:
  ///   - url: The URL.
  ///   - options: How it is opened.
  ///   - completion: Called later with whether anything opened it.
  open func open(
    _ url: URL, options: OpenExternalURLOptions?,
    completionHandler completion: ((Bool) -> Void)? = nil
  ) {
    session.application?.handOver(url, completion)
  }

  /// Hands a URL to the device.
  ///
  /// - Parameters:
  ///   - url: The URL.
  ///   - options: How it is opened.
  /// - Returns: Whether anything opened it.
  @discardableResult
  open func open(_ url: URL, options: OpenExternalURLOptions?) async -> Bool {
    guard session.application != nil else { return false }
    return await withCheckedContinuation { continuation in
      open(url, options: options) { continuation.resume(returning: $0) }
    }
  }
}

extension UIScene.ActivationState {
  init(_ state: Scene.ActivationState) {
    self =
      switch state {
      case .unattached: .unattached
      case .foregroundActive: .foregroundActive
      case .foregroundInactive: .foregroundInactive
      case .background: .background
      }
  }
}

extension UIScene {
  /// What ends a session, other than a request (R-DC-1).
  public struct DestructionCondition: Hashable, CustomStringConvertible, Sendable {
    let value: SceneDestructionCondition

    /// The user dismisses the scene.
    public static let userInitiatedDismissal = Self(value: .userInitiatedDismissal)

    /// The system disconnects the scene.
    public static let systemDisconnection = Self(value: .systemDisconnection)

    /// The name of the condition.
    public var description: String { "\(value)" }
  }
}
