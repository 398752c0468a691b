// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

import Proscenium
import ProsceniumPrimitives
import Synchronization

/// What everybody in a simulated world shares: what it is like, the clock, and the model.
final class SimulatedWorld: Sendable {
  let seed: UInt64
  let options: SimulationOptions
  let executor: SeededExecutor
  let makeFront: (@Sendable (any SceneDelegate) -> any SceneDelegateFront)?
  private let model: Guarded<SimulationModel>
  private let trace: SimulationTrace?
  private let connections = Atomic<Int>(0)
  private let wakes = Atomic<Int>(0)
  private let shift = Atomic<Int>(0)
  private let lock = Atomic<Bool>(false)
  private let key = Atomic<Bool>(true)
  private let closing = Atomic<Bool>(false)
  /// The users of sessions in this life.
  private let users = Guarded<[Int: SceneClient]>([:])
  /// How long applications have run before this life, and when this one began.
  private let run = Guarded<(before: Duration, begin: Duration?)>((.zero, nil))
  private let orderlyEnds = Atomic<Int>(0)
  /// Whether the last life ended by a loss of power.
  private let wasKilled = Atomic<Bool>(false)
  /// The lines of clients, by client and session.
  private let lines = Guarded<[SIMD2<Int32>: SimulatedLine]>([:])

  init(
    seed: UInt64, _ options: SimulationOptions, _ executor: SeededExecutor,
    makeFront: (@Sendable (any SceneDelegate) -> any SceneDelegateFront)?, trace: SimulationTrace?
  ) {
    self.seed = seed
    self.options = options
    self.executor = executor
    self.makeFront = makeFront
    self.trace = trace
    model = Guarded(SimulationModel())
  }

  /// Whether protected data is not available.
  var isLocked: Bool {
    get { lock.load(ordering: .relaxed) }
    set { lock.store(newValue, ordering: .relaxed) }
  }

  /// Whether states can be sealed and opened.
  var hasKey: Bool {
    get { key.load(ordering: .relaxed) }
    set { key.store(newValue, ordering: .relaxed) }
  }

  /// Whether the clients are to stop.
  var isClosing: Bool {
    get { closing.load(ordering: .relaxed) }
    set { closing.store(newValue, ordering: .relaxed) }
  }

  /// The time by the calendar: the clock of the world, and how far it was set.
  var calendarTime: Duration {
    executor.clock.now.offset + .seconds(shift.load(ordering: .relaxed))
  }

  /// The date by the calendar.
  var date: Date {
    Date(timeIntervalSince1970: 1_000_000_000 + calendarTime / .seconds(1))
  }

  /// Sets the calendar forward or back.
  func setCalendar(by seconds: Int) {
    shift.wrappingAdd(seconds, ordering: .relaxed)
  }

  /// A number for an activity that wakes a session, given once.
  func nextWake() -> Int {
    SimulationModel.firstWake - 1 + wakes.wrappingAdd(1, ordering: .relaxed).newValue
  }

  /// A generator of its own for each part of the world.
  func generator(_ stream: Int) -> SplitMix64 {
    SplitMix64(seed: seed, stream: stream)
  }

  /// A number for each connection, so that each draws something else.
  func nextConnection() -> Int {
    connections.wrappingAdd(1, ordering: .relaxed).newValue
  }

  /// What a client knows of a session.
  func line(of client: Int, to session: Int) -> SimulatedLine {
    lines.withLock { $0[SIMD2(Int32(client), Int32(session))] }
      ?? SimulatedLine(client: client, session: session)
  }

  /// Keeps what a client knows of a session.
  func keep(_ line: SimulatedLine) {
    lines.withLock { $0[SIMD2(Int32(line.client), Int32(line.session))] = line }
  }

  /// Counts a kill after the commit of input and before its client has the acknowledgement.
  ///
  /// - Parameter disk: What the disk has after a loss of power.
  func coverKill(_ disk: [Int: SimulatedRow]) {
    guard wasKilled.load(ordering: .relaxed) else { return }
    let isBetween = lines.withLock { lines in
      lines.values.contains { line in
        guard let first = line.pending.first, !line.isMixed else { return false }
        return Int(disk[line.session]?.counts?[line.client] ?? 0) >= first
      }
    }
    if isBetween { cover("kill before acknowledgement") }
  }

  /// How many lives have ended in order.
  var deploys: Int { orderlyEnds.load(ordering: .relaxed) }

  /// Takes note that a client is the user of a session.
  func attach(_ client: SceneClient, to session: Int) {
    users.withLock { $0[session] = client }
    tell { $0.use(session) }
  }

  /// Takes note that a client leaves a session.
  func detach(_ client: SceneClient, from session: Int) {
    // Its line may have ended by itself.
    if client.isUser { tell { $0.use(session) } }
    users.withLock { users in
      if users[session] === client { users[session] = nil }
    }
  }

  /// How long applications have run so far.
  var runningTime: Duration {
    let now = executor.clock.now.offset
    return run.withLock { $0.before + ($0.begin.map { now - $0 } ?? .zero) }
  }

  /// Takes note that an application begins to run.
  func beginRun() {
    let now = executor.clock.now.offset
    run.withLock { $0.begin = now }
  }

  /// Takes note that an application runs no longer.
  func endRun(isLost: Bool) {
    let attended = users.withLock { users in
      defer { users = [:] }
      return users.filter(\.value.isUser).keys.sorted()
    }
    // What was not written when the power was lost, is not known.
    if !isLost {
      tell { model in
        for session in attended { model.use(session) }
        model.leaveForeground()
      }
    }
    let time = runningTime
    run.withLock { $0 = (time, nil) }
    wasKilled.store(isLost, ordering: .relaxed)
    if !isLost { orderlyEnds.wrappingAdd(1, ordering: .relaxed) }
  }

  /// Counts something that a client has met.
  func cover(_ name: String) {
    tell { $0.coverage.add(.line, name) }
  }

  /// Tells the model something, or asks it.
  func tell<Answer: Sendable>(_ body: (inout SimulationModel) -> Answer) -> Answer {
    let time = runningTime
    guard trace != nil else {
      return model.withLock { model in
        model.time = time
        return body(&model)
      }
    }
    let (answer, wrong) = model.withLock { model in
      model.time = time
      let before = model.findings.count
      return (body(&model), Array(model.findings.dropFirst(before)))
    }
    for finding in wrong { note("wrong: \(finding)") }
    return answer
  }

  /// Notes what happened, if anybody wants to read it.
  func note(_ line: @autoclosure () -> String) {
    guard let trace else { return }
    let time = Int(executor.clock.now.offset / .microseconds(1))
    trace.add("step \(executor.steps), \(time) µs: \(line())")
  }

  /// Notes an error that a program was told.
  func note(_ error: SceneError) {
    tell { $0.coverage.add(.error, "\(error.code)") }
    note("error \(error)")
  }

  /// Notes something that was done to the application.
  func note(_ fault: SimulationFault, _ what: @autoclosure () -> String = "") {
    tell { $0.coverage.add(.fault, fault.name) }
    note("\(fault.name) \(what())")
  }

  /// Takes note of a decision.
  func admit(_ record: AdmissionRecord) {
    note("decided \(record.text)")
    let record = DecisionRecord(record)
    let session = Int(record.session)
    let isAttended = record.kind == .destroyed && users.withLock { $0[session]?.isUser ?? false }
    tell { $0.admit(record, isAttended: isAttended) }
  }

  /// Takes note of a lifecycle event.
  func see(_ event: LifecycleEvent) {
    if let text = event.kind.text {
      note("\(event.session.map { "session \($0.number)" } ?? "application"): \(text)")
    }
    if case .diagnosed(.savedStateDropped) = event.kind { tell { $0.dropStates() } }
    guard let number = event.session?.number else { return }
    tell { model in
      guard !model.isOver, number <= model.newest || event.kind.isEnd else { return }
      switch event.kind {
      case .connected(let isNew):
        model.coverage.add(.transition, isNew ? "new > connected" : "archived > connected")
      case .disconnected(let reason):
        if let fault = reason.fault { model.coverage.add(.fault, fault.name) }
        model.release(number, reason)
      case .discarded(let reason): model.discard(number, reason)
      case .diagnosed(.slowCallback(_, let duration, let isRunning)):
        model.report(SlowCall(session: number, duration: duration), isRunning: isRunning)
      case .lost(.message(let message)):
        model.lose(NumberedMessage(message), number, isClosing: isClosing)
      case .failed(let error):
        model.coverage.add(.error, "\(error.code)")
        switch error.code {
        case .restorationTimedOut: model.sessions[number].expire()
        case .stateUnreadable, .stateUnavailable: model.failToConnect(number)
        default: break
        }
      default: break
      }
    }
  }
}

extension LifecycleEvent.Reason {
  /// What the system did by itself.
  fileprivate var fault: SimulationFault? {
    switch self {
    case .pressure: .policyPressure
    case .idle: .policyIdle
    default: nil
    }
  }
}

extension LifecycleEvent.Kind {
  /// Whether the session is over.
  fileprivate var isEnd: Bool {
    if case .discarded = self { true } else { false }
  }

  /// What a trace says of it; nil if it says it otherwise, or not at all.
  fileprivate var text: String? {
    switch self {
    case .connected(let isNew): isNew ? "connected, new" : "connected"
    case .disconnected(let reason): "disconnected, \(reason)"
    case .discarded(let reason): "discarded, \(reason)"
    case .left(let reason): "left, \(reason)"
    case .lost(.message(let message)): "\(NumberedMessage(message)) is lost"
    case .lost: "an event is lost"
    case .failed(let error): "failed, \(error)"
    case .captured(let isChanged): isChanged ? "captured" : "captured, unchanged"
    case .configured(let name): "configured \(name ?? "")"
    case .woken(let wake): "woken by \(wake)"
    case .diagnosed(let diagnostic): "diagnosed \(diagnostic.name)"
    case .notification, .applicationNotification, .transition, .snapshotTaken,
      .settledInBackground, .routed:
      nil
    }
  }
}

extension AdmissionRecord {
  /// The record for people.
  fileprivate var text: String {
    switch self {
    case .activated(let session, let isNew, let group, let requester, _, let victim):
      "session \(session.number): activated\(isNew ? ", new" : "")"
        + (group.map { ", group \($0.rawValue)" } ?? "")
        + (requester.map { ", for session \($0.number)" } ?? "")
        + (victim.map { ", instead of session \($0.number)" } ?? "")
    case .background(let session): "session \(session.number): background"
    case .interrupted(let session): "session \(session.number): interrupted"
    case .resumed(let session): "session \(session.number): resumed"
    case .disconnected(let session): "session \(session.number): disconnected"
    case .destroyed(let session): "session \(session.number): destroyed"
    case .refreshed(let session, _): "session \(session.number): refreshed"
    case .refreshDropped(let session): "session \(session.number): refresh dropped"
    case .connected(let session): "session \(session.number): connected"
    case .reconnected(let session, _): "session \(session.number): reconnected"
    case .woken(let session): "session \(session.number): woken"
    case .failed(let session, let victimLeaves):
      "session \(session.number): failed" + (victimLeaves ? ", and who gave way leaves" : "")
    case .refused(let error): "refused \(error)"
    }
  }
}
