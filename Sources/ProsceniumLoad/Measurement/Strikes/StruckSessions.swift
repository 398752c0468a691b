// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Proscenium

/// The sessions that are struck: a fixed number of places, in each of which a session follows
/// another when that is discarded.
final class StruckSessions: Sendable {
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

  var count: Int { tenants.count }

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

/// What one sender has sent: how many messages to the session of each place.
struct SentEvents: Sendable {
  let sender: Int
  private var numbers: [UInt32]
  private var generations: [UInt32]
  /// Messages that were accepted.
  private(set) var accepted = 0

  init(sender: Int, places: Int) {
    self.sender = sender
    numbers = [UInt32](repeating: 0, count: places)
    generations = numbers
  }

  /// How many messages the session of a place should have had.
  func count(_ place: Int, _ generation: UInt32) -> UInt32 {
    generations[place] == generation ? numbers[place] : 0
  }

  /// Sends one message.
  mutating func send(
    to place: Int, of sessions: StruckSessions, by application: Application, at time: UInt64
  ) async throws(SceneError) {
    let tenant = sessions[place]
    if generations[place] != tenant.generation {
      (generations[place], numbers[place]) = (tenant.generation, 0)
    }
    let event = CountedEvent(sender: sender, number: numbers[place] + 1, time: time)
    do throws(SceneError) {
      try await application.sendAwaitingRoom(event.message, to: tenant.session)
      numbers[place] += 1
      accepted += 1
    } catch {
      // It was discarded, and the next one moves in.
      guard error.code == .requestDenied else { throw error }
    }
  }
}
