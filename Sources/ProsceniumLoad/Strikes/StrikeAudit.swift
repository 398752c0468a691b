// SPDX-License-Identifier: Apache-2.0

import Proscenium
import Synchronization

/// What the delegates of a struck application see: whether everything comes once and in its order,
/// whether a session ever has two scenes, and how long messages take.
final class StrikeAudit: Sendable {
  /// As many as threads that are likely to meet.
  private static let stripes = 64

  private let owners: [GuardedCell<Set<SessionIdentifier>>]
  private let latencies: [GuardedCell<LatencyHistogram>]
  private let wrong = Atomic<Int>(0)
  private let duplicates = Atomic<Int>(0)
  private let failures = GuardedCell<(count: Int, first: SceneError?)>((0, nil))
  private let start: ContinuousClock.Instant
  private let clock: ContinuousClock

  init(clock: ContinuousClock) {
    self.clock = clock
    start = clock.now
    owners = (0..<Self.stripes).map { _ in GuardedCell([]) }
    latencies = (0..<Self.stripes).map { _ in GuardedCell(LatencyHistogram()) }
  }

  /// Nanoseconds since the audit was made.
  var now: UInt64 { UInt64(clamping: start.duration(to: clock.now).attoseconds / 1_000_000_000) }

  /// Messages that came a second time, too late, or after one that never came.
  var wrongEvents: Int { wrong.load(ordering: .relaxed) }
  /// Scenes that were connected to a session which had one.
  var duplicateOwners: Int { duplicates.load(ordering: .relaxed) }
  /// What the runtime reported as errors, as a sentence; nil if nothing.
  var failureText: String? {
    let (count, first) = failures.withLock { $0 }
    return first.map { "\(count) errors, the first of them \($0)" }
  }

  /// Takes note of a lifecycle event of the application.
  func see(_ event: LifecycleEvent) {
    if case .failed(let error) = event.kind { fail(error) }
  }

  /// Takes note of an error.
  func fail(_ error: SceneError) {
    failures.withLock { failures in
      failures.count += 1
      failures.first = failures.first ?? error
    }
  }

  /// Takes note of a scene that is connected.
  func connect(_ session: SessionIdentifier) {
    let isOnly = stripe(session).withLock { $0.insert(session).inserted }
    if !isOnly { duplicates.wrappingAdd(1, ordering: .relaxed) }
  }

  /// Takes note of a scene that is gone.
  func disconnect(_ session: SessionIdentifier) {
    _ = stripe(session).withLock { $0.remove(session) }
  }

  /// Takes note of a message that is not the next one of its sender.
  func miss() {
    wrong.wrappingAdd(1, ordering: .relaxed)
  }

  /// Takes note of how long a message took.
  func record(nanoseconds: Int, of session: SessionIdentifier) {
    latencies[session.hashValue & (Self.stripes - 1)].withLock {
      $0.record(nanoseconds: nanoseconds)
    }
  }

  /// How long messages took so far.
  var latency: LatencyHistogram {
    var all = LatencyHistogram()
    for stripe in latencies { all.add(stripe.withLock { $0 }) }
    return all
  }

  private func stripe(_ session: SessionIdentifier) -> GuardedCell<Set<SessionIdentifier>> {
    owners[session.hashValue & (Self.stripes - 1)]
  }
}
