// SPDX-License-Identifier: Apache-2.0

import Foundation
import Proscenium
import ProsceniumPrimitives

@testable import ProsceniumTestKit
@testable import ProsceniumUIKit
@testable import ProsceniumUIKitTestKit

/// A vector's program that is written for UIKit: between it and the runtime are the translators.
@MainActor
final class UIKitVectorProgram {
  /// A notification that UIKit's centre was given.
  private struct Post: Equatable {
    let name: NSNotification.Name
    let object: ObjectIdentifier?
  }

  nonisolated let parts: VectorParts
  private lazy var program = UIKitProgram()
  private lazy var objects = VectorObjects()
  private var activities: [String: NSUserActivity] = [:]
  /// The configurations that the application delegate has returned.
  private var returned: [SessionLabel: UISceneConfiguration] = [:]
  /// The options with which it was asked for a configuration.
  private var options: [SessionIdentifier: UIScene.ConnectionOptions] = [:]
  private nonisolated let posts = Guarded<[Post]>([])
  /// The tokens of the observers of notifications.
  private var observers: [any NSObjectProtocol] = []
  /// What the runtime reported where it happened, which error handlers hear of as well.
  private nonisolated let reported = Guarded<Set<String>>([])
  private var callCount = 0

  nonisolated init(_ parts: VectorParts) {
    self.parts = parts
  }

  nonisolated var recorder: LifecycleRecorder { parts.recorder }

  // MARK: - The run

  func begin() async {
    do {
      try await DeviceTurn.shared.take(for: program, at: "a vector")
    } catch {
      recorder.note("\(error)")
    }
    _ = Faults.take()
    program.makeApplicationDelegate = { [unowned self] in VectorApplicationDelegate(of: self) }
    for name in Self.notifications {
      let observer = NotificationCenter.default.addObserver(
        forName: name, object: nil, queue: nil
      ) { [unowned self] notification in
        let object = (notification.object as AnyObject?).map { ObjectIdentifier($0) }
        posts.withLock { $0.append(Post(name: name, object: object)) }
      }
      observers.append(observer)
    }
  }

  func prepare(_ launch: VectorLaunch) async -> VectorLaunch {
    var launch = launch
    program.entries = launch.manifest.configurations.map { entry in
      UIKitProgram.Entry(
        name: entry.name, role: UISceneSession.Role(entry.role),
        delegateClassName: entry.delegateClass, storyboardName: nil)
    }
    program.delegateClasses = [:]
    for name in parts.delegateClasses {
      guard let type = VectorSceneDelegates.named(name) else {
        recorder.note("expected a class with the name \(name), found none")
        continue
      }
      program.delegateClasses[name] = UIKitProgram.DelegateClass(type: type) { [unowned self] in
        type.init(of: self)
      }
    }
    program.register(with: &launch.manifest)
    let translator = ApplicationTranslator(of: program)
    launch.settings.shards = 1
    launch.settings.makeExecutor = { MainQueue.lease() }
    launch.settings.otherObservers += [
      translator.observer, LifecycleObserver { [unowned self] in observe($0) },
    ]
    let program = program
    launch.makeDelegate = {
      MainActor.assumeIsolated { UIKitProgram.running = program }
      return translator
    }
    return launch
  }

  func rest() async -> Bool {
    await MainQueue.drain()
    defer { callCount = program.callCount }
    return callCount != program.callCount
  }

  func leave() async {
    program.end()
    objects.leave()
    returned = [:]
    options = [:]
  }

  func end() async {
    await leave()
    for observer in observers { NotificationCenter.default.removeObserver(observer) }
    program.makeApplicationDelegate = nil
    program.delegateClasses = [:]
    _ = Faults.take()
    DeviceTurn.shared.give(of: program)
  }

  // MARK: - What the program has

  /// The application of the process that runs.
  var application: UIApplication {
    get throws(VectorDifference) {
      guard let application = program.application else {
        throw VectorDifference("expected an application of UIKit's, found none")
      }
      return application
    }
  }

  /// The object of a session that the program has seen.
  func session(_ label: SessionLabel) throws(VectorDifference) -> UISceneSession {
    let identifier = recorder.identifier(label)
    let open = try application.openSessions.first { $0.identifier == identifier }
    guard let session = open ?? objects.session(identifier) else {
      throw VectorDifference("a program of UIKit's never sees an object of \(label)")
    }
    return session
  }

  /// The scene of a session that the program has seen.
  func scene(_ label: SessionLabel) throws(VectorDifference) -> UIScene {
    guard let scene = try session(label).scene else {
      throw VectorDifference("expected a scene of \(label), found none")
    }
    return scene
  }

  /// The program's own activity, which the program changes and nothing else does.
  func activity(_ label: String) -> NSUserActivity {
    if let activity = activities[label] { return activity }
    let made = NSUserActivity(parts.activities[label])
    activities[label] = made
    return made
  }

  func mutate(_ activity: String, userInfo: [String: UserInfoValue]) async {
    parts.activities.mutate(activity, userInfo: userInfo)
    self.activity(activity).userInfo = Dictionary(
      uniqueKeysWithValues: userInfo.map { (AnyHashable($0), $1.native) })
  }

  /// Keeps a configuration that the application delegate returns.
  func keep(_ configuration: UISceneConfiguration, for label: SessionLabel) {
    returned[label] = configuration
  }

  func mutateReturned(_ session: SessionLabel, delegateClass: String?) async {
    returned[session]?.delegateClass = delegateClass.flatMap { VectorSceneDelegates.named($0) }
  }

  // MARK: - What the program sees

  /// Notes what the application delegate is asked with, which the scene delegate has to be given.
  func expect(_ options: UIScene.ConnectionOptions, of session: UISceneSession) {
    self.options[session.identifier] = options
  }

  /// Notes whether the scene delegate is given other options than the application delegate was.
  func check(_ options: UIScene.ConnectionOptions, of session: UISceneSession) {
    guard let expected = self.options.removeValue(forKey: session.identifier) else { return }
    if expected !== options { recorder.note("expected one object for the options of a connection") }
  }

  /// Notes where what the program sees in a callback is not what the runtime has.
  func check(_ call: String) {
    guard let application = program.application else {
      return recorder.note("during \(call): expected an application of UIKit's, found none")
    }
    for difference in objects.differences(in: application) {
      recorder.note("during \(call): \(difference)")
    }
  }

  func differences() async -> [String] {
    var found = Faults.take()
    if !posts.withLock({ $0.isEmpty }) { found.append("expected no other notifications") }
    if let application = program.application {
      found += objects.differences(in: application)
      if UIApplication.shared !== application { found.append("expected the one application") }
    }
    return found
  }

  /// Sees what the runtime reports, after the translator.
  private nonisolated func observe(_ event: LifecycleEvent) {
    switch event.kind {
    case .failed(let error): reported.withLock { _ = $0.insert(error.message) }
    case .connected: MainActor.assumeIsolated { if recorder.isRecording { check("init") } }
    case .notification(let notification):
      MainActor.assumeIsolated {
        let scene = event.session.flatMap { program.application?.objects.scene($0) }
        take(Post(name: UIScene.name(of: notification), object: scene.map { ObjectIdentifier($0) }))
      }
    case .applicationNotification(let notification):
      MainActor.assumeIsolated {
        let application = program.application.map { ObjectIdentifier($0) }
        take(Post(name: UIApplication.name(of: notification), object: application))
      }
    default: break
    }
  }

  /// Takes the one notification that must have been posted.
  private func take(_ expected: Post) {
    let found = posts.withLock { posts in
      defer { posts = [] }
      return posts
    }
    guard expected.object != nil, found == [expected] else {
      return recorder.note("expected the notification \(expected), found \(found)")
    }
  }

  private static let notifications: [NSNotification.Name] =
    LifecycleEvent.SceneNotification.allCases.map(UIScene.name)
    + LifecycleEvent.ApplicationNotification.allCases.map(UIApplication.name)

  /// What is called with the error of a request.
  func handler(_ operation: String) -> (any Error) -> Void {
    { [unowned self] error in
      guard let error = error as? UISceneError else {
        return recorder.note("expected an error of a scene, found \(error)")
      }
      if reported.withLock({ $0.contains(error.localizedDescription) }) { return }
      // What is on its way when the application ends is not refused.
      if recorder.application?.isEnding ?? true { return }
      recorder.fail(operation, "\(error.code)", number: error.errorCode)
    }
  }
}

// Apart from the members, which are the main actor's.
extension UIKitVectorProgram: VectorProgram {}
