// SPDX-License-Identifier: Apache-2.0

public import Proscenium
import ProsceniumPrimitives
import Synchronization

/// The last lifecycle events of an application, as the page lists them.
///
/// The program gives ``record(_:)`` the events, as the observer of its application or from its own:
/// ```swift
/// settings.observer = { event in events.record(event) }
/// ```
/// Memory and work are bounded, whatever happens: of each second it keeps the first ones, and
/// counts the rest.
public final class DashboardEvents: Sendable {
  private struct State: Sendable {
    var lines: [EventLine] = []
    /// The index of the oldest line, once the list is full.
    var oldest = 0
    var second: Int64 = -1
    var keptOfSecond = 0
  }

  private let limit: Int
  private let state = Guarded(State())
  /// The second of which no more is kept.
  private let fullSecond = Atomic<Int64>(-1)
  private let others = Atomic<Int>(0)

  /// Creates a list without events.
  ///
  /// - Parameter limit: How many events are kept, and how many of one second at most: 1 to 500.
  public init(limit: Int = 50) {
    self.limit = min(max(limit, 1), 500)
  }

  /// Takes note of an event.
  ///
  /// It never waits for the page, and can be called from any thread. Connections, transitions,
  /// disconnects, discards, wakes, losses and failures are listed; the rest is counted.
  public func record(_ event: LifecycleEvent) {
    let second = event.time.components.seconds
    guard second != fullSecond.load(ordering: .relaxed), let line = EventLine(event) else {
      others.wrappingAdd(1, ordering: .relaxed)
      return
    }
    let isKept = state.withLock { state in
      if second != state.second {
        state.second = second
        state.keptOfSecond = 0
      }
      guard state.keptOfSecond < limit else { return false }
      state.keptOfSecond += 1
      if state.keptOfSecond == limit { fullSecond.store(second, ordering: .relaxed) }
      if state.lines.count < limit {
        state.lines.append(line)
      } else {
        state.lines[state.oldest] = line
        state.oldest = (state.oldest + 1) % limit
      }
      return true
    }
    if !isKept { others.wrappingAdd(1, ordering: .relaxed) }
  }

  /// How many events were counted and not kept.
  public var unlisted: Int { others.load(ordering: .relaxed) }

  /// The events that are kept, the newest first.
  var newestFirst: [EventLine] {
    state.withLock { Array(($0.lines[$0.oldest...] + $0.lines[..<$0.oldest]).reversed()) }
  }
}

/// A lifecycle event as the page lists it: when, about whom, and what in a few words.
struct EventLine: Sendable, Equatable {
  let time: Duration
  let session: SessionIdentifier?
  let text: String

  /// Creates the line of an event, or nil for one that is not listed.
  init?(_ event: LifecycleEvent) {
    guard let text = Self.text(event.kind) else { return nil }
    self.text = text
    session = event.session
    time = event.time
  }

  private static func text(_ kind: LifecycleEvent.Kind) -> String? {
    switch kind {
    case .connected(let isNew): isNew ? "connected, a new session" : "connected again"
    case .transition(let old, let new): "\(word(old)) → \(word(new))"
    case .disconnected(let reason): "disconnected: \(word(reason))"
    case .discarded(let reason): "discarded: \(word(reason))"
    case .left(let reason): "left: \(word(reason))"
    case .woken: "woken"
    case .lost: "something that was accepted for it is lost"
    case .failed(let error): "a request failed: \(error.code.description)"
    case .applicationNotification(let notification): "application: \(notification.rawValue)"
    case .configured, .notification, .captured, .snapshotTaken, .settledInBackground, .routed,
      .diagnosed:
      nil
    }
  }

  private static func word(_ state: Scene.ActivationState) -> String {
    switch state {
    case .unattached: "unattached"
    case .foregroundActive: "active"
    case .foregroundInactive: "inactive"
    case .background: "background"
    }
  }

  private static func word(_ reason: LifecycleEvent.Reason) -> String {
    switch reason {
    case .dismissed: "closed"
    case .system: "by the system"
    case .pressure: "pressure"
    case .idle: "idle"
    case .restorationTimedOut: "its restoration took too long"
    case .termination: "the application ended"
    case .whileNotRunning: "while the application was not running"
    case .unresolvableConfiguration: "nothing makes its scene any more"
    case .destructionCondition: "a destruction condition"
    case .expired: "not used for too long"
    case .handedOver: "another node serves it"
    case .fenced: "another node has taken it over"
    }
  }
}
