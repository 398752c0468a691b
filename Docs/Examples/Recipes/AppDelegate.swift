// SPDX-License-Identifier: Apache-2.0

import UIKit

@main
class AppDelegate: UIResponder, UIApplicationDelegate {
  var isReady = false
  var askedFor: [UISceneSession.Role] = []
  var warnings = 0
  var discarded: [String] = []

  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    isReady = true
    return true
  }

  func application(
    _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
    options: UIScene.ConnectionOptions
  ) -> UISceneConfiguration {
    askedFor.append(connectingSceneSession.role)
    let name = connectingSceneSession.role == .windowApplication ? "Recipe" : "Wall"
    return UISceneConfiguration(name: name, sessionRole: connectingSceneSession.role)
  }

  func application(
    _ application: UIApplication, didDiscardSceneSessions sceneSessions: Set<UISceneSession>
  ) {
    for session in sceneSessions {
      Drafts.shared[session.persistentIdentifier] = nil
      discarded.append(session.persistentIdentifier)
    }
  }

  func applicationDidReceiveMemoryWarning(_ application: UIApplication) {
    warnings += 1
  }
}
