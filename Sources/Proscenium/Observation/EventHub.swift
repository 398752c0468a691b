// SPDX-License-Identifier: Apache-2.0

import Logging
import ProsceniumPrimitives
import Synchronization

/// Hands each lifecycle event to all listeners; costs one load while there are none.
final class EventHub: Sendable {
  private struct Listeners: Sendable {
    var continuations: [Int: AsyncStream<LifecycleEvent>.Continuation] = [:]
    var nextNumber = 0
    var isFinished = false
  }

  private let listeners = Guarded(Listeners())
  /// The topics that have a listener.
  private let topics: Atomic<UInt8>
  private let hasStreams = Atomic<Bool>(false)
  private let observers: [LifecycleObserver]
  private let elapsed: @Sendable () -> Duration
  private let log: Logger

  /// Creates a hub.
  ///
  /// - Parameters:
  ///   - clock: Times the events.
  ///   - observers: Are told of each event of their topics where it happens.
  ///   - log: Gets the diagnostics.
  init(clock: any Clock<Duration>, observers: [LifecycleObserver], log: Logger) {
    elapsed = clock.stopwatch()
    self.log = log
    self.observers = observers
    topics = Atomic(Self.topics(of: observers).rawValue)
  }

  private static func topics(of observers: [LifecycleObserver]) -> LifecycleEvent.Topics {
    observers.reduce([]) { $0.union($1.topics) }
  }

  /// Whether a topic has a listener.
  @inline(__always)
  func isHeard(_ topic: LifecycleEvent.Topics) -> Bool {
    topics.load(ordering: .relaxed) & topic.rawValue != 0
  }

  /// Reports an event if its topic has a listener.
  ///
  /// - Parameters:
  ///   - session: The session, or nil if it is about the application.
  ///   - kind: What happened.
  ///   - topic: The event's topic, by which is known without the event whether anybody listens.
  @inline(__always)
  func report(
    _ session: SessionIdentifier?, _ kind: @autoclosure () -> LifecycleEvent.Kind,
    on topic: LifecycleEvent.Topics = .lives
  ) {
    guard isHeard(topic) else { return }
    send(topic, session, kind())
  }

  /// Logs and reports something that surprises people.
  func diagnose(_ diagnostic: Diagnostic, _ session: SessionIdentifier?) {
    diagnostic.log(session, to: log)
    report(session, .diagnosed(diagnostic))
  }

  /// Begins a stream that keeps the newest events of a listener that is behind.
  func stream(limit: Int) -> AsyncStream<LifecycleEvent> {
    AsyncStream(bufferingPolicy: .bufferingNewest(max(limit, 1))) { continuation in
      let number: Int? = listeners.withLock { listeners in
        guard !listeners.isFinished else { return nil }
        listeners.nextNumber += 1
        listeners.continuations[listeners.nextNumber] = continuation
        // Under the lock, so that the last listener's end cannot undo it.
        setHasStreams(true)
        return listeners.nextNumber
      }
      guard let number else { return continuation.finish() }
      continuation.onTermination = { [weak self] _ in self?.remove(number) }
    }
  }

  /// Ends all streams, those that are yet to begin included.
  func finish() {
    let all = listeners.withLock { listeners in
      defer { listeners.continuations = [:] }
      listeners.isFinished = true
      setHasStreams(false)
      return listeners.continuations
    }
    for continuation in all.values { continuation.finish() }
  }

  private func remove(_ number: Int) {
    // The continuation is let go of outside the lock: its end may call this function again.
    let gone = listeners.withLock { listeners in
      let gone = listeners.continuations.removeValue(forKey: number)
      if listeners.continuations.isEmpty { setHasStreams(false) }
      return gone
    }
    gone?.finish()
  }

  /// Under the lock of the listeners.
  private func setHasStreams(_ hasStreams: Bool) {
    self.hasStreams.store(hasStreams, ordering: .relaxed)
    let topics = hasStreams ? .all : Self.topics(of: observers)
    self.topics.store(topics.rawValue, ordering: .relaxed)
  }

  private func send(
    _ topic: LifecycleEvent.Topics, _ session: SessionIdentifier?, _ kind: LifecycleEvent.Kind
  ) {
    assert(kind.topic == topic, "\(kind) is reported as another topic")
    let event = LifecycleEvent(session: session, kind: kind, time: elapsed())
    for observer in observers where observer.topics.contains(topic) { observer.see(event) }
    // With observers alone, as in most programs, there is no lock to share.
    guard hasStreams.load(ordering: .relaxed) else { return }
    let all = listeners.withLock { Array($0.continuations.values) }
    for continuation in all { continuation.yield(event) }
  }
}
