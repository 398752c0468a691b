// SPDX-License-Identifier: Apache-2.0

import CoreMetrics

/// Counts lifecycle events in the program's metrics.
final class LifecycleMetrics: Sendable {
  /// What is counted.
  static let topics: LifecycleEvent.Topics = [.lives, .captures, .routing]

  private let factory: any MetricsFactory
  private let scenes: Meter
  private let newScenes: Counter
  private let knownScenes: Counter
  private let disconnects: [LifecycleEvent.Reason.Name: Counter]
  private let discards: [LifecycleEvent.Reason.Name: Counter]
  private let departures: [LifecycleEvent.Reason.Name: Counter]
  private let changedStates: Counter
  private let sameStates: Counter
  private let wakes: Counter
  private let routes: [RoutingRule: Counter]

  /// Creates counters; nil for a program without metrics, which needs no listener.
  init?(_ factory: any MetricsFactory) {
    if factory is NOOPMetricsHandler { return nil }
    func counter(_ name: String, _ dimension: (String, String)? = nil) -> Counter {
      Counter(
        label: "proscenium_\(name)", dimensions: dimension.map { [$0] } ?? [], factory: factory)
    }
    func counters<Key: Hashable & CaseIterable & RawRepresentable<String>>(
      _ name: String, _ dimension: String
    ) -> [Key: Counter] {
      Dictionary(
        uniqueKeysWithValues: Key.allCases.map { ($0, counter(name, (dimension, $0.rawValue))) })
    }
    self.factory = factory
    scenes = Meter(label: "proscenium_scenes", factory: factory)
    scenes.set(0)
    newScenes = counter("connects", ("session", "new"))
    knownScenes = counter("connects", ("session", "known"))
    disconnects = counters("disconnects", "reason")
    discards = counters("discards", "reason")
    departures = counters("departures", "reason")
    changedStates = counter("captures", ("state", "changed"))
    sameStates = counter("captures", ("state", "same"))
    wakes = counter("wakes")
    routes = counters("routed_events", "rule")
  }

  /// Takes note of an event.
  func see(_ event: LifecycleEvent) {
    switch event.kind {
    case .connected(let isNew):
      (isNew ? newScenes : knownScenes).increment()
      scenes.increment()
    case .disconnected(let reason):
      disconnects[reason.name]?.increment()
      scenes.decrement()
    case .discarded(let reason): discards[reason.name]?.increment()
    case .left(let reason): departures[reason.name]?.increment()
    case .captured(let isChanged): (isChanged ? changedStates : sameStates).increment()
    case .routed(let decision): routes[decision.rule]?.increment()
    case .woken: wakes.increment()
    case .lost(let loss): count("lost", "kind", loss.name)
    case .failed(let error): count("errors", "code", "\(error.code)")
    case .diagnosed(let diagnostic): count("diagnostics", "kind", diagnostic.name)
    case .configured, .notification, .applicationNotification, .transition, .snapshotTaken,
      .settledInBackground:
      break
    }
  }

  /// Counts what is rare.
  private func count(_ name: String, _ dimension: String, _ value: String) {
    Counter(label: "proscenium_\(name)", dimensions: [(dimension, value)], factory: factory)
      .increment()
  }
}
