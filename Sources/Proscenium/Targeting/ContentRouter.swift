// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import ProsceniumPredicate
import Synchronization

/// The conditions and standings of all open sessions, and who gets the content of an identifier.
///
/// Any number of threads decide at the same time; as a rule they take no lock and wait for nobody.
/// Changes take a lock among themselves and are short. A decision costs the same for ten sessions
/// as for a million, but for the misses of the processor's cache: sessions are found by what their
/// predicates need, and where many match, the best one is at hand. Only predicates that have no
/// text to go by are evaluated one by one (``RoutingPlan``).
package final class ContentRouter: Sendable {
  /// What a decision came to.
  package struct Choice: Sendable, Hashable {
    package let rule: RoutingRule
    /// The session, or nil for a new one.
    package let session: SessionHandle?

    package init(_ rule: RoutingRule, _ session: SessionHandle?) {
      self.rule = rule
      self.session = session
    }
  }

  /// The longest identifier in UTF-8 bytes.
  package static let identifierByteLimit = 8_192

  let rules: RoutingRules
  let shardBits: Int
  let identifier: @Sendable (SessionHandle) -> SessionIdentifier
  let standings: StandingTable
  let roles = RoleIndexes()
  let periods = GracePeriods()
  let openCount = Apart(Atomic<Int>(0))
  let residual = Atomic<Int>(0)
  /// How often a session stood by its old and its new conditions at once.
  let conditionChanges = Atomic<Int>(0)
  let changes = Apart(guarding: Changes())

  /// What is needed to change the index.
  struct Changes: Sendable {
    var pages = StandingTable.Pages()
    var can = MembershipTable()
    var prefers = MembershipTable()
    var retired = RetiredList<UInt>()
    var retiredHandles = RetiredList<SessionHandle>()
  }

  /// Creates a router without sessions.
  ///
  /// - Parameters:
  ///   - rules: What a decision may come to.
  ///   - shardBits: How many of a handle's bits are its shard's.
  ///   - identifier: Finds a session's identifier, for ties that nothing else breaks.
  package init(
    rules: RoutingRules = RoutingRules(), shardBits: Int = 0,
    identifier: @escaping @Sendable (SessionHandle) -> SessionIdentifier
  ) {
    self.rules = rules
    self.shardBits = shardBits
    self.identifier = identifier
    standings = StandingTable(shardBits: shardBits)
  }

  deinit {
    changes.withLock { changes in
      changes.retired.removeAll { Address<UInt8>(bits: $0).free() }
    }
  }
}
