// SPDX-License-Identifier: Apache-2.0

import Proscenium

@testable import ProsceniumUIKit

/// Compares UIKit's objects with what the runtime has.
@MainActor
final class VectorObjects {
  /// The sessions that the program has seen in this process: there is one object for each.
  private var sessions: [SessionIdentifier: UISceneSession] = [:]
  /// Those of earlier processes.
  private var earlier: [SessionIdentifier: UISceneSession] = [:]

  /// The object of a session that was seen.
  func session(_ identifier: SessionIdentifier) -> UISceneSession? {
    sessions[identifier] ?? earlier[identifier]
  }

  /// Says that the process has ended.
  func leave() {
    earlier.merge(sessions) { $1 }
    sessions = [:]
  }

  /// What is not as the runtime has it.
  func differences(in application: UIApplication) -> [String] {
    guard let process = application.process else { return ["expected an application that runs"] }
    var found: [String] = []
    // Read before and after: a session can open while they are read.
    let before = Set(process.openSessions.map(\.persistentIdentifier))
    let open = application.openSessions
    let after = Set(process.openSessions.map(\.persistentIdentifier))
    let identifiers = Set(open.map(\.identifier))
    if identifiers != before, identifiers != after {
      found.append("openSessions: expected \(after), found \(identifiers)")
    }
    found.compare(
      "connectedScenes", Set(process.connectedScenes.map { ObjectIdentifier($0) }),
      Set(application.connectedScenes.map { $0.core.map { ObjectIdentifier($0) } }))
    found.compare(
      "applicationState", "\(process.applicationState)", "\(application.applicationState)")
    found.compare(
      "supportsMultipleScenes", process.supportsMultipleScenes, application.supportsMultipleScenes)
    for session in open { compare(session, application, process, &found) }
    for scene in application.connectedScenes { compare(scene, &found) }
    return found
  }

  private func compare(
    _ session: UISceneSession, _ application: UIApplication, _ process: Application,
    _ found: inout [String]
  ) {
    let identifier = session.identifier
    if let known = sessions[identifier], known !== session {
      found.append("\(identifier): expected one object in a process")
    }
    sessions[identifier] = session
    let scene = process.scene(for: identifier)
    guard let value = scene?.assumeIsolated({ $0.session }) ?? process.session(identifier) else {
      return
    }
    if session.scene?.core !== scene { found.append("\(identifier): expected the same scene") }
    found.compare("persistentIdentifier", "\(identifier)", session.persistentIdentifier)
    found.compare("role", value.role, session.role.value)
    let activity = session.stateRestorationActivity
    found.compare("activity", value.stateRestorationActivity, activity?.value)
    found.compare("title", value.stateRestorationActivity?.title, activity?.title)
    found.compare(
      "userInfo", value.userInfo, session.userInfo?.compactMapValues { UserInfoValue(object: $0) })
    found.compare("configuration.name", value.configuration.name, session.configuration.name)
    // A class that the program does not have is none.
    let classes = application.program.delegateClasses
    let name = value.configuration.delegateClass.flatMap { classes[$0] == nil ? nil : $0 }
    let type: AnyClass? = session.configuration.delegateClass
    found.compare("configuration.delegateClass", name, type.map { "\($0)" })
  }

  private func compare(_ scene: UIScene, _ found: inout [String]) {
    guard let core = scene.core else { return found.append("expected a scene of the runtime's") }
    found.compare(
      "activationState", Int(core.activationState.rawValue), scene.activationState.rawValue)
    let conditions = core.assumeIsolated { $0.activationConditions }
    found.compare("can", conditions.can, scene.activationConditions.value.can)
    found.compare("prefers", conditions.prefers, scene.activationConditions.value.prefers)
    if scene.session.scene !== scene { found.append("expected the scene to be its session's") }
  }
}

extension [String] {
  fileprivate mutating func compare<Value: Equatable>(
    _ name: String, _ expected: Value, _ found: Value
  ) {
    if expected != found { append("UIKit's \(name): expected \(expected), found \(found)") }
  }
}
