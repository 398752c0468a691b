// SPDX-License-Identifier: Apache-2.0

/// An event, and among which sessions its content is looked for.
package struct RoutedEvent: Sendable {
  package var event: SceneEvent
  /// The session in which the event arose; it is chosen among equals (R-RT-6).
  package var source: SessionIdentifier?
  /// The group whose sessions are candidates, or nil for all sessions.
  package var group: SceneGroup?
  package var scope: RoutingScope

  /// Creates an event that is routed.
  package init(
    _ event: SceneEvent, source: SessionIdentifier? = nil, group: SceneGroup? = nil,
    scope: RoutingScope = .all
  ) {
    self.event = event
    self.source = source
    self.group = group
    self.scope = scope
  }
}
