// SPDX-License-Identifier: Apache-2.0

/// The lines of those sessions of a shard that have clients, by slot.
///
/// A session without clients has none, and takes no place here.
struct SessionLines {
  private var lines: [Int32: SessionLine] = [:]
  /// How many there were in this run: no two of them have frames of the same number.
  private var count: UInt64 = 0
  /// The lines of all shards, if sessions come from other processes and go to them.
  private let moving: MovingLines?

  init(_ moving: MovingLines?) {
    self.moving = moving
  }

  /// The sessions that have lines.
  var slots: [Int32] { Array(lines.keys) }

  subscript(slot: Int32) -> SessionLine? { lines.isEmpty ? nil : lines[slot] }

  /// The lines of a session that has some, or has brought some from another process.
  mutating func take(_ slot: Int32, of session: SessionIdentifier) -> SessionLine? {
    if let line = self[slot] { return line }
    guard let line = moving?.takeArrived(session) else { return nil }
    lines[slot] = line
    return line
  }

  /// The lines of a session, made if it has none yet.
  ///
  /// - Parameters:
  ///   - slot: The session's.
  ///   - session: The session.
  ///   - epoch: The store's.
  ///   - rules: How the session treats its clients.
  /// - Returns: The lines.
  mutating func find(
    _ slot: Int32, of session: SessionIdentifier, epoch: UInt32, _ rules: ClientRules
  ) -> SessionLine {
    if let line = take(slot, of: session) { return line }
    count += 1
    let line = SessionLine(session, epoch: UInt64(epoch) << 32 | count, rules)
    lines[slot] = line
    moving?.enter(line)
    return line
  }

  /// Ends the lines of a session, if it has some.
  mutating func end(_ slot: Int32, of session: SessionIdentifier, _ reason: LineEnd) {
    guard let line = take(slot, of: session) else { return }
    lines[slot] = nil
    moving?.leave(line)
    line.change { $0.endAll(reason) }
  }

  /// Lets the lines of a session go that another process serves from here on: they end here if the
  /// session was not handed over.
  mutating func depart(_ slot: Int32, of session: SessionIdentifier, endsHere: Bool) {
    if endsHere || moving == nil { return end(slot, of: session, .moved(address: nil)) }
    // They are told of it when the session has gone.
    if !lines.isEmpty { lines[slot] = nil }
  }

  /// Ends all lines.
  mutating func endAll(_ reason: LineEnd) {
    for (slot, line) in lines.sorted(by: { $0.key < $1.key }) {
      end(slot, of: line.session, reason)
    }
  }
}
