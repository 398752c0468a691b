// SPDX-License-Identifier: Apache-2.0

package import Proscenium
import ProsceniumPrimitives

/// One process of the program: its scenes and its sessions.
@MainActor
open class UIApplication: UIResponder {
  /// How near the application is to its user (R-AGG-1).
  public enum State: Int, Sendable, Hashable {
    /// A scene is active.
    case active = 0
    /// A scene is in the foreground, none is active.
    case inactive = 1
    /// No scene is in the foreground.
    case background = 2
  }

  /// The application of the process that runs, if one does.
  static var current: UIApplication? { UIKitProgram.running?.application }

  /// The application of the process that runs.
  ///
  /// Without one, as in a test that launches no device, it is an application without scenes whose
  /// requests are refused, and that is said once.
  public static var shared: UIApplication {
    if let current { return current }
    Notices.say("UIApplication.shared", "has no scenes: no device runs a process")
    return idle
  }

  private static let idle = UIApplication(nil, of: UIKitProgram())

  /// Whether its process runs, or it is the one that has none.
  var isCurrent: Bool { process == nil || program.application === self }

  /// The program, as the device knows it.
  package nonisolated let program: UIKitProgram

  /// The runtime's application; nil where no process runs.
  package let process: Application?

  /// The objects that there are for the runtime's sessions and scenes.
  let objects = SceneObjects()

  /// Where the user's answers to notifications come from.
  let notifications = UNUserNotificationCenter()

  /// What is told of the application's life.
  open var delegate: (any UIApplicationDelegate)?

  /// Whether the screen stays on; held.
  open var isIdleTimerDisabled = false

  /// The number on the icon; held.
  open var applicationIconBadgeNumber = 0

  /// The quick actions of the icon; held.
  open var shortcutItems: [UIApplicationShortcutItem]?

  init(_ process: Application?, of program: UIKitProgram) {
    self.process = process
    self.program = program
    super.init()
  }

  /// How near the application is to its user.
  open var applicationState: State {
    switch process?.applicationState {
    case .active: .active
    case .inactive: .inactive
    case .background, nil: .background
    }
  }

  /// The scenes that are connected.
  open var connectedScenes: Set<UIScene> { objects.connectedScenes }

  /// The sessions that are open, with a scene or without.
  open var openSessions: Set<UISceneSession> {
    Set((process?.openSessions).map { $0.map { objects.session($0, of: self) } } ?? [])
  }

  /// Whether the program may have more than one session.
  open var supportsMultipleScenes: Bool { process?.supportsMultipleScenes ?? false }

  /// Whether protected data is available (R-SR-6).
  public nonisolated var isProtectedDataAvailable: Bool {
    program.shared.withLock { $0.isProtectedDataAvailable }
  }

  /// Says that the program is restoring state of its own.
  ///
  /// If the process dies before ``completeStateRestoration()``, the next launch drops what was
  /// saved.
  open func extendStateRestoration() {
    process?.assumeIsolated { $0.extendStateRestoration() }
  }

  /// Says that the program has restored its state.
  open func completeStateRestoration() {
    process?.assumeIsolated { $0.completeStateRestoration() }
  }

  /// The windows of all scenes.
  open var windows: [UIWindow] {
    objects.connectedScenes.compactMap { $0 as? UIWindowScene }.flatMap(\.windows)
  }

  /// The window that was made the key one.
  open var keyWindow: UIWindow? { windows.first(where: \.isKeyWindow) }

  /// Lets go of everything, since the process has ended: what refers to its application in a circle
  /// is gone with it.
  func release() {
    objects.releaseAll()
    delegate = nil
  }

  /// The object of a session.
  package func session(_ session: SceneSession) -> UISceneSession {
    objects.session(session, of: self)
  }
}
