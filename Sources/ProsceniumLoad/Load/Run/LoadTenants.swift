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

  private struct State: Sendable {
    var tenants: [Tenant]
    var places: [SessionIdentifier: Int]
  }

  /// How many places there are.
  let count: Int
  private let state: Guarded<State>

  init(_ sessions: [SessionIdentifier]) {
    count = sessions.count
    state = Guarded(
      State(
        tenants: sessions.map { Tenant(session: $0, generation: 0) },
        places: Dictionary(uniqueKeysWithValues: sessions.enumerated().map { ($1, $0) })))
  }

  /// Who is in a place.
  subscript(_ place: Int) -> Tenant { state.withLock { $0.tenants[place] } }

  /// The place of a session that ends, which is free then.
  func leave(_ session: SessionIdentifier) -> Int? {
    state.withLock { $0.places.removeValue(forKey: session) }
  }

  /// Gives a place to a new session.
  func move(_ session: SessionIdentifier, into place: Int) {
    state.withLock { state in
      state.places[session] = place
      state.tenants[place].session = session
      state.tenants[place].generation += 1
    }
  }
}

/// The places whose sessions were discarded, until new ones have moved in.
final class LoadVacancies: Sendable {
  private struct State: Sendable {
    var tenants: LoadTenants?
    var places: AsyncStream<Int>.Continuation?
    var lost = 0
  }

  private let state = Guarded(State())

  /// Begins to watch who leaves.
  ///
  /// - Parameter tenants: Whose sessions they are.
  /// - Returns: The places that become free, until ``close()`` is called.
  func open(_ tenants: LoadTenants) -> AsyncStream<Int> {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    state.withLock { $0 = State(tenants: tenants, places: continuation, lost: $0.lost) }
    return stream
  }

  /// Notes no more discards: ``fill(_:of:with:isOpen:)`` returns when it has filled the places.
  ///
  /// Discards that were requested must have been carried out.
  func close() {
    state.withLock { $0.places }?.finish()
  }

  /// Takes note of something that happened to the application.
  ///
  /// A place is free when its session is gone, and not before: while both are there, events of the
  /// one would be routed to the other.
  func see(_ event: LifecycleEvent) {
    guard case .discarded = event.kind, let session = event.session else { return }
    let (tenants, places) = state.withLock { ($0.tenants, $0.places) }
    if let place = tenants?.leave(session) { places?.yield(place) }
  }

  /// How many sessions were discarded before they had a place.
  var lostCount: Int { state.withLock { $0.lost } }

  /// Makes sessions for places that become free.
  func fill(
    _ places: AsyncStream<Int>, of tenants: LoadTenants,
    with make: (_ place: Int, _ generation: Int) async throws(SceneError) -> SessionIdentifier?,
    isOpen: (SessionIdentifier) -> Bool
  ) async throws(SceneError) {
    for await place in places {
      while true {
        let generation = Int(tenants[place].generation) + 1
        guard let session = try await make(place, generation) else {
          state.withLock { $0.lost += 1 }
          continue
        }
        tenants.move(session, into: place)
        // Before it had its place its end was not noticed.
        if isOpen(session) || tenants.leave(session) == nil { break }
      }
    }
  }
}
