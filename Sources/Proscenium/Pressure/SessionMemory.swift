// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

/// Remembers sessions that were disconnected, the last ones up to a limit.
///
/// A ring of their bits with a table to find them. A session that is taken out leaves a hole, which
/// counts until its turn comes. Up to 27 bytes for each of the limit, which is at most 16,777,216.
struct SessionMemory: Sendable {
  private static let mostSessions = 1 << 24

  private var ring: ContiguousArray<UInt32> = []
  /// The place of each session in the ring.
  private var places = HandleTable()
  /// The place of the oldest one, once the ring is full.
  private var next = 0

  /// How many sessions are remembered, 1 or more; lowering it forgets the oldest ones.
  var limit: Int {
    didSet { if limit != oldValue { rebuild() } }
  }

  /// Creates an empty memory.
  init(limit: Int) { self.limit = limit }

  private var most: Int { min(max(limit, 1), Self.mostSessions) }

  /// Remembers a session, in the place of the oldest one if there are too many.
  mutating func insert(_ session: UInt32) {
    guard place(of: session) == nil else { return }
    if ring.count < most {
      places.insert(UInt32(ring.count), Self.spread(session))
      ring.append(session)
    } else {
      // A hole has no entry in the table, so that nothing is removed.
      places.remove(UInt32(next), Self.spread(ring[next]))
      places.insert(UInt32(next), Self.spread(session))
      ring[next] = session
      next = next + 1 == ring.count ? 0 : next + 1
    }
  }

  /// Forgets a session, and says whether it was remembered.
  mutating func remove(_ session: UInt32) -> Bool {
    guard let place = place(of: session) else { return false }
    places.remove(place, Self.spread(session))
    return true
  }

  /// Begins a ring of the new size with the newest sessions, in their order and without holes.
  private mutating func rebuild() {
    let inOrder = Array(next..<ring.count) + Array(0..<next)
    let kept = inOrder.filter { place(of: ring[$0]) == UInt32($0) }.suffix(most).map { ring[$0] }
    self = SessionMemory(limit: limit)
    places.reserve(kept.count)
    for session in kept { insert(session) }
  }

  private func place(of session: UInt32) -> UInt32? {
    places.find(Self.spread(session)) { ring[Int($0)] == session }
  }

  /// The table takes the place from the upper bits, and the callers' bits may be a mere count.
  private static func spread(_ session: UInt32) -> UInt64 {
    UInt64(session &* 0x9E37_79B1)
  }
}
