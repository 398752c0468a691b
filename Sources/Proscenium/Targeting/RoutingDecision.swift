// SPDX-License-Identifier: Apache-2.0

/// Which session an event would go to, and by which rule (section 3.3 of the semantics).
public struct RoutingDecision: Sendable, Hashable {
  /// The rule that decided.
  public let rule: RoutingRule

  /// The session, or nil if a new one would be made.
  public let session: SessionIdentifier?
}
