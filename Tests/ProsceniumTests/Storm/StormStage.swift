// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import ProsceniumSimulation
import Synchronization

@testable import Proscenium

/// What one scene group shows at this moment, and how many callbacks it has had.
final class StormGroup: Sendable {
  let active = Atomic<Int>(0)
  let foreground = Atomic<Int>(0)
  let callbacks = Atomic<Int>(0)
  let sender: StormSender

  init(_ number: Int) {
    sender = StormSender(StormPlan.callers + number)
  }
}

/// What callers, delegates and the comparison at the end share.
final class StormStage: Sendable {
  private struct Notes: Sendable {
    var findings: [String] = []
    var errors: [SceneError.Code: Int] = [:]
  }

  private struct WeakScene: Sendable {
    weak var scene: Scene?
  }

  let plan: StormPlan
  let trace = StormTrace()
  let groups: [StormGroup]
  let senders: [StormSender]
  let delegates = Atomic<Int>(0)
  let connections = Atomic<Int>(0)
  let questions = Atomic<Int>(0)
  let discards = Atomic<Int>(0)
  private let budget: Atomic<Int>
  private let logs = (0..<64).map { _ in StormLogs() }
  private let notes = Guarded(Notes())
  private let scenes = Guarded<[WeakScene]>([])
  private let lastView = Guarded<StormView?>(nil)

  private let isSimulated: Bool

  init(_ plan: StormPlan, isSimulated: Bool = false) {
    self.plan = plan
    self.isSimulated = isSimulated
    groups = (0..<plan.groups).map(StormGroup.init)
    senders = (0..<StormPlan.callers).map(StormSender.init)
    budget = Atomic(plan.requests)
  }

  // MARK: - Requests

  /// Takes one of the requests that the storm still has to make.
  func takeRequest() -> Bool {
    budget.load(ordering: .relaxed) > 0
      && budget.wrappingSubtract(1, ordering: .relaxed).oldValue > 0
  }

  /// Draws one of the newest sessions, open or not; 0 before there is one.
  func drawSession(_ random: inout SplitMix64) -> Int {
    let newest = trace.newest
    return newest == 0 ? 0 : newest - random.number(below: min(plan.window, newest))
  }

  /// Lets other requests be admitted, but does not wait for them forever; where nothing else runs
  /// in between, not at all.
  func dawdle() {
    if isSimulated { return }
    let goal = trace.count + 60
    var patience = 20_000
    while patience > 0, trace.count < goal { patience -= 1 }
  }

  /// Keeps what can be seen when everything that was admitted has run.
  func end(_ view: StormView) {
    lastView.withLock { last in
      last = view
      last?.decisions = trace.count
    }
  }

  var view: StormView { lastView.withLock { $0 ?? StormView() } }

  // MARK: - Notes

  func find(_ finding: @autoclosure () -> String) {
    notes.withLock { notes in
      if notes.findings.count < 20 { notes.findings.append(finding()) }
    }
  }

  var findings: [String] { notes.withLock { $0.findings } }

  func note(_ error: SceneError) {
    notes.withLock { $0.errors[error.code, default: 0] += 1 }
  }

  var errors: [SceneError.Code: Int] { notes.withLock { $0.errors } }

  // MARK: - Logs

  func log(of session: Int) -> StormLogs { logs[session & 63] }

  var allLogs: [Int: StormLog] {
    logs.reduce(into: [:]) { all, part in all.merge(part.all) { first, _ in first } }
  }

  /// Remembers some of the scenes, without keeping them.
  func remember(_ scene: Scene) {
    guard connections.wrappingAdd(1, ordering: .relaxed).oldValue % 16 == 0 else { return }
    scenes.withLock { $0.append(WeakScene(scene: scene)) }
  }

  var liveScenes: Int { scenes.withLock { $0.count { $0.scene != nil } } }
}
