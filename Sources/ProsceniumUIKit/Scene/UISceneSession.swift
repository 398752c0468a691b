// SPDX-License-Identifier: Apache-2.0

public import Foundation
package import Proscenium

/// One representation that the user sees, whether or not a scene is connected to it (R-ID-1).
///
/// A session is made by the system, never by the program. While the process runs there is one
/// object for each session, also over several scenes. Of a session that was discarded it has what
/// there was at last (R-DST-3).
@MainActor
open class UISceneSession: NSObject {
  /// What a session is for.
  public struct Role: RawRepresentable, Hashable, Sendable {
    /// The name.
    public let rawValue: String

    /// Makes a role of its name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }
  }

  /// The identifier in the runtime.
  package let identifier: SessionIdentifier

  /// What the session is for, readable from anywhere.
  nonisolated let fixedRole: Role

  private(set) weak var application: UIApplication?

  /// What the session held when it was last open.
  private var last: SceneSession

  /// Changes that the runtime has not made yet.
  private var pending: [Int: @Sendable (inout SceneSession) -> Void] = [:]

  private var changeCount = 0

  private var restoration: NSUserActivity?

  init(_ session: SceneSession, of application: UIApplication) {
    identifier = session.persistentIdentifier
    fixedRole = Role(session.role)
    last = session
    self.application = application
    super.init()
  }

  /// The runtime's scene, while one is connected.
  var coreScene: Scene? { application?.process?.scene(for: identifier) }

  /// What the session holds now.
  var value: SceneSession {
    if let scene = coreScene {
      last = scene.assumeIsolated { $0.session }
    } else if let session = application?.process?.session(identifier) {
      last = session
    }
    var value = last
    for (_, change) in pending.sorted(by: { $0.key < $1.key }) { change(&value) }
    return value
  }

  /// Remembers what a session held that is gone.
  func take(_ session: SceneSession) {
    last = session
  }

  /// The scene, while one is connected.
  open var scene: UIScene? { application?.objects.scene(identifier) }

  /// What the session is for.
  open var role: Role { fixedRole }

  /// The configuration that was chosen for the session, as a copy (R-CFG-5).
  open var configuration: UISceneConfiguration {
    guard let application else {
      return UISceneConfiguration(name: last.configuration.name, sessionRole: role)
    }
    return UISceneConfiguration(value.configuration, of: application.program)
  }

  /// The identifier, which stays (R-ID-3).
  open var persistentIdentifier: String { "\(identifier)" }

  /// What was captured at last, or what the program set since (R-SR-2); nil while protected data is
  /// unavailable (R-SR-6).
  open var stateRestorationActivity: NSUserActivity? {
    get {
      let activity = value.stateRestorationActivity
      if restoration?.value != activity { restoration = activity.map { NSUserActivity($0) } }
      return restoration
    }
    set {
      restoration = newValue
      let activity = newValue?.value
      change { $0.stateRestorationActivity = activity }
    }
  }

  /// Small settings of the session, of values that a property list can hold (R-SR-9).
  ///
  /// A dictionary that holds something else is refused with a fault, and the old one stays.
  open var userInfo: [String: Any]? {
    get { value.userInfo?.mapValues(\.object) }
    set {
      guard let newValue else { return change { $0.userInfo = nil } }
      let values = newValue.mapValues { UserInfoValue(object: $0) }
      if let refused = values.first(where: { !($0.value?.isPropertyList ?? false) })?.key {
        return Faults.note(
          "UISceneSession.userInfo: expected values of property lists, found another one under "
            + "\"\(refused)\"; nothing was changed")
      }
      let userInfo = values.compactMapValues(\.self)
      change { $0.userInfo = userInfo }
    }
  }

  /// Changes what the session holds: at once if it has a scene, else when its turn comes.
  private func change(_ body: @escaping @Sendable (inout SceneSession) -> Void) {
    if let scene = coreScene {
      let refusal = scene.assumeIsolated { scene -> SceneError? in
        do throws(SceneError) {
          try ImmediateUpdate(body).carryOut(in: scene)
          return nil
        } catch {
          return error
        }
      }
      if let refusal { Faults.note("UISceneSession: \(refusal)") }
      return
    }
    guard let process = application?.process?.process else { return }
    changeCount += 1
    let number = changeCount
    pending[number] = body
    process.submitUpdate(
      of: identifier,
      onFailure: { [weak self] error in
        MainActor.assumeIsolated { self?.forget(number, error) }
      },
      { [weak self] session in
        body(&session)
        MainActor.assumeIsolated { self?.forget(number, nil) }
      })
  }

  /// A change was made, or refused.
  private func forget(_ number: Int, _ error: SceneError?) {
    pending[number] = nil
    if let error { Faults.note("UISceneSession: \(error)") }
  }
}

extension UISceneSession.Role {
  /// A window that the user works in.
  public static let windowApplication = Self(rawValue: "UIWindowSceneSessionRoleApplication")

  /// A window on a second display that the user can work in.
  public static let windowExternalDisplay = Self(
    rawValue: "UIWindowSceneSessionRoleExternalDisplay")

  /// A window on a display that takes no input: it never becomes active.
  public static let windowExternalDisplayNonInteractive = Self(
    rawValue: "UIWindowSceneSessionRoleExternalDisplayNonInteractive")

  /// A window of a program that is run with Assistive Access.
  public static let windowAssistiveAccessApplication = Self(
    rawValue: "UIWindowSceneSessionRoleAssistiveAccessApplication")

  /// A window that is shown while the camera is used.
  public static let windowCameraCaptureAccessory = Self(
    rawValue: "UIWindowSceneSessionRoleCameraCaptureAccessory")

  private static let known: [Self: SceneSession.Role] = [
    .windowApplication: .windowApplication,
    .windowExternalDisplay: .windowExternalDisplay,
    .windowExternalDisplayNonInteractive: .windowExternalDisplayNonInteractive,
  ]

  package init(_ role: SceneSession.Role) {
    self = Self.known.first { $0.value == role }?.key ?? Self(rawValue: role.rawValue)
  }

  /// The role as the runtime calls it.
  package var value: SceneSession.Role { Self.known[self] ?? SceneSession.Role(rawValue: rawValue) }
}
