// SPDX-License-Identifier: Apache-2.0

/// What made one session the first among several that could get an event (R-RT-6).
public enum RoutingTieBreak: String, Sendable, Hashable, CaseIterable {
  /// There was no other candidate.
  case onlyCandidate
  /// The event came from the session itself.
  case source
  /// Its state: active before inactive before background before archived.
  case state
  /// It was active later than the others in the same state.
  case activation
  /// Its identifier is the smallest; nothing else told the candidates apart.
  case identifier
}
