// SPDX-License-Identifier: Apache-2.0

public import ProsceniumPredicate

/// Why an event goes to the session that it goes to.
///
/// It shows the rule of section 3.3 that decided, the sessions among which it did, the best first,
/// what made the first one the first (R-RT-6), and for each the part of its predicate that matched.
/// Its ``description`` is the same as a text of a few lines.
///
/// `Name` is what sessions are called: ``SessionIdentifier`` in an application, and any text where
/// routing is tried without one. The smaller name wins the last tie.
public struct RoutingExplanation<
  Name: Sendable & Hashable & Comparable & CustomStringConvertible
>: Sendable, Hashable {
  /// The target content identifier, or nil if the event has none.
  public let identifier: String?

  /// The rule by which the session was found.
  public let rule: RoutingRule

  /// How many sessions the rule left to choose from; none for a new session.
  public let candidateCount: Int

  /// The first of the candidates, the chosen one at the front.
  public let candidates: [Candidate]

  /// What made the chosen session the first, or nil if none was chosen.
  public let decidedBy: RoutingTieBreak?

  /// The session that gets the event, or nil for a new one.
  public var session: Name? { candidates.first?.session }

  /// A session that the rule left to choose from.
  public struct Candidate: Sendable, Hashable {
    /// The session's name.
    public let session: Name

    /// Whether the event came from this session.
    public let isSource: Bool

    /// The predicate that matched, and how; nil where the rule asks for no predicate.
    public let match: Match?

    let standing: SessionStanding

    /// The state of the session's scene; ``Scene/ActivationState/unattached`` if it has none.
    public var state: SceneActivationState {
      switch standing.rank {
      case .active: .foregroundActive
      case .inactive: .foregroundInactive
      case .background: .background
      case .archived: .unattached
      }
    }

    /// The application's activation counter when the session became active last; 0 if never.
    public var lastActivated: UInt64 { standing.lastActivated }

    /// The name of the state as the tie-break has it, such as `archived`.
    package var stateName: String { "\(standing.rank)" }
  }

  /// A predicate that holds for the identifier.
  public struct Match: Sendable, Hashable {
    /// Which of the session's conditions the predicate is.
    public enum Condition: String, Sendable, Hashable {
      /// ``SceneActivationConditions/can``.
      case can
      /// ``SceneActivationConditions/prefers``.
      case prefers
    }

    /// Which of the session's conditions it is.
    public let condition: Condition

    /// The whole predicate.
    public let predicate: ContentPredicate

    /// The part that made it hold: of alternatives the first that does, else all of it.
    public let part: ContentPredicate
  }
}
