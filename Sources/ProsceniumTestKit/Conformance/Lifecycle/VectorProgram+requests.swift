// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Proscenium
import ProsceniumPredicate

// The runtime is asked directly, and nothing is between it and the program.
extension VectorProgram {
  func begin() async {}

  func makeProcess(_ launch: VectorLaunch, on store: InMemorySessionStore) async -> VectorProcess {
    let application = Application(
      manifest: launch.manifest, store: store, settings: launch.settings, log: VectorLaunch.log,
      delegate: launch.makeDelegate)
    return VectorProcess(application, recorder: parts.recorder)
  }

  func rest() async -> Bool { false }

  func differences() async -> [String] { [] }

  func leave() async {}

  func end() async {}

  // MARK: - Requests

  func activate(_ activation: VectorActivation, in run: VectorRun) async throws {
    let activity = activation.activity.map { run.activity($0) }
    let options = Scene.ActivationRequestOptions(
      requestingScene: activation.requester.map { run.id($0.session) })
    let role = activation.role ?? .windowApplication
    var request = SceneSessionActivationRequest(
      role: role.role, userActivity: activity, options: options)
    if let session = activation.session {
      request = SceneSessionActivationRequest(
        session: run.id(session), userActivity: activity, options: options)
    }
    try run.submit(.activate(request), "activate")
  }

  func refresh(_ session: SessionLabel, in run: VectorRun) async throws {
    try run.submit(.refresh(run.id(session)), "refresh")
  }

  func destroy(
    _ session: SessionLabel, _ animation: VectorAnimation, in run: VectorRun
  ) async throws {
    try run.submit(.destroy(run.id(session), animation.reason), "destroy")
  }

  // MARK: - Sessions and scenes

  func setUserInfo(
    _ value: UserInfoValue, of session: SessionLabel, in run: VectorRun
  ) async throws {
    try run.update(session, "userInfo") {
      let userInfo = try value.sessionUserInfo()
      return { $0.userInfo = userInfo }
    }
  }

  func setActivity(
    _ activity: ActivityLabel?, of session: SessionLabel, in run: VectorRun
  ) async throws {
    let activity = activity.map { run.activity($0) }
    try run.update(session, "session") { { $0.stateRestorationActivity = activity } }
  }

  func setConditions(
    _ change: ConditionsChange, of session: SessionLabel, in run: VectorRun
  ) async throws {
    try run.update(session, "predicate") {
      let apply = try change.parse()
      return { apply(&$0.activationConditions) }
    }
  }

  func completeRestoration(of session: SessionLabel, in run: VectorRun) async throws {
    let application = try run.running().application
    await application.scene(for: run.id(session))?.completeStateRestoration()
  }

  // MARK: - The runner's own objects

  func mutate(_ activity: String, userInfo: [String: UserInfoValue]) async {
    parts.activities.mutate(activity, userInfo: userInfo)
  }

  func mutateReturned(_ session: SessionLabel, delegateClass: String?) async {
    parts.recorder.state.withLock { $0.returned[session]?.delegateClass = delegateClass }
  }

  func evaluate(_ predicate: PredicateText, _ subject: String) async throws {
    let content: ContentPredicate
    do throws(Refusal) {
      content = try predicate.parse()
    } catch {
      return parts.recorder.fail(error)
    }
    let result = content.evaluate(subject)
    parts.recorder.log("eval(\(result))")
    let canonical = content.description
    guard let again = try? ContentPredicate(format: canonical, arguments: []) else {
      throw VectorDifference("expected the canonical string \(canonical) to be a format")
    }
    guard again.description.utf8.elementsEqual(canonical.utf8),
      again.evaluate(subject) == result
    else {
      throw VectorDifference(
        "expected the canonical string \(canonical) to mean the same when it is parsed again, "
          + "found \(again.description) and \(again.evaluate(subject))")
    }
  }
}
