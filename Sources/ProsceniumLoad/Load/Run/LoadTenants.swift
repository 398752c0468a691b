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

  /// As many as threads that are likely to meet.
  private static let stripes = 64

  /// How many places there are.
  let count: Int
  /// The places that have the same remainder.
  private let tenants: [GuardedCell<PagedArray<Tenant>>]
  private let places: Guarded<[SessionIdentifier: Int]>

  init(_ sessions: [SessionIdentifier]) {
    count = sessions.count
    tenants = (0..<Self.stripes).map { stripe in
      var tenants = PagedArray<Tenant>()
      for place in stride(from: stripe, to: sessions.count, by: Self.stripes) {
        tenants.append(Tenant(session: sessions[place], generation: 0))
      }
      return GuardedCell(tenants)
    }
    places = Guarded(
      Dictionary(uniqueKeysWithValues: sessions.enumerated().map { ($1, $0) }))
  }

  /// Who is in a place.
  subscript(_ place: Int) -> Tenant {
    tenants[place % Self.stripes].withLock { $0[place / Self.stripes] }
  }

  /// Asks the processor to fetch who is in a place.
  func prefetch(_ place: Int) {
    tenants[place % Self.stripes].withLock { $0.prefetch(place / Self.stripes) }
  }

  /// The place of a session that ends, which is free then.
  func leave(_ session: SessionIdentifier) -> Int? {
    places.withLock { $0.removeValue(forKey: session) }
  }

  /// Gives a place to a new session.
  func move(_ session: SessionIdentifier, into place: Int) {
    places.withLock { $0[session] = place }
    tenants[place % Self.stripes].withLock { tenants in
      let last = tenants[place / Self.stripes]
      tenants[place / Self.stripes] = Tenant(session: session, generation: last.generation + 1)
    }
  }
}
