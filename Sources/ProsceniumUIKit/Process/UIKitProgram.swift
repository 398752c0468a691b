// SPDX-License-Identifier: Apache-2.0

import Foundation
package import Proscenium
package import ProsceniumPrimitives

/// A program as a device knows it: its classes, what its Info.plist names, and its process.
@MainActor
package final class UIKitProgram {
  /// A class of scene delegates, with the way to make one.
  package struct DelegateClass {
    package let type: AnyClass
    package let make: @MainActor () -> any UISceneDelegate

    package init(type: AnyClass, make: @escaping @MainActor () -> any UISceneDelegate) {
      self.type = type
      self.make = make
    }
  }

  /// An entry of the Info.plist.
  package struct Entry {
    package let name: String?
    package let role: UISceneSession.Role
    package let delegateClassName: String?
    package let storyboardName: String?

    package init(
      name: String?, role: UISceneSession.Role, delegateClassName: String?, storyboardName: String?
    ) {
      self.name = name
      self.role = role
      self.delegateClassName = delegateClassName
      self.storyboardName = storyboardName
    }
  }

  /// A controller of a storyboard: its first one, or one with a name.
  package struct StoryboardPlace: Hashable {
    private let storyboard: String
    private let identifier: String?

    package init(_ storyboard: String, _ identifier: String?) {
      self.storyboard = storyboard
      self.identifier = identifier
    }
  }

  /// What storyboards make.
  package var controllers: [StoryboardPlace: @MainActor () -> UIViewController] = [:]

  /// The program whose process runs: one has one at a time.
  package static var running: UIKitProgram?

  /// Makes the application delegate of a process.
  package var makeApplicationDelegate: (@MainActor () -> any UIApplicationDelegate)?

  /// The classes of scene delegates by name.
  package var delegateClasses: [String: DelegateClass] = [:]

  /// The entries of the Info.plist.
  package var entries: [Entry] = []

  /// Opens URLs outside of the program, and tells whether anything did.
  package var opensURL: (@MainActor (URL) -> Bool)? {
    didSet {
      let opensURLs = opensURL != nil
      shared.withLock { $0.opensURLs = opensURLs }
    }
  }

  /// What a program may ask for from any thread.
  package struct Shared: Sendable {
    /// Whether protected data is available.
    package var isProtectedDataAvailable = true
    /// Whether something opens URLs.
    var opensURLs = false
    /// How often work in the background was begun.
    var backgroundTaskCount = 0
  }

  /// What a program may ask for from any thread.
  package nonisolated let shared = Guarded(Shared())

  /// The application of the process that runs.
  package internal(set) var application: UIApplication?

  /// Callbacks that may not have returned: those that are asynchronous functions of the program.
  var callbacks: [Task<Void, Never>] = []

  /// How often the program was called: it grows while something happens.
  package internal(set) var callCount = 0

  /// Makes a program without classes.
  package init() {}

  /// The entry with a name, or the first one of a role.
  func entry(
    named name: String?, role: UISceneSession.Role
  ) -> (delegateClass: AnyClass?, storyboard: UIStoryboard?)? {
    guard let entry = entries.first(where: { $0.role == role && (name ?? $0.name) == $0.name })
    else { return nil }
    return (
      delegateClass(named: entry.delegateClassName),
      entry.storyboardName.map { UIStoryboard(name: $0, bundle: nil) }
    )
  }

  /// The class with a name; of `Module.Class` also the one of `Class`.
  func delegateClass(named name: String?) -> AnyClass? {
    guard let name else { return nil }
    let short = name.split(separator: ".").last.map(String.init) ?? name
    return (delegateClasses[name] ?? delegateClasses[short])?.type
  }

  /// Notes a fault if a scene of the configuration would have no delegate, since none is known.
  func checkClass(of chosen: UISceneConfiguration) {
    if let type = chosen.delegateClass, delegateClass(named: "\(type)") == nil {
      Faults.note(
        "configurationForConnecting chose the class \(type), which is not among the device's "
          + "sceneDelegates: the scene has no delegate")
    }
  }

  /// Registers the classes with the runtime's manifest.
  package func register(with manifest: inout SceneManifest) {
    for (name, delegateClass) in delegateClasses {
      let make = delegateClass.make
      manifest.register(name) { [self] in SceneTranslator(of: self, making: make) }
    }
  }
}
