// SPDX-License-Identifier: Apache-2.0

package import Proscenium

extension PolicyTrace {
  /// Counts the events that find the scene of their session connected.
  ///
  /// An event to a session without a scene connects one; one scene too many is disconnected right
  /// after the event, and it may be that one.
  ///
  /// - Parameters:
  ///   - orders: Makes the order in which scenes are disconnected.
  ///   - scenes: How many scenes stay connected, 1 or more.
  ///   - seed: The seed of the order.
  /// - Returns: The number of hits; every other event had to connect its session.
  package func hits(of orders: DisconnectionOrders, scenes: Int, seed: UInt64 = 1) -> Int {
    hits(orders.makeOrder(capacity: scenes, seed: seed), scenes: scenes)
  }

  // Generic, so that what is opened once is not opened for each event.
  private func hits(_ order: some DisconnectionOrder, scenes: Int) -> Int {
    var order = order
    var connected = ConnectedSessions(sessionCount: sessionCount)
    var hits = 0
    var nextDiscard = 0
    for (index, session) in events.enumerated() {
      while nextDiscard < discards.count, discards[nextDiscard].event == index {
        if let key = connected.remove(session: discards[nextDiscard].session) {
          order.didDiscard(key)
        }
        nextDiscard += 1
      }
      if let key = connected.key(of: session) {
        order.didUse(key)
        hits += 1
        continue
      }
      order.didConnect(connected.insert(session), session: session)
      while connected.count > scenes, let key = order.first(sparing: { _ in false }) {
        connected.remove(key: key)
        order.didDisconnect(key)
      }
    }
    return hits
  }
}

/// Gives dense keys to sessions while they are connected.
private struct ConnectedSessions {
  private static let none = UInt32.max

  private var keys: [UInt32]
  private var sessions: [UInt32] = []
  private var free: [UInt32] = []

  init(sessionCount: Int) {
    keys = Array(repeating: Self.none, count: sessionCount)
  }

  var count: Int { sessions.count - free.count }

  func key(of session: UInt32) -> UInt32? {
    let key = keys[Int(session)]
    return key == Self.none ? nil : key
  }

  mutating func insert(_ session: UInt32) -> UInt32 {
    let key = free.popLast() ?? UInt32(sessions.count)
    if Int(key) == sessions.count { sessions.append(session) }
    sessions[Int(key)] = session
    keys[Int(session)] = key
    return key
  }

  mutating func remove(key: UInt32) {
    keys[Int(sessions[Int(key)])] = Self.none
    free.append(key)
  }

  mutating func remove(session: UInt32) -> UInt32? {
    guard let key = key(of: session) else { return nil }
    remove(key: key)
    return key
  }
}
