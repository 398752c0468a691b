// SPDX-License-Identifier: Apache-2.0

import Proscenium

// What commands are made of: each submits something and does not wait for it.
extension VectorRun {
  func running() throws(VectorDifference) -> VectorProcess {
    guard let process else {
      throw VectorDifference("expected a running process, found none")
    }
    return process
  }

  func checkNotRunning() throws(VectorDifference) {
    if process != nil { throw VectorDifference("expected no running process, found one") }
  }

  func id(_ session: SessionLabel) -> SessionIdentifier { recorder.identifier(session) }

  /// Logs an error of an operation.
  func failing(_ operation: String) -> @Sendable (SceneError) -> Void {
    { [recorder] error in recorder.failed(operation, error) }
  }

  func submit(_ command: HostCommand, _ operation: String) throws(VectorDifference) {
    try receiver(isOfNode: command.isOfNode).host.submit(command, onFailure: failing(operation))
  }

  func submit(_ request: SessionRequest, _ operation: String) throws(VectorDifference) {
    try receiver(isOfNode: request.isOfNode).submit(request, onFailure: failing(operation))
  }

  /// What is asked for something: the node that has the scenes, or another one.
  private func receiver(isOfNode: Bool) throws(VectorDifference) -> Application {
    isOfNode ? try running().application : try running().client
  }

  /// Submits an event, and says to the recorder that it will be routed.
  func submit(_ event: SceneEvent, source: SessionLabel?) throws(VectorDifference) {
    let source = source.map { id($0) }
    let request = SessionRequest.deliver(event, source: source)
    let application = try receiver(isOfNode: request.isOfNode)
    let route = recorder.expectRoute(event.targetContentIdentifier, source: source)
    application.submit(request) { [recorder] error in
      recorder.forgetRoute(route)
      recorder.failed("activate", error)
    }
  }

  /// Changes what a session holds, unless the values that it is to hold cannot be made.
  func update(
    _ session: SessionLabel, _ operation: String,
    _ change: () throws -> @Sendable (inout SceneSession) -> Void
  ) throws {
    let application = try running().application
    do {
      application.process.submitUpdate(
        of: id(session), onFailure: failing(operation), try change())
    } catch let error as Refusal {
      recorder.fail(error)
    }
  }

  /// The runner's activity; it must be saved by a capture alone.
  func activity(_ label: ActivityLabel) -> UserActivity {
    var activity = activities["\(label)"]
    activity.willSave = { [recorder] activity in
      recorder.log("activityWillSave(\(LogText.label(activity)))")
    }
    return activity
  }

  mutating func kill() async throws(VectorDifference) {
    let process = try running()
    recorder.setRecording(false)
    process.kill()
    await process.waitForEnd()
    self.process = nil
    await program.leave()
    recorder.follow(nil, store)
    recorder.setRecording(true)
  }

  mutating func restore(_ name: String) throws(VectorDifference) {
    try checkNotRunning()
    guard let backup = backups[name] else {
      throw VectorDifference("expected a backup with the name \(name), found none")
    }
    store = backup.copy()
    recorder.follow(nil, store)
    recorder.revive(store.sessions.map { recorder.label($0.persistentIdentifier) })
  }
}
