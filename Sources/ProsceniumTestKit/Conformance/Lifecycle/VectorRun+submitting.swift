// SPDX-License-Identifier: Apache-2.0

import Proscenium

// Commands for an application that runs.
extension VectorRun {
  /// Submits a command; its errors are logged.
  func submit(_ command: VectorCommand, to application: Application) async {
    let host = application.host
    switch command {
    case .home: host.submitHome()
    case .open(let session, let hold): submit(.open(id(session), hold: hold), "activate", host)
    case .newWindow: submit(.newWindow(), "activate", host)
    case .drop(let activity): submit(.drop(self.activity(activity)), "activate", host)
    case .close(let session): submit(.close(id(session)), "destroy", host)
    case .interrupt(let session): submit(.interrupt(id(session)), "interrupt", host)
    case .resume(let session): submit(.resume(id(session)), "activate", host)
    case .background(let session): submit(.background(id(session)), "background", host)
    case .disconnect(let session): submit(.disconnect(id(session)), "disconnect", host)
    case .pressure(let count): host.submitPressure(count: count)
    case .tick: host.submitRefreshes()
    case .activate(let session, let role, let activity, let requester):
      application.submit(
        .activate(request(session, role, activity, requester)), onFailure: failing("activate"))
    case .refresh(let session):
      application.submit(.refresh(id(session)), onFailure: failing("refresh"))
    case .destroy(let session, let animation):
      application.submit(
        .destroy(id(session), animation),
        onFailure: failing("destroy"))
    case .event(let event):
      submit(
        self.event(event), source: event.source.map { recorder.identifier($0) }, to: application)
    case .handoffPayload(let type, let activity):
      application.submitHandoff(
        type, with: self.activity(activity), onFailure: failing("handoff"))
    case .handoffFailure(let type):
      application.submitHandoffFailure(
        type, error: VectorDifference("the data did not come"), onFailure: failing("handoff"))
    default: await change(command, application)
    }
  }

  /// Changes what a session holds.
  private func change(_ command: VectorCommand, _ application: Application) async {
    switch command {
    case .setUserInfo(let session, let value):
      do throws(ValueRefusal) {
        let userInfo = try value.sessionUserInfo()
        application.submitUpdate(of: id(session), onFailure: failing("userInfo")) {
          $0.userInfo = userInfo
        }
      } catch {
        recorder.fail("userInfo", error.code)
      }
    case .setStateRestorationActivity(let session, let label):
      let activity = label.map { self.activity($0) }
      application.submitUpdate(of: id(session), onFailure: failing("session")) {
        $0.stateRestorationActivity = activity
      }
    case .setActivationConditions(let session, let change):
      do throws(PredicateRefusal) {
        let conditions = try change.parse()
        application.submitUpdate(of: id(session), onFailure: failing("predicate")) {
          conditions.apply(to: &$0.activationConditions)
        }
      } catch {
        recorder.fail("predicate", error.code)
      }
    case .completeStateRestoration(let session):
      await application.scene(for: id(session))?.completeStateRestoration()
    default: preconditionFailure("nothing submits \(command)")
    }
  }

  private func id(_ session: SessionLabel) -> SessionIdentifier {
    recorder.identifier(session)
  }

  private func submit(_ command: HostCommand, _ op: String, _ host: ApplicationHost) {
    host.submit(command, onFailure: failing(op))
  }

  private func failing(_ op: String) -> @Sendable (SceneError) -> Void {
    { [recorder] error in recorder.failed(op, error) }
  }

  private func request(
    _ session: SessionLabel?, _ role: VectorRole, _ label: String?, _ requester: SceneLabel?
  ) -> SceneSessionActivationRequest {
    let activity = label.map { self.activity($0) }
    let options = Scene.ActivationRequestOptions(
      requestingScene: requester.map { id($0.session) })
    guard let session else {
      return SceneSessionActivationRequest(
        role: role.role, userActivity: activity, options: options)
    }
    return SceneSessionActivationRequest(
      session: id(session), userActivity: activity, options: options)
  }

  // MARK: - Events

  /// Submits an event, and says to the recorder that it will be routed.
  func submit(
    _ event: SceneEvent, source: SessionIdentifier?, to application: Application
  ) {
    let route = recorder.expectRoute(event.targetContentIdentifier, source: source)
    application.submit(event, source: source) { [recorder] error in
      recorder.forgetRoute(route)
      recorder.failed("activate", error)
    }
  }

  /// The runner's activity; it must be saved by a capture alone.
  private func activity(_ label: String) -> UserActivity {
    var activity = activities[label]
    activity.willSave = { [recorder] activity in
      recorder.log("activityWillSave(\(LogText.label(activity)))")
    }
    return activity
  }

  func event(_ event: VectorEvent) -> SceneEvent {
    switch event.payload {
    case .url(let url): .url(OpenURLContext(url))
    case .activity(let label): .activity(activity(label))
    case .notification(let identifier, let target):
      .notification(NotificationResponse(identifier, targetContentIdentifier: target))
    case .shortcut(let type, let target):
      .shortcut(ShortcutItem(type, targetContentIdentifier: target))
    case .share(let identifier): .share(ShareMetadata(identifier))
    case .handoff(let type, let target):
      .handoff(activityType: type, targetContentIdentifier: target)
    }
  }
}
