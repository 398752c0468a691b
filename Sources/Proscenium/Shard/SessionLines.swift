// SPDX-License-Identifier: Apache-2.0

/// The lines of those sessions of a shard that have clients, by slot.
///
/// A session without clients has none, and takes no place here.
struct SessionLines {
  private var lines: [Int32: SessionLine] = [:]
  /// How many there were in this run: no two of them have frames of the same number.
  private var count: UInt64 = 0

  /// The sessions that have lines.
  var slots: [Int32] { Array(lines.keys) }

  subscript(slot: Int32) -> SessionLine? { lines.isEmpty ? nil : lines[slot] }

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
    if let line = lines[slot] { return line }
    count += 1
    let line = SessionLine(session, epoch: UInt64(epoch) << 32 | count, rules)
    lines[slot] = line
    return line
  }

  /// Ends the lines of a session, if it has some.
  mutating func end(_ slot: Int32, _ reason: LineEnd) {
    if lines.isEmpty { return }
    lines.removeValue(forKey: slot)?.change { $0.endAll(reason) }
  }

  /// Ends all lines.
  mutating func endAll(_ reason: LineEnd) {
    for slot in lines.keys.sorted() { end(slot, reason) }
  }
}
