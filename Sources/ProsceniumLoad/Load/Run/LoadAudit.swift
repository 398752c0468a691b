// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPrimitives
import Synchronization

/// What a load test sees from inside its scenes and from the application's events: whether what is
/// promised holds, and how long everything takes.
final class LoadAudit: Sendable {
  /// What is known of an open session, from outside of it.
  private struct Seen: Sendable {
    var isConnected = false
    /// What its last scene remembered in the end.
    var left: LoadHistory?
    /// Numbers that were skipped and may still come.
    var missing: [UInt32] = []
    /// Numbers that the application has reported as lost: the session is being discarded.
    var lost: Set<UInt32> = []
    /// What waits for its scene.
    var handed: [LoadEvent] = []

    /// Notes a scene; returns what was known before it.
    mutating func connect() -> (wasConnected: Bool, left: LoadHistory?) {
      defer { (isConnected, left) = (true, nil) }
      return (isConnected, left)
    }

    /// Notes what the last scene has left.
    mutating func disconnect(_ history: LoadHistory) {
      (isConnected, left) = (false, history)
    }

    /// Takes out a number that was skipped; returns whether it was.
    mutating func takeMissing(_ number: UInt32) -> Bool {
      guard let index = missing.firstIndex(of: number) else { return false }
      missing.remove(at: index)
      return true
    }

    /// Takes what waits for the scene.
    mutating func takeHanded() -> [LoadEvent] {
      defer { handed = [] }
      return handed
    }
  }

  /// What is counted.
  enum Count: Sendable {
    /// Scenes that were connected and are gone, and sessions that were discarded.
    case connect, disconnect, discard
    /// Saved states that had changed when they were captured.
    case capture
    /// Events and requests that were refused because the runtime was busy.
    case busy
  }

  /// As many as threads that are likely to meet.
  private static let stripes = 64
  /// How many numbers that a session has skipped at once are remembered.
  private static let missingLimit = 256

  private let counted = Guarded<[Count: Int]>([:])
  private let seen: [GuardedCell<[SessionIdentifier: Seen]>]
  private let latencies: [GuardedCell<LoadLatencies>]
  private let violations = GuardedCell(LoadViolations())
  private let errors = GuardedCell<(count: Int, first: SceneError?)>((0, nil))
  private let handed = Atomic<Int>(0)
  private let unknownDiscards = Atomic<Int>(0)
  private let countingSince = Atomic<UInt64>(0)
  private let isCutShort = Atomic<Bool>(false)
  private let elapsed: @Sendable () -> Duration

  init(clock: any Clock<Duration>) {
    elapsed = clock.stopwatch()
    seen = (0..<Self.stripes).map { _ in GuardedCell([:]) }
    latencies = (0..<Self.stripes).map { _ in GuardedCell(LoadLatencies()) }
  }

  /// Nanoseconds since the audit was made.
  var now: UInt64 { UInt64(clamping: elapsed().attoseconds / 1_000_000_000) }

  // MARK: - Scenes

  /// Takes note of a scene that is connected with what it remembers.
  func connect(_ session: SessionIdentifier, _ history: LoadHistory) {
    let (wasConnected, left) = stripe(session).withLock { $0[session, default: Seen()].connect() }
    if wasConnected { note(.twoScenes, session) }
    if let left, left != history { note(.forgotten, session) }
  }

  /// Takes note of a scene that is gone, and of what it remembered.
  func disconnect(_ session: SessionIdentifier, _ history: LoadHistory) {
    stripe(session).withLock { $0[session]?.disconnect(history) }
  }

  /// Looks whether an event is the next one of its session.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - last: The greatest number before it.
  ///   - session: The session.
  func judge(_ event: LoadEvent, after last: UInt32, in session: SessionIdentifier) {
    if event.number == last + 1 { return }
    if event.number > last {
      let skipped = stripe(session).withLock { seen in
        let skipped = (last + 1..<event.number).filter { seen[session]?.lost.contains($0) != true }
        seen[session]?.missing += skipped.prefix(Self.missingLimit)
        return skipped
      }
      guard let first = skipped.first else { return }
      return note(.dropped, session, first, count: skipped.count)
    }
    let wasMissing = stripe(session).withLock {
      $0[session]?.takeMissing(event.number) ?? false
    }
    if wasMissing { violations.withLock { $0.takeBack(.dropped) } }
    note(wasMissing ? .reordered : .doubled, session, event.number)
  }

  /// Takes note of how long an event took, unless it was due before counting began.
  func record(_ event: LoadEvent, hasWaited: Bool, in session: SessionIdentifier) {
    guard event.time >= countingSince.load(ordering: .relaxed) else { return }
    let now = now
    let nanoseconds = Int(now &- min(event.time, now))
    latencies[Self.stripe(session)].withLock {
      $0.record(nanoseconds: nanoseconds, hasWaited: hasWaited)
    }
  }

  /// Takes what was recorded since it was last asked.
  func takeLatencies() -> LoadLatencies {
    var all = LoadLatencies()
    for stripe in latencies {
      all.add(
        stripe.withLock { latencies in
          defer { latencies.reset() }
          return latencies
        })
    }
    return all
  }

  // MARK: - Answers to notifications

  /// Whether something waits for a scene.
  var hasHanded: Bool { handed.load(ordering: .relaxed) > 0 }

  /// Keeps an event for a session's scene.
  func hand(_ event: LoadEvent, to session: SessionIdentifier) {
    // Counted before it can be taken: otherwise the one that takes it could hide what waits for
    // another scene.
    handed.wrappingAdd(1, ordering: .relaxed)
    stripe(session).withLock { $0[session, default: Seen()].handed.append(event) }
  }

  /// Takes what waits for a scene.
  func takeHanded(to session: SessionIdentifier) -> [LoadEvent] {
    let events = stripe(session).withLock { $0[session]?.takeHanded() ?? [] }
    handed.wrappingSubtract(events.count, ordering: .relaxed)
    return events
  }

  // MARK: - The application's events

  /// The events that it has to see.
  static let topics: LifecycleEvent.Topics = [.lives, .captures]

  /// Takes note of something that happened to the application.
  func see(_ event: LifecycleEvent) {
    switch event.kind {
    case .connected: add(.connect)
    case .disconnected: add(.disconnect)
    case .discarded, .left:
      add(.discard)
      guard let session = event.session else { return }
      let found = stripe(session).withLock { $0.removeValue(forKey: session) }
      if let found {
        handed.wrappingSubtract(found.handed.count, ordering: .relaxed)
      } else {
        // It had no scene yet, or it was reported before.
        unknownDiscards.wrappingAdd(1, ordering: .relaxed)
      }
    case .captured(isChanged: true): add(.capture)
    case .lost(let loss): lose(loss, of: event.session)
    case .failed(let error): fail(error)
    default: break
    }
  }

  /// Counts one more.
  func add(_ count: Count) { counted.withLock { $0[count, default: 0] += 1 } }

  /// How often everything has happened.
  var counts: [Count: Int] { counted.withLock { $0 } }

  /// Takes note of an event that was accepted and is reported as lost.
  func lose(_ loss: LifecycleEvent.Loss, of session: SessionIdentifier?) {
    guard let session, let lost = LoadEvent(loss) else { return }
    stripe(session).withLock { _ = $0[session]?.lost.insert(lost.number) }
  }

  /// How many discards were reported of sessions that had no scene, or were reported before.
  var unknownDiscardCount: Int { unknownDiscards.load(ordering: .relaxed) }

  /// Counts events that are due from now on, and forgets the others.
  func beginCounting() {
    countingSince.store(now, ordering: .relaxed)
    _ = takeLatencies()
  }

  /// Takes note that events are sent no longer, before their time.
  func stop() { isCutShort.store(true, ordering: .relaxed) }

  /// Whether the load was ended before its time.
  var wasStopped: Bool { isCutShort.load(ordering: .relaxed) }

  /// The sessions of which no discard was reported.
  var openSessions: [SessionIdentifier] {
    seen.flatMap { $0.withLock { Array($0.keys) } }
  }

  // MARK: - What is wrong

  /// Takes note of an error.
  func fail(_ error: SceneError) {
    errors.withLock { errors in
      errors.count += 1
      errors.first = errors.first ?? error
    }
  }

  /// How many errors there were, and the first of them.
  var failures: (count: Int, first: SceneError?) { errors.withLock { $0 } }

  /// Takes note of a promise that was broken.
  func note(
    _ kind: LoadViolation.Kind, _ session: SessionIdentifier?, _ number: UInt32? = nil,
    count: Int = 1
  ) {
    let violation = LoadViolation(kind: kind, session: session, number: number, time: now)
    violations.withLock { $0.add(violation, count: count) }
  }

  /// The promises that were broken so far.
  var broken: LoadViolations { violations.withLock { $0 } }

  private func stripe(_ session: SessionIdentifier) -> GuardedCell<[SessionIdentifier: Seen]> {
    seen[Self.stripe(session)]
  }

  /// Identifiers differ in their last bits, whether they are random or counted.
  private static func stripe(_ session: SessionIdentifier) -> Int {
    Int(truncatingIfNeeded: session.low) & (stripes - 1)
  }
}

/// What a load test saw that must not be.
struct LoadViolation: Hashable, Sendable {
  /// Which promise was broken, as the end of a sentence that begins with a number.
  enum Kind: String, Hashable, Sendable, CaseIterable {
    case dropped = "accepted events were not delivered"
    case doubled = "events were delivered twice"
    case reordered = "events were delivered out of their order"
    case foreign = "events were delivered that were not sent"
    case forgotten = "scenes came back with an older state than they were left with"
    case twoScenes = "sessions had two scenes at once"
    case discardedTwice = "discards were reported twice"
    case notReported = "discards were not reported"
    case differs = "sessions remember other events than were sent"
    case differsOnDisk = "sessions remember other events after the next launch"
    case keptScenes = "scenes over the limit stayed connected"
    case keptMemory = "bytes of scenes that went were kept"
    case tookMemory = "bytes over 16 KiB a session were taken when all came back"
  }

  let kind: Kind
  let session: SessionIdentifier?
  /// The number of the event, if it is about one.
  var number: UInt32?
  /// In nanoseconds since the beginning of the run.
  let time: UInt64

  /// Which, and where.
  var place: String {
    let session = session.map { "session \($0)" } ?? "no session"
    let event = number.map { ", event \($0)" } ?? ""
    return "\(session)\(event), \(NumberText.fixed(Double(time) / 1e9, places: 3)) s"
  }
}

/// What a load test saw that must not be: how often, and the first of each kind.
struct LoadViolations: Sendable {
  private var counts: [LoadViolation.Kind: Int] = [:]
  private var firsts: [LoadViolation.Kind: LoadViolation] = [:]

  subscript(_ kind: LoadViolation.Kind) -> Int { counts[kind, default: 0] }

  var isEmpty: Bool { counts.values.allSatisfy { $0 == 0 } }

  mutating func add(_ violation: LoadViolation, count: Int = 1) {
    firsts[violation.kind] = firsts[violation.kind] ?? violation
    counts[violation.kind, default: 0] += count
  }

  /// Takes back what was taken for a violation of another kind at first.
  mutating func takeBack(_ kind: LoadViolation.Kind) {
    counts[kind, default: 0] -= 1
  }

  /// A sentence for each kind.
  var sentences: [String] {
    LoadViolation.Kind.allCases.compactMap { kind in
      guard self[kind] > 0 else { return nil }
      let first = firsts[kind].map { ", the first of them: \($0.place)" } ?? ""
      return "\(self[kind]) \(kind.rawValue)\(first)"
    }
  }
}
