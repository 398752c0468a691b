// SPDX-License-Identifier: Apache-2.0

import UIKit

/// Forms that show more than the life cycle: controllers of other kinds, and what is loaded.
extension Shapes {
  /// A controller that says what has made it.
  class Page: UIViewController {
    let kind: String

    init(kind: String) {
      self.kind = kind
      super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) {
      kind = "coder"
      super.init(coder: coder)
    }
  }

  /// Controllers of a storyboard whose class is inferred.
  final class StoryboardDelegate: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?
    private(set) var pages: [Page] = []

    func scene(
      _ scene: UIScene, willConnectTo session: UISceneSession,
      options connectionOptions: UIScene.ConnectionOptions
    ) {
      guard let windowScene = scene as? UIWindowScene else { return }
      let storyboard = UIStoryboard(name: "Main", bundle: nil)
      let registered: Page = storyboard.instantiateViewController(identifier: "registered")
      let plain = storyboard.instantiateViewController(identifier: "plain") as Page
      let made = storyboard.instantiateViewController(identifier: "made") { _ in
        Page(kind: "creator")
      }
      pages = [registered, plain, made]
      if let first = storyboard.instantiateInitialViewController() as Page? { pages.append(first) }
      guard storyboard.instantiateViewController(identifier: "tabs") as? UITabBarController == nil
      else { return }
      window = UIWindow(windowScene: windowScene)
      window?.rootViewController = registered
      registered.performSegue(withIdentifier: "next", sender: nil)
    }
  }

  /// A window and a scene with classes of their own, and a table whose style is chosen.
  final class SettingsDelegate: UIResponder, UIWindowSceneDelegate {
    var settingsWindow: SettingsWindow?
    let table = SettingsTable(style: .insetGrouped)
    let photos = Photos(collectionViewLayout: UICollectionViewFlowLayout())

    func scene(
      _ scene: UIScene, willConnectTo session: UISceneSession,
      options connectionOptions: UIScene.ConnectionOptions
    ) {
      guard let windowScene = scene as? UIWindowScene else { return }
      settingsWindow = SettingsWindow(windowScene: windowScene)
      settingsWindow?.rootViewController = UINavigationController(rootViewController: table)
      table.tableView.reloadData()
      #if targetEnvironment(macCatalyst)
        windowScene.titlebar?.titleVisibility = .hidden
      #endif
    }

    deinit { Counter.shared.add() }
  }

  final class SettingsTable: UITableViewController {}

  final class Photos: UICollectionViewController {}

  class SettingsWindow: UIWindow {
    override init(windowScene: UIWindowScene) {
      super.init(windowScene: windowScene)
    }

    required init?(coder: NSCoder) {
      // As editors fill it in, and as most programs leave it.
      fatalError("init(coder:) has not been implemented")
    }
  }

  class SettingsScene: UIWindowScene {
    override init(session: UISceneSession, connectionOptions: UIScene.ConnectionOptions) {
      super.init(session: session, connectionOptions: connectionOptions)
    }

    deinit { Counter.shared.add() }
  }

  final class Counter: Sendable {
    static let shared = Counter()

    func add() {}
  }

  /// A delegate that asks a server, and covers what is not to be seen in the background.
  final class CoveringDelegate: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?
    private var cover: UIVisualEffectView?

    func sceneDidBecomeActive(_ scene: UIScene) {
      cover?.removeFromSuperview()
      UNUserNotificationCenter.current().removeAllDeliveredNotifications()
      guard let url = URL(string: "https://recipes.example/version") else { return }
      let task = URLSession.shared.dataTask(with: url) { data, response, error in
        guard let data, error == nil, (response as? HTTPURLResponse)?.statusCode == 200 else {
          return
        }
        let found = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
        guard let version = found?["version"] as? String else { return }
        DispatchQueue.main.async { self.ask(version, logo: UIImage(data: data)) }
      }
      task.resume()
    }

    func sceneWillResignActive(_ scene: UIScene) {
      let cover = UIVisualEffectView(effect: UIBlurEffect(style: .regular))
      cover.frame = window?.bounds ?? .zero
      window?.endEditing(true)
      window?.addSubview(cover)
      self.cover = cover
    }

    private func ask(_ version: String, logo: UIImage?) {
      let alert = UIAlertController(title: version, message: nil, preferredStyle: .alert)
      alert.addTextField { $0.placeholder = "Name" }
      let answer = UIAlertAction(title: "OK", style: .default) { [weak alert] _ in
        print(alert?.textFields?.first?.text ?? "")
      }
      alert.addAction(answer)
      let view = UIImageView(image: logo)
      view.contentMode = .scaleAspectFit
      alert.view.addSubview(view)
      UINavigationBar.appearance().titleTextAttributes = [
        .foregroundColor: UIColor.label, .font: UIFont.systemFont(ofSize: 17, weight: .bold),
      ]
      window?.rootViewController?.present(alert, animated: true)
      window?.rootViewController?.setNeedsStatusBarAppearanceUpdate()
    }
  }
}
