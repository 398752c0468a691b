// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import ProsceniumSimulation
import Logging
import Synchronization

@testable import Proscenium

/// Runs one storm and compares everything that can be seen of it with the replay.
struct Storm {
  let stage: StormStage
  private let store = InMemorySessionStore()
  /// What decides how everything interleaves; the machine unless it is set.
  private let executor: SeededExecutor?

  init(_ plan: StormPlan, on executor: SeededExecutor? = nil) {
    stage = StormStage(plan, isSimulated: executor != nil)
    self.executor = executor
  }

  /// Runs the storm.
  ///
  /// - Returns: What was wrong.
  func run() async throws -> [String] {
    let played = try await play()
    for _ in 0..<1_000 where played.application.value != nil { await Task.yield() }
    if played.application.value != nil { stage.find("the application is still alive") }
    let comparison = StormComparison(stage, played)
    if stage.plan.requests >= 100_000 { report(played, comparison.summary) }
    return comparison.findings
  }

  private func report(_ played: Played, _ summary: String) {
    let seconds = played.duration / .seconds(1)
    let calls = stage.groups.reduce(0) { $0 + $1.callbacks.load(ordering: .relaxed) }
    let busy = stage.errors[.systemBusy] ?? 0
    print(
      "\(stage.plan): \(seconds) s, \(Int(Double(stage.plan.requests) / seconds)) requests/s, "
        + "\(stage.trace.count) decisions, \(calls) callbacks, \(busy) refused for load, "
        + "\(summary), \(played.losses.messages.count) messages lost")
  }

  private func play() async throws -> Played {
    let application = makeApplication()
    let clock = ContinuousClock()
    let start = clock.now
    var played = Played(application: WeakApplication(value: application))
    let losses = application.lifecycleEvents(limit: .max)
    try await withThrowingTaskGroup(of: Losses.self) { group in
      group.addTask { await Losses(losses) }
      try await application.whileRunning {
        await makeRequests(of: application)
        await application.settle()
        await refreshSome(of: application)
        stage.end(StormView(application, store))
      }
      for try await losses in group { played.losses = losses }
    }
    played.view = stage.view
    played.duration = start.duration(to: clock.now)
    return played
  }

  private func makeApplication() -> Application {
    let stage = stage
    var settings = ApplicationSettings.counted
    settings.shards = stage.plan.shards
    settings.foregroundCapacity = stage.plan.capacity
    settings.eventLimit = 16
    settings.requestLimit = 16
    settings.onAdmission = { stage.trace.append($0) }
    settings.watchOrder()
    settings.disconnectionPolicy = stage.plan.policy
    if let executor {
      settings.taskExecutor = executor
      settings.clock = executor.clock
    }
    let configuration = SceneConfiguration("Storm") { StormDelegate(stage) }
    guard stage.plan.configuration != .manifest else {
      return Application(
        manifest: [configuration], store: store, settings: settings, log: .silent)
    }
    return Application(
      manifest: [configuration], store: store, settings: settings, log: .silent
    ) { StormApplicationDelegate(stage) }
  }

  /// Refreshes sessions in the background: none may believe that an earlier refresh is still
  /// queued.
  private func refreshSome(of application: Application) async {
    let sessions = application.openSessions.map(\.id.number).sorted().suffix(64).filter {
      let state = application.scene(for: .numbered($0))?.activationState
      return state == nil || state == .background
    }
    let before = stage.trace.count
    for session in sessions {
      application.submit(.refresh(.numbered(session)), onFailure: { stage.note($0) })
      await application.settle()
    }
    let decided = stage.trace.records.dropFirst(before).filter { $0.kind == .refreshed }
    if decided.map({ Int($0.session) }) != sessions {
      stage.find("\(sessions.count) refreshes came to \(decided.count)")
    }
  }

  private func makeRequests(of application: Application) async {
    await withTaskGroup { group in
      for number in 0..<StormPlan.callers {
        group.addTask {
          var caller = StormCaller(stage, application, number: number)
          await caller.run()
        }
      }
    }
  }
}

struct WeakApplication: Sendable {
  weak var value: Application?
}

/// What a storm leaves behind, next to what its stage has noted.
struct Played: Sendable {
  var application: WeakApplication
  var view = StormView()
  var losses = Losses()
  /// How long it took, its end included.
  var duration = Duration.zero
}

/// What observers were told was lost.
struct Losses: Sendable {
  var messages: [NumberedMessage] = []
  var activities = 0

  init() {}

  init(_ events: AsyncStream<LifecycleEvent>) async {
    for await event in events {
      switch event.kind {
      case .lost(.message(let message)): messages.append(NumberedMessage(message))
      case .lost(.event): activities += 1
      default: break
      }
    }
  }
}

/// What can be seen of an application in which nothing is in flight.
struct StormView: Sendable {
  /// A row of the store.
  struct Row: Sendable, Equatable {
    var group: Int
    var recency: Int
    var saved: Int
  }

  /// How many decisions had been taken.
  var decisions = 0
  /// The open sessions, and what state their scenes are in.
  var states: [Int: SceneState] = [:]
  var rows: [Int: Row] = [:]
  var connected = 0
  var application = Application.State.background
  /// What counts against bounds, or waits, though nothing is in flight.
  var leftovers = 0
  /// How many sessions are elsewhere for the router than for admission.
  var misplaced = 0
  /// Whether a policy knows the connected scenes and no others, and waits for none.
  var isCounted = true

  init() {}

  init(_ application: Application, _ store: InMemorySessionStore) {
    for session in application.openSessions { states[session.id.number] = .unattached }
    for scene in application.connectedScenes {
      states[scene.persistentIdentifier.number] = SceneState(scene.activationState)
    }
    for row in store.sessions {
      rows[row.persistentIdentifier.number] = Row(
        group: row.group.number, recency: Int(row.lastActivated),
        saved: row.stateRestorationActivity?.number ?? 0)
    }
    connected = application.connectedSceneCount
    self.application = application.applicationState
    leftovers = application.core.leftovers
    isCounted = application.core.countsScenes
    misplaced = application.core.misplacedSessions
  }
}

extension ApplicationCore {
  /// How many sessions have another rank in the router than in the ledger, or one in only one
  /// of them.
  var misplacedSessions: Int {
    gate.withLock { gate in
      var open = 0
      var misplaced = 0
      gate.ledger.forEachOpen { handle, record in
        open += 1
        let known = router.entry(handle)
        if known?.rank != record.rank || known?.role != record.role { misplaced += 1 }
      }
      return misplaced + abs(open - router.openCount)
    }
  }

  /// Whether the policy, if there is one, knows the connected scenes and no others, and none is
  /// to go that is still there.
  var countsScenes: Bool {
    guard let control = pressure.control else { return true }
    let connected = directory.mailboxes.reduce(0) { $0 + $1.tally.connected }
    return control.connected.load(ordering: .relaxed) == connected
      && control.promised.load(ordering: .relaxed) == 0
  }

  /// Everything that counts against a bound or waits: unfinished requests, undelivered messages,
  /// queued items and parked lanes.
  var leftovers: Int {
    let admitted = gate.withLock { $0.work.admitted }
    return directory.mailboxes.reduce(admitted) { sum, mailbox in
      let waiting = mailbox.state.withLock { state in
        abs(state.eventCount) + state.queue.count + state.parkedLanes
      }
      return sum - mailbox.finishedWork.load(ordering: .relaxed) + waiting
    }
  }
}
