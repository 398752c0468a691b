// SPDX-License-Identifier: Apache-2.0

import UIKit

/// Forms in which programs write their delegates; that they compile is the test.
enum Shapes {
  /// A quick action that is answered by an asynchronous method, in a delegate that is no responder.
  final class AsyncQuickAction: NSObject, UIWindowSceneDelegate {
    private(set) var chosen: String?

    func scene(
      _ scene: UIScene, willConnectTo session: UISceneSession,
      options connectionOptions: UIScene.ConnectionOptions
    ) {
      guard scene.session.role == .windowApplication, let item = connectionOptions.shortcutItem
      else { return }
      MainActor.assumeIsolated { chosen = item.type }
    }

    func windowScene(
      _ windowScene: UIWindowScene, performActionFor shortcutItem: UIApplicationShortcutItem
    ) async -> Bool {
      await MainActor.run { chosen = shortcutItem.type }
      return shortcutItem.userInfo?["page"] as? String != nil
    }
  }

  /// An application delegate that chooses a class by the role, and gives the icon its actions.
  final class ConfiguringDelegate: NSObject, UIApplicationDelegate {
    var window: UIWindow?

    func application(
      _ application: UIApplication,
      didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
    ) -> Bool {
      UINavigationBar.appearance().tintColor = .systemGreen
      let icon = UIApplicationShortcutIcon(systemImageName: "book")
      application.shortcutItems = [
        UIApplicationShortcutItem(
          type: "read", localizedTitle: "Read on", localizedSubtitle: nil, icon: icon,
          userInfo: ["page": "7" as NSString])
      ]
      return true
    }

    func application(
      _ application: UIApplication,
      configurationForConnecting connectingSceneSession: UISceneSession,
      options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration {
      let role = connectingSceneSession.role
      let configuration = UISceneConfiguration(name: nil, sessionRole: role)
      if role == .windowApplication { configuration.delegateClass = AsyncQuickAction.self }
      return configuration
    }

    func application(
      _ application: UIApplication, open url: URL,
      options: [UIApplication.OpenURLOptionsKey: Any] = [:]
    ) -> Bool { options[.openInPlace] as? Bool ?? false }

    func application(
      _ application: UIApplication, continue userActivity: NSUserActivity,
      restorationHandler: @escaping ([UIUserActivityRestoring]?) -> Void
    ) -> Bool { userActivity.webpageURL != nil }
  }

  /// A scene delegate that tells the application delegate everything, in the form of before iOS 13.
  final class ForwardingDelegate: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?

    private var delegate: ConfiguringDelegate? {
      UIApplication.shared.delegate as? ConfiguringDelegate
    }

    func scene(
      _ scene: UIScene, willConnectTo session: UISceneSession,
      options connectionOptions: UIScene.ConnectionOptions
    ) {
      guard let windowScene = scene as? UIWindowScene, let delegate else { return }
      let window = delegate.window ?? UIWindow(windowScene: windowScene)
      window.windowScene = windowScene
      (self.window, delegate.window) = (window, window)
      forward(connectionOptions.urlContexts)
      connectionOptions.userActivities.forEach(forward(activity:))
      if let item = connectionOptions.shortcutItem {
        delegate.application(UIApplication.shared, performActionFor: item) { _ in }
      }
    }

    func sceneDidBecomeActive(_ scene: UIScene) {
      delegate?.applicationDidBecomeActive(UIApplication.shared)
    }

    func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) {
      forward(URLContexts)
    }

    private func forward(_ contexts: Set<UIOpenURLContext>) {
      for context in contexts {
        var options: [UIApplication.OpenURLOptionsKey: Any] = [
          .openInPlace: context.options.openInPlace
        ]
        if let sender = context.options.sourceApplication { options[.sourceApplication] = sender }
        if let annotation = context.options.annotation { options[.annotation] = annotation }
        _ = delegate?.application(UIApplication.shared, open: context.url, options: options)
      }
    }

    private func forward(activity: NSUserActivity) {
      _ = delegate?.application(UIApplication.shared, continue: activity) { _ in }
    }

    static func launchOptions(of url: URL?) -> [UIApplication.LaunchOptionsKey: Any]? {
      var options: [UIApplication.LaunchOptionsKey: Any] = [:]
      if let url { options[.init(rawValue: "UIApplicationLaunchOptionsURLKey")] = url }
      return options.isEmpty ? nil : options
    }
  }

  /// One class that is the delegate of the application and of its scenes.
  class BothDelegates: UIResponder, UIApplicationDelegate, UIWindowSceneDelegate,
    UNUserNotificationCenterDelegate
  {
    var window: UIWindow?

    func application(
      _ application: UIApplication,
      didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
      UNUserNotificationCenter.current().delegate = self
      return launchOptions?[.url] == nil
    }

    @available(iOS 13.0, *)
    func scene(
      _ scene: UIScene, willConnectTo session: UISceneSession,
      options connectionOptions: UIScene.ConnectionOptions
    ) {
      (UIApplication.shared.delegate as? BothDelegates)?.window = window
      let restored = session.stateRestorationActivity
      guard let activity = connectionOptions.userActivities.first ?? restored else { return }
      self.scene(scene, continue: activity)
    }

    func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
      guard let key = UIApplication.shared.keyWindow else { return }
      key.rootViewController?.presentedViewController?.dismiss(animated: true, completion: nil)
    }
  }

  /// A window that is made of a frame, and gets its scene afterwards.
  open class FrameWindow: UIResponder, UIWindowSceneDelegate {
    open var window: UIWindow?
    /// The one that was made last.
    public private(set) static var latest: FrameWindow?
    let title = makeTitle()
    private let navigation = UINavigationController()
    private lazy var reader = { Reader(navigation: navigation, title: title) }()

    static func makeTitle() -> String? { "Library" }

    open func scene(
      _ scene: UIScene, willConnectTo session: UISceneSession,
      options connectionOptions: UIScene.ConnectionOptions
    ) {
      Self.latest = self
      let windowScene = scene as? UIWindowScene
      let bounds = windowScene?.coordinateSpace.bounds ?? UIScreen.main.bounds
      window = PassingWindow(frame: bounds)
      window?.windowScene = windowScene
      if #available(iOS 16, *) { window?.overrideUserInterfaceStyle = .dark }
      start(scene, userActivity: userActivity)

      func start(_ scene: UIScene, userActivity: NSUserActivity?) {
        scene.userActivity = userActivity
        scene.title = userActivity?.title
        navigation.viewControllers = [reader]
        window?.rootViewController = navigation
        window?.makeKeyAndVisible()
      }
    }

    /// Is no method of the protocol, in spite of its form.
    func scene(_ scene: UIScene, didReceive notificationResponse: UNNotificationResponse) {
      reader.title = notificationResponse.notification.request.content.userInfo["page"] as? String
    }
  }

  /// A controller that is made with what it needs.
  final class Reader: UIViewController {
    init(navigation: UINavigationController, title: String?) {
      super.init(nibName: nil, bundle: nil)
      self.title = title
    }

    required init?(coder: NSCoder) { nil }
  }

  /// A window that lets touches through.
  class PassingWindow: UIWindow {
    override func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
      guard let hit = super.hitTest(point, with: event) else { return nil }
      return rootViewController?.view == hit ? nil : hit
    }
  }

  /// A delegate that defers what it does, and searches the controllers for one that can present.
  final class LaterDelegate: UIResponder, UIWindowSceneDelegate, UITabBarControllerDelegate {
    var window: UIWindow?
    private var tabs: UITabBarController? { window?.rootViewController as? UITabBarController }

    func scene(
      _ scene: UIScene, willConnectTo session: UISceneSession,
      options connectionOptions: UIScene.ConnectionOptions
    ) {
      guard (scene as? UIWindowScene) != nil else { return }
      tabs?.delegate = self
      let link = connectionOptions.userActivities.first {
        $0.activityType == NSUserActivityTypeBrowsingWeb
      }?.webpageURL
      Task {
        await Task.yield()
        tabs?.selectedIndex = link == nil ? 0 : 1
      }
      DispatchQueue.main.async { self.tabs?.tabBar.items?.first?.badgeValue = link?.host }
    }

    func tabBarController(
      _ tabBarController: UITabBarController, shouldSelect viewController: UIViewController
    ) -> Bool { viewController is Reader }

    func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
      guard !UIApplication.shared.supportsMultipleScenes else {
        return UIApplication.shared.requestSceneSessionActivation(
          nil, userActivity: userActivity, options: nil, errorHandler: nil)
      }
      guard let root = window?.rootViewController, let url = userActivity.webpageURL,
        let parts = NSURLComponents(url: url, resolvingAgainstBaseURL: true), let path = parts.path
      else { return }
      let top = sequence(first: root, next: { $0.presentedViewController }).reversed().first
      let alert = UIAlertController(title: path, message: nil, preferredStyle: .alert)
      top?.present(alert, animated: true, completion: nil)
    }

    func sceneWillResignActive(_ scene: UIScene) { scene.userActivity?.resignCurrent() }
  }
}
