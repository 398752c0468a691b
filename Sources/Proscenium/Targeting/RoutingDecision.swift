// SPDX-License-Identifier: Apache-2.0

/// Which session an event would go to, and by which rule (semantics#routing-decision).
public struct RoutingDecision: Sendable, Hashable {
  /// The rule that decided.
  public let rule: RoutingRule

  /// The session, or nil if a new one would be made.
  public let session: SessionIdentifier?
}

/// The rule by which an event found its session (semantics#routing-decision).
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

/// Which sessions may get an event.
package enum RoutingScope: UInt8, Sendable, CaseIterable {
  /// Those of all rules, or a new one (semantics#routing-decision).
  case all
  /// Those that prefer the content or can show it, and no new one.
  case showing
  /// Those that prefer the content alone.
  case preferring
}

/// What the manifest and the host allow, as far as a routing decision asks for it.
package struct RoutingRules: Sendable {
  /// Whether there may be a second session (semantics#routing-decision).
  package var supportsMultipleScenes: Bool
  /// How many sessions of all roles may be open, or nil for no limit (rule 6).
  package var sessionQuota: Int?

  package init(supportsMultipleScenes: Bool = true, sessionQuota: Int? = nil) {
    self.supportsMultipleScenes = supportsMultipleScenes
    self.sessionQuota = sessionQuota
  }
}

/// Why the router does not decide.
package enum RoutingRefusal: Error, Sendable, CustomStringConvertible {
  /// The identifier has more UTF-8 bytes than ``ContentRouter/identifierByteLimit``.
  case identifierTooLong(byteCount: Int)
  /// There is a session already, and the manifest supports one only.
  case multipleScenesNotSupported
  /// As many sessions are open as the host allows.
  case sessionQuota(Int)

  /// The refusal as a part of a sentence.
  package var description: String {
    switch self {
    case .identifierTooLong(let byteCount):
      "a target content identifier has at most \(ContentRouter.identifierByteLimit) UTF-8 bytes, "
        + "this one has \(byteCount)"
    case .multipleScenesNotSupported:
      "the manifest does not support multiple scenes and a session is open"
    case .sessionQuota(let quota): "the host allows \(quota) open sessions"
    }
  }
}
