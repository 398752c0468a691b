// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Synchronization

/// The moment in which a launch lets requests pass: what is admitted first, and what is left to do
/// once the gate is open.
struct LaunchOpening: Sendable {
  let core: ApplicationCore
  private var admitted: [Admitted] = []
  private var refused: [(request: EarlyRequest, error: SceneError)] = []
  private var failed: [SceneError] = []
  private var tasks: [Sleeper] = []

  init(core: ApplicationCore) {
    self.core = core
  }

  /// Admits what the settings want connected, and what was submitted before.
  mutating func decide(_ gate: inout Admitter) {
    gate.phase = .running
    gate.hasOpened = true
    tasks = inOrder(gate.waiting, gate)
    for command in commands(gate) {
      do throws(SceneError) {
        // Not refused for load: there is none yet.
        admitted.append(try gate.decide(command, Reporting()))
      } catch {
        failed.append(error)
      }
    }
    for request in gate.early {
      do throws(SceneError) {
        admitted.append(try gate.admit(request.command, Reporting(onFailure: request.onFailure)))
      } catch {
        refused.append((request, error))
      }
    }
    gate.early = []
    gate.waiting = []
    core.stage.store(.launched, ordering: .releasing)
  }

  /// The tasks that wait for the launch: those that are about no session, then the others, the most
  /// recently active session first.
  private func inOrder(_ waiting: [LaunchWaiter], _ gate: borrowing Admitter) -> [Sleeper] {
    let keyed = waiting.enumerated().map { place, waiter in
      let handle = waiter.session.flatMap { core.directory.find($0) }
      let recency = handle.map { gate.ledger[$0].lastActivated } ?? .max
      return (recency: recency, place: place, task: waiter.task)
    }
    return keyed.sorted { ($0.recency, $1.place) > ($1.recency, $0.place) }.map(\.task)
  }

  private func commands(_ gate: borrowing Admitter) -> [Command] {
    switch core.settings.launch {
    case .background: return []
    case .connectAll:
      var all: [(recency: UInt64, session: SessionIdentifier)] = []
      gate.ledger.forEachOpen { handle, record in
        all.append((record.lastActivated, core.directory.identifier(handle)))
      }
      // The sessions that a user is most likely to look at come first.
      all.sort { ($0.recency, $1.session) > ($1.recency, $0.session) }
      return all.map { .connect($0.session) }
    case .icon:
      let recent = try? core.router.choose(nil).session
      return [
        recent.map { .open(core.directory.identifier($0), hold: false) }
          ?? .newSession(Command.NewSession())
      ]
    case .event(let event):
      return [.event(RoutedEvent(event))]
    }
  }

  /// Wakes and tells those whom it concerns, with the gate open.
  func carryOut() {
    for admitted in admitted {
      core.report(admitted)
      admitted.sleeper?.wake()
    }
    if admitted.contains(where: \.asksConfiguration) { core.applicationQueue.ring() }
    for error in failed { core.events.report(error.session, .failed(error)) }
    for refused in refused { refused.request.onFailure?(refused.error) }
    for task in tasks { task.wake() }
  }
}
