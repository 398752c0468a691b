// SPDX-License-Identifier: Apache-2.0

/// The rule of section 3.3 of the semantics by which an event found its session.
public enum RoutingRule: String, Sendable, Hashable, CaseIterable {
  /// Multiple scenes are not supported: the one session, whatever its conditions say (rule 1).
  case single
  /// There is no identifier: the session that was active last (rule 2).
  case recent
  /// The best of the sessions that prefer the content (rule 3).
  case prefers
  /// The best of the sessions that can show the content (rule 4).
  case can
  /// No session can: a new one (rule 5).
  case new
  /// No session can, and a new one is not possible: the session that was active last (rule 6).
  case forced
}
