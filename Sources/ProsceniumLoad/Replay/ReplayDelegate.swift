// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPredicate

/// One browser window of a replayed user.
///
/// Its state is what it has seen; it is captured as one string, and its conditions are those of a
/// browser: it can show everything of its user, and would rather show what is open in a tab. A
/// message changes nothing: it is sent to wait until what was seen before is durable.
final class ReplayDelegate: SceneDelegate, SendableMetatype {
  private let journal: ReplayJournal
  private let tabCapacity: Int
  private var label: ReplayRun.Label = 0
  private var state = ReplayState()
  private var time = Int64.min
  // A line that is held back to be swapped with the next one.

  init(_ journal: ReplayJournal, tabs: Int) {
    self.journal = journal
    tabCapacity = tabs
  }

  /// The conditions of a session whose first line is on its way.
  static func initialConditions(
    _ options: Scene.ConnectionOptions
  ) -> SceneActivationConditions {
    guard let visit = options.userActivities.first.flatMap(ReplayVisit.init) else {
      // Nothing that the driver asks for; such a session must not take a user's lines.
      return SceneActivationConditions(can: .false)
    }
    return conditions(prefix: visit.prefix, tabs: [visit.tab])
  }

  func scene(
    _ scene: isolated Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions
  ) {
    var restored: ReplayStateSummary?
    if let saved = session.stateRestorationActivity {
      // A state that cannot be read counts as an empty one, which the verification finds.
      state = saved.replayState ?? ReplayState()
      restored = state.summary
    }
    label = journal.connected(session.persistentIdentifier, restored: restored)
    for activity in options.userActivities { note(activity, scene) }
  }

  func scene(_ scene: isolated Scene, continue activity: UserActivity) {
    note(activity, scene)
  }

  func scene(_ scene: isolated Scene, didReceive message: SceneMessage) {}

  func sceneDidBecomeActive(_ scene: isolated Scene) {
    journal.becameActive(scene.persistentIdentifier, at: time)
  }

  func sceneDidEnterBackground(_ scene: isolated Scene) {
    journal.enteredBackground(scene.persistentIdentifier)
  }

  func stateRestorationActivity(for scene: isolated Scene) -> UserActivity? {
    UserActivity(state)
  }

  func sceneDidDisconnect(_ scene: isolated Scene) {
    journal.disconnected(scene.persistentIdentifier)
  }

  // MARK: - Lines

  private func note(_ activity: UserActivity, _ scene: isolated Scene) {
    if let visit = ReplayVisit(activity) { see(visit, scene) }
  }

  private func see(_ visit: ReplayVisit, _ scene: isolated Scene) {
    time = visit.time
    state.note(
      tab: visit.tab, bytes: visit.bytes, line: visit.line, log: visit.log,
      capacity: tabCapacity)
    scene.activationConditions = Self.conditions(prefix: visit.prefix, tabs: state.tabs)
    journal.saw(scene.persistentIdentifier, label, line: visit.line, at: visit.time)
  }

  private static func conditions(prefix: String, tabs: [String]) -> SceneActivationConditions {
    do throws(PredicateFormatError) {
      var parts: [ContentPredicate] = []
      for tab in tabs { parts.append(try .equals(prefix + tab)) }
      return SceneActivationConditions(can: try .hasPrefix(prefix), prefers: try .any(of: parts))
    } catch {
      preconditionFailure("tabs and their number are limited so that predicates fit: \(error)")
    }
  }
}
