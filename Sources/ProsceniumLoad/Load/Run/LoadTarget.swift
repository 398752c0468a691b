// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// What senders send to: an application, or queues with nothing behind them.
protocol LoadTarget: Sendable {
  /// Accepts a message as soon as there is room for it.
  func accept(_ message: SceneMessage, for session: SessionIdentifier) async throws(SceneError)

  /// Accepts an event that is routed, or refuses it before it returns.
  func accept(_ event: SceneEvent, onFailure: @escaping @Sendable (SceneError) -> Void)

  /// Accepts a message, and waits until it is delivered.
  func finish(_ message: SceneMessage, for session: SessionIdentifier) async throws(SceneError)

  /// Accepts an event that is routed, and waits until it is delivered.
  func finish(_ event: SceneEvent) async throws(SceneError)
}

extension Application: LoadTarget {
  nonisolated func accept(
    _ message: SceneMessage, for session: SessionIdentifier
  ) async throws(SceneError) {
    try await sendWithBackpressure(message, to: session)
  }

  nonisolated func accept(
    _ event: SceneEvent, onFailure: @escaping @Sendable (SceneError) -> Void
  ) {
    submit(.deliver(event), onFailure: onFailure)
  }

  nonisolated func finish(
    _ message: SceneMessage, for session: SessionIdentifier
  ) async throws(SceneError) {
    _ = try await call(message, to: session)
  }

  nonisolated func finish(_ event: SceneEvent) async throws(SceneError) {
    try await deliver(event)
  }
}
