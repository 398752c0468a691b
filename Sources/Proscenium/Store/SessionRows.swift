// SPDX-License-Identifier: Apache-2.0

/// The rows of a store in memory.
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
    private var contents: Contents?
    /// The activation counter in the upper 48 bits, the configuration's number in the lower 16.
    private var numbers: UInt64 = 0

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

  private var rows: [SessionIdentifier: Row] = [:]
  private var configurations: [StoredConfiguration] = []
  private var numbers: [StoredConfiguration: UInt16] = [:]

  /// All rows, by identifier.
  var all: [SessionRow] {
    rows.sorted { $0.key < $1.key }.map { identifier, row in
      var stored = SessionRow(
        identifier, configurations[Int(row.configuration)], lastActivated: row.lastActivated,
        details: row.details)
      stored.hasSavedState = row.state != nil
      stored.isDiscarded = row.isDiscarded
      return stored
    }
  }

  /// The encoded saved state of a session.
  func state(of session: SessionIdentifier) -> [UInt8]? { rows[session]?.state }

  mutating func markDiscarded(_ identifier: SessionIdentifier) {
    rows[identifier]?.isDiscarded = true
  }

  mutating func apply(_ change: StoreChange) {
    switch change.kind {
    case .insert(let stored):
      var row = Row()
      row.configuration = number(stored.configuration)
      row.lastActivated = stored.lastActivated
      row.details = stored.details
      rows[change.session] = row
    case .update(let stored):
      let number = number(stored.configuration)
      rows[change.session]?.configuration = number
      rows[change.session]?.details = stored.details
    case .activate(let counter): rows[change.session]?.lastActivated = counter
    case .save(let state): rows[change.session]?.state = state
    case .remove: rows[change.session] = nil
    }
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
