// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Proscenium
import ProsceniumPredicate
import ProsceniumSimulation

// The commands: each is submitted and not waited for, so that several can be in flight together.
extension VectorRun {
  mutating func begin(
    _ command: VectorCommand, _ group: inout DiscardingTaskGroup
  ) async throws(VectorDifference) {
    switch command {
    case .launch(let reason):
      try checkNotRunning()
      launch(reason, &group)
    case .lock:
      isLocked = true
      process?.application.host.lock()
    case .unlock:
      isLocked = false
      process?.application.host.submitUnlock()
    case .advance(let duration):
      clock.advance(by: duration)
      process?.application.submitTime()
    case .discardWhileDown(let session):
      try checkNotRunning()
      store.discardWhileNotRunning(recorder.identifier(session))
    case .backup(let name):
      try checkNotRunning()
      backups[name] = store.copy()
    case .restore(let name):
      try checkNotRunning()
      try restore(name)
    case .mutateActivity(let label, let userInfo): activities.mutate(label, userInfo: userInfo)
    case .mutateReturned(let session, let delegateClass):
      recorder.state.withLock { $0.returned[session]?.delegateClass = delegateClass }
    case .evaluate(let predicate, let subject): try evaluate(predicate, subject)
    case .kill: try await kill()
    case .terminate:
      try running().terminate()
      isTerminating = true
    case .parallel(let commands):
      for command in commands { try await begin(command, &group) }
    default: try await submit(command, to: running().application)
    }
  }

  private func running() throws(VectorDifference) -> VectorProcess {
    guard let process else {
      throw VectorDifference("expected a running process, found none")
    }
    return process
  }

  private func checkNotRunning() throws(VectorDifference) {
    if process != nil { throw VectorDifference("expected no running process, found one") }
  }

  // MARK: - Processes and stores

  private mutating func launch(
    _ reason: VectorCommand.Launch, _ group: inout DiscardingTaskGroup
  ) {
    switch reason {
    case .icon: launch(.icon, nil, &group)
    case .background: launch(.background, nil, &group)
    case .event(let event):
      if let source = event.source {
        // What is submitted before the launch is routed by it.
        launch(.background, (self.event(event), recorder.identifier(source)), &group)
      } else {
        launch(.event(self.event(event)), nil, &group)
      }
    }
  }

  private mutating func kill() async throws(VectorDifference) {
    let process = try running()
    recorder.setRecording(false)
    process.kill()
    await process.waitForEnd()
    self.process = nil
    recorder.follow(nil, store)
    recorder.setRecording(true)
  }

  private mutating func restore(_ name: String) throws(VectorDifference) {
    guard let backup = backups[name] else {
      throw VectorDifference("expected a backup with the name \(name), found none")
    }
    store = backup.copy()
    recorder.follow(nil, store)
    recorder.revive(store.sessions.map { recorder.label($0.persistentIdentifier) })
  }

  // MARK: - Predicates

  private func evaluate(_ text: PredicateText, _ subject: String) throws(VectorDifference) {
    let predicate: ContentPredicate
    do throws(PredicateRefusal) {
      predicate = try text.parse()
    } catch {
      return recorder.fail("predicate", error.code)
    }
    let result = predicate.evaluate(subject)
    recorder.log("eval(\(result))")
    let canonical = predicate.description
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
