// SPDX-License-Identifier: Apache-2.0

package import ProsceniumPrimitives

// For programs that strike sessions by chance.
extension OpenSessions {
  /// Draws one of the sessions, or one that has a scene or is about to, without collecting them.
  ///
  /// It begins at a random place of a random shard and takes the first that fits, so that those
  /// behind a gap are drawn more often. Where few fit it may look at all sessions.
  ///
  /// - Parameters:
  ///   - isConnected: Whether it has to have a scene.
  ///   - random: What the places are drawn from.
  /// - Returns: The session, or nil if none fits.
  package func draw(
    isConnected: Bool, _ random: inout SplitMix64
  ) -> SessionIdentifier? {
    let first = random.number(below: core.directory.mailboxes.count)
    let draw = random.next()
    for turn in core.directory.mailboxes.indices {
      let mailbox = core.directory.mailboxes[(first + turn) % core.directory.mailboxes.count]
      if isConnected, mailbox.tally.connected == 0 { continue }
      if let session = mailbox.drawSession(isConnected: isConnected, draw) { return session }
    }
    return nil
  }
}

extension ShardMailbox {
  /// How many entries are looked at before others get the lock.
  private static let sliceLength = 256

  fileprivate func drawSession(isConnected: Bool, _ draw: UInt64) -> SessionIdentifier? {
    let count = state.withLock { $0.entries.count }
    let start = Int(draw.multipliedFullWidth(by: UInt64(count)).high)
    for begin in stride(from: 0, to: count, by: Self.sliceLength) {
      let found = state.withLock { state -> SessionIdentifier? in
        for offset in begin..<min(begin + Self.sliceLength, count) {
          let entry = state.entries[(start + offset) % count]
          if entry.flags[.isOpen], entry.flags[.isConnected] || !isConnected {
            return entry.identifier
          }
        }
        return nil
      }
      if let found { return found }
    }
    return nil
  }
}
