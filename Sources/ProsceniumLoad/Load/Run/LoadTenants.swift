// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPrimitives

/// The sessions of a load test: a fixed number of places, in each of which a session follows
/// another one that was discarded.
final class LoadTenants: Sendable {
  /// A session in its place.
  struct Tenant: Sendable {
    var session: SessionIdentifier
    /// The number of the session among those of its place.
    var generation: UInt32
  }

  private let tenants: [GuardedCell<Tenant>]
  private let places: Guarded<[SessionIdentifier: Int]>

  init(_ sessions: [SessionIdentifier]) {
    tenants = sessions.map { GuardedCell(Tenant(session: $0, generation: 0)) }
    places = Guarded(
      Dictionary(uniqueKeysWithValues: sessions.enumerated().map { ($1, $0) }))
  }

  /// How many places there are.
  var count: Int { tenants.count }

  /// Who is in a place.
  subscript(_ place: Int) -> Tenant { tenants[place].withLock { $0 } }

  /// The place of a session that ends, which is free then.
  func leave(_ session: SessionIdentifier) -> Int? {
    places.withLock { $0.removeValue(forKey: session) }
  }

  /// Gives a place to a new session.
  func move(_ session: SessionIdentifier, into place: Int) {
    places.withLock { $0[session] = place }
    tenants[place].withLock { tenant in
      tenant = Tenant(session: session, generation: tenant.generation + 1)
    }
  }
}
