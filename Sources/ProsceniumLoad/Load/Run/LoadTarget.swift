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

/// An application that is under load.
struct ApplicationTarget: LoadTarget {
  let application: Application

  func accept(
    _ message: SceneMessage, for session: SessionIdentifier
  ) async throws(SceneError) {
    try await application.sendWithBackpressure(message, to: session)
  }

  func accept(_ event: SceneEvent, onFailure: @escaping @Sendable (SceneError) -> Void) {
    application.submit(.deliver(event), onFailure: onFailure)
  }

  func finish(
    _ message: SceneMessage, for session: SessionIdentifier
  ) async throws(SceneError) {
    _ = try await application.call(message, to: session)
  }

  func finish(_ event: SceneEvent) async throws(SceneError) {
    try await application.deliver(event)
  }
}
