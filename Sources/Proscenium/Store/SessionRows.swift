// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

/// The rows of a store in memory.
///
/// A dictionary would leave up to three fifths of its places empty.
struct SessionRows: Sendable {
  /// What few sessions of a large program have.
  private final class Contents: Sendable {
    let details: SessionDetails
    let state: [UInt8]?
    let isDiscarded: Bool

    init(_ details: SessionDetails, _ state: [UInt8]?, _ isDiscarded: Bool) {
      self.details = details
      self.state = state
      self.isDiscarded = isDiscarded
    }
  }

  private struct Row: Sendable {
    let session: SessionIdentifier
    private var contents: Contents?
    /// The activation counter in the upper 48 bits, the configuration's number in the lower 16.
    private var numbers: UInt64 = 0

    init(_ session: SessionIdentifier) {
      self.session = session
    }

    var configuration: UInt16 {
      get { UInt16(truncatingIfNeeded: numbers) }
      set { numbers = numbers & ~0xFFFF | UInt64(newValue) }
    }

    var lastActivated: UInt64 {
      get { numbers >> 16 }
      set { numbers = newValue << 16 | UInt64(configuration) }
    }

    var details: SessionDetails {
      get { contents?.details ?? .none }
      set { set(newValue, state, isDiscarded) }
    }

    var state: [UInt8]? {
      get { contents?.state }
      set { set(details, newValue, isDiscarded) }
    }

    var isDiscarded: Bool {
      get { contents?.isDiscarded ?? false }
      set { set(details, state, newValue) }
    }

    private mutating func set(_ details: SessionDetails, _ state: [UInt8]?, _ isDiscarded: Bool) {
      let isEmpty = details.isIdentical(to: .none) && state == nil && !isDiscarded
      contents = isEmpty ? nil : Contents(details, state, isDiscarded)
    }
  }

  private var rows = PagedArray<Row?>()
  private var places = HandleTable()
  private var freePlaces: [UInt32] = []
  private var configurations: [StoredConfiguration] = []
  private var numbers: [StoredConfiguration: UInt16] = [:]

  /// All rows, by identifier.
  var all: [SessionRow] {
    let kept = (0..<rows.count).compactMap { rows[$0] }
    return kept.sorted { $0.session < $1.session }.map { row in
      var stored = SessionRow(
        row.session, configurations[Int(row.configuration)], lastActivated: row.lastActivated,
        details: row.details)
      stored.hasSavedState = row.state != nil
      stored.isDiscarded = row.isDiscarded
      return stored
    }
  }

  /// The encoded saved state of a session.
  func state(of session: SessionIdentifier) -> [UInt8]? {
    place(of: session).flatMap { rows[$0]?.state }
  }

  mutating func markDiscarded(_ identifier: SessionIdentifier) {
    change(identifier) { $0.isDiscarded = true }
  }

  mutating func apply(_ change: StoreChange) {
    switch change.kind {
    case .insert(let stored):
      var row = Row(change.session)
      row.configuration = number(stored.configuration)
      row.lastActivated = stored.lastActivated
      row.details = stored.details
      put(row)
    case .update(let stored):
      let number = number(stored.configuration)
      self.change(change.session) { row in
        row.configuration = number
        row.details = stored.details
      }
    case .activate(let counter): self.change(change.session) { $0.lastActivated = counter }
    case .save(let state): self.change(change.session) { $0.state = state }
    case .remove: remove(change.session)
    }
  }

  // MARK: - Places

  private func place(of session: SessionIdentifier) -> Int? {
    places.find(session.spread) { rows[Int($0)]?.session == session }.map(Int.init)
  }

  private mutating func change(_ session: SessionIdentifier, _ body: (inout Row) -> Void) {
    guard let place = place(of: session), var row = rows[place] else { return }
    rows[place] = nil
    body(&row)
    rows[place] = row
  }

  private mutating func put(_ row: Row) {
    if let place = place(of: row.session) {
      rows[place] = row
      return
    }
    let place = freePlaces.popLast() ?? UInt32(rows.count)
    if Int(place) == rows.count { rows.append(row) } else { rows[Int(place)] = row }
    places.insert(place, row.session.spread)
  }

  private mutating func remove(_ session: SessionIdentifier) {
    guard let place = place(of: session) else { return }
    rows[place] = nil
    places.remove(UInt32(place), session.spread)
    freePlaces.append(UInt32(place))
  }

  /// The number of a configuration; the 65,537th and those behind it get the first one's.
  private mutating func number(_ configuration: StoredConfiguration) -> UInt16 {
    if let number = numbers[configuration] { return number }
    guard let number = UInt16(exactly: configurations.count) else { return 0 }
    configurations.append(configuration)
    numbers[configuration] = number
    return number
  }
}
