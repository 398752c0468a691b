// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A window, which shows a controller as far as the controller can tell.
@MainActor
open class UIWindow: UIView {
  /// Which windows it is in front of.
  open var windowLevel = Level.normal
  /// Whether it is the one of its scene that keys go to.
  open private(set) var isKeyWindow = false

  private(set) var isShown = false

  /// Makes a hidden window of a scene.
  public init(windowScene: UIWindowScene) {
    super.init(frame: UIScreen.main.bounds)
    isHidden = true
    self.windowScene = windowScene
    windowScene.attach(self)
  }

  /// Makes a hidden window of no scene.
  public override init(frame: CGRect) {
    super.init(frame: frame)
    isHidden = true
  }

  /// Makes a hidden window of no scene; the coder is not read.
  public required init?(coder: NSCoder) {
    super.init(coder: coder)
    isHidden = true
  }

  /// The scene that it belongs to.
  open weak var windowScene: UIWindowScene? {
    didSet {
      guard oldValue !== windowScene else { return }
      oldValue?.detach(self)
      windowScene?.attach(self)
      if isKeyWindow { resignOthers() }
    }
  }

  /// The controller that it shows.
  open var rootViewController: UIViewController? {
    didSet {
      guard oldValue !== rootViewController else { return }
      oldValue?.leave()
      rootViewController?.rootWindow = self
      if isShown { showRoot() }
    }
  }

  /// Whether it is not shown, which it is at first.
  open override var isHidden: Bool {
    didSet {
      guard isShown == isHidden else { return }
      if isHidden { hide() } else { show() }
    }
  }

  /// The screen that it is on.
  open var screen: UIScreen { .main }

  /// Whether keys may go to it.
  open var canBecomeKey: Bool { true }

  /// The scene that it belongs to.
  open override var next: UIResponder? { windowScene }

  /// The traits of its scene, in its own style if it has one.
  open override var traitCollection: UITraitCollection {
    (windowScene?.traitCollection ?? .current).with(overrideUserInterfaceStyle)
  }

  /// Shows the window and makes it the key window of its scene.
  open func makeKeyAndVisible() {
    isHidden = false
    makeKey()
  }

  /// Makes it the key window of its scene.
  open func makeKey() {
    guard canBecomeKey, !isKeyWindow else { return }
    resignOthers()
    isKeyWindow = true
  }

  /// Is there for programs that look at events; nothing calls it.
  open func sendEvent(_ event: UIEvent) {}

  private func resignOthers() {
    for window in windowScene?.windows ?? [] where window !== self { window.isKeyWindow = false }
  }

  private func show() {
    isShown = true
    for view in subviews { Visibility.begin(true, view) }
    showRoot()
    for view in subviews { Visibility.end(true, view) }
  }

  private func hide() {
    for view in subviews { Visibility.begin(false, view) }
    isShown = false
    for view in subviews { Visibility.end(false, view) }
    isKeyWindow = false
  }

  private func showRoot() {
    guard let root = rootViewController, !root.isCovered else { return }
    root.loadViewIfNeeded()
    guard let view = root.viewIfLoaded, view.superview !== self else { return }
    view.frame = bounds
    insertSubview(view, at: 0)
  }

  /// Which windows a window is in front of.
  public struct Level: RawRepresentable, Hashable, Sendable {
    /// The greater, the further in front.
    public let rawValue: CGFloat

    /// Makes a level of its number.
    public init(rawValue: CGFloat) { self.rawValue = rawValue }

    /// Makes a level of its number.
    public init(_ rawValue: CGFloat) { self.rawValue = rawValue }

    /// The level of most windows.
    public static let normal = Level(0)
    /// The level of the status bar.
    public static let statusBar = Level(1_000)
    /// The level of an alert.
    public static let alert = Level(2_000)

    /// Returns the level that is so much further in front.
    public static func + (level: Level, steps: CGFloat) -> Level { Level(level.rawValue + steps) }
  }
}
