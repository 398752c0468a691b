// SPDX-License-Identifier: Apache-2.0

public import Foundation
import Proscenium

/// A kind of scene: its name, the role that it is for, and its classes.
///
/// A session keeps a copy of the configuration that was chosen for it (R-CFG-5).
@MainActor
open class UISceneConfiguration: NSObject {
  /// The name, or nil for the first entry of the role (R-CFG-3).
  public let name: String?

  /// The role of the sessions that it is for.
  public let role: UISceneSession.Role

  /// The class of its scenes, for the program's own use: the device makes a `UIWindowScene`.
  open var sceneClass: AnyClass? {
    didSet {
      guard let sceneClass, sceneClass != UIWindowScene.self else { return }
      Notices.say("UISceneConfiguration.sceneClass", "is held here: scenes are of UIWindowScene")
    }
  }

  /// The class of its scenes' delegates; the device must know how to make one.
  open var delegateClass: AnyClass?

  /// The storyboard that its windows show at first.
  open var storyboard: UIStoryboard?

  /// The class of the entry.
  private var entryClass: AnyClass?

  /// Makes a configuration that names an entry of the Info.plist and has its classes; without such
  /// an entry they are nil (R-CFG-3).
  public init(name: String?, sessionRole: UISceneSession.Role) {
    self.name = name
    role = sessionRole
    super.init()
    if let entry = UIApplication.current?.program.entry(named: name, role: sessionRole) {
      delegateClass = entry.delegateClass
      storyboard = entry.storyboard
    }
    entryClass = delegateClass
  }

  /// Makes a configuration that names an entry, of the role that the session has.
  public convenience init(name: String?) {
    self.init(name: name, sessionRole: UISceneSession.Role(rawValue: ""))
  }

  /// Makes a configuration of the first entry of the role that the session has.
  public convenience override init() {
    self.init(name: nil)
  }

  /// Makes the object of a value.
  init(_ value: SceneConfiguration, of program: UIKitProgram) {
    name = value.name
    role = UISceneSession.Role(value.role)
    super.init()
    delegateClass = program.delegateClass(named: value.delegateClass)
    storyboard = program.entry(named: value.name, role: role)?.storyboard
    entryClass = delegateClass
  }

  /// The configuration as the runtime looks it up for a session of a role.
  func value(for sessionRole: UISceneSession.Role) -> SceneConfiguration {
    let role = role.rawValue.isEmpty ? sessionRole : role
    var value = SceneConfiguration(name: name, sessionRole: role.value)
    if delegateClass != entryClass, let delegateClass { value.delegateClass = "\(delegateClass)" }
    if let sceneClass { value.sceneClass = "\(sceneClass)" }
    return value
  }
}
