// SPDX-License-Identifier: Apache-2.0

import Foundation
import Proscenium

@testable import ProsceniumTestKit
@testable import ProsceniumUIKit

/// An application delegate of UIKit's that logs what it is told.
final class VectorApplicationDelegate: NSObject, UIApplicationDelegate,
  UNUserNotificationCenterDelegate
{
  /// A delegate without methods.
  private final class Plain: NSObject, UIApplicationDelegate {}

  private static let plain = Plain()

  private unowned let program: UIKitVectorProgram

  private var recorder: LifecycleRecorder { program.recorder }

  init(of program: UIKitVectorProgram) {
    self.program = program
    super.init()
  }

  func application(
    _ application: UIApplication,
    willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    UNUserNotificationCenter.current().delegate = self
    recorder.log("app.willFinishLaunching")
    return true
  }

  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    recorder.log("app.didFinishLaunching(\(launchOptions.map { "\($0)" } ?? "nil"))")
    program.check("app.didFinishLaunching")
    return true
  }

  func application(
    _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
    options: UIScene.ConnectionOptions
  ) -> UISceneConfiguration {
    let session = connectingSceneSession
    program.expect(options, of: session)
    guard recorder.isRecording, let rules = program.parts.setup.configurationRules else {
      return Self.plain.application(
        application, configurationForConnecting: session, options: options)
    }
    let label = recorder.label(session.identifier)
    recorder.log(
      "app.configurationForConnecting(\(label), \(LogText.options(options.options)))",
      naming: [label], values: [session.value])
    program.check("app.configurationForConnecting")
    guard let rule = rules.first(where: { $0.matches(label, options.options) }) else {
      return session.configuration
    }
    let chosen = rule.configuration(for: session.role.value)
    let returned = UISceneConfiguration(
      name: chosen.name, sessionRole: UISceneSession.Role(chosen.role))
    program.keep(returned, for: label)
    return returned
  }

  func application(
    _ application: UIApplication, didDiscardSceneSessions sceneSessions: Set<UISceneSession>
  ) {
    recorder.discard(sceneSessions.map(\.value))
    if recorder.isRecording { program.check("app.didDiscardSceneSessions") }
  }

  func applicationWillTerminate(_ application: UIApplication) {
    recorder.log("app.willTerminate")
    if recorder.isRecording { program.check("app.willTerminate") }
  }

  func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping () -> Void
  ) {
    completionHandler()
    guard let scene = response.targetScene?.core else {
      return recorder.note("expected the scene that the response is for, found none")
    }
    let label = recorder.label(of: scene)
    let identifier = LogText.atom(response.notification.request.identifier)
    recorder.log(
      "app.didReceiveNotification(\(identifier), \(label))", naming: [label.session])
    program.check("app.didReceiveNotification")
  }

  // MARK: - Not called in a program with scenes

  func applicationDidBecomeActive(_ application: UIApplication) {
    recorder.log("app.applicationDidBecomeActive")
  }

  func applicationWillResignActive(_ application: UIApplication) {
    recorder.log("app.applicationWillResignActive")
  }

  func applicationDidEnterBackground(_ application: UIApplication) {
    recorder.log("app.applicationDidEnterBackground")
  }

  func applicationWillEnterForeground(_ application: UIApplication) {
    recorder.log("app.applicationWillEnterForeground")
  }
}
