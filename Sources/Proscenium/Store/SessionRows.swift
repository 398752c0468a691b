// SPDX-License-Identifier: Apache-2.0

/// The rows of a store in memory: 32 bytes each, in pages, found through a table of handles.
struct SessionRows: Sendable {
  private struct Row: Sendable {
    var identifier: SessionIdentifier
    var details: SessionDetails
    /// The activation counter in the upper 48 bits, the configuration's number in the lower 16.
    private var numbers: UInt64

    init(
      _ identifier: SessionIdentifier, _ details: SessionDetails, lastActivated: UInt64,
      configuration: UInt16
    ) {
      self.identifier = identifier
      self.details = details
      numbers = lastActivated << 16 | UInt64(configuration)
    }

    var configuration: UInt16 {
      get { UInt16(truncatingIfNeeded: numbers) }
      set { numbers = numbers & ~0xFFFF | UInt64(newValue) }
    }

    var lastActivated: UInt64 {
      get { numbers >> 16 }
      set { numbers = newValue << 16 | UInt64(configuration) }
    }
  }

  private var rows = PagedArray<Row?>()
  private var table = HandleTable()
  private var free: [UInt32] = []
  private var discarded: Set<SessionIdentifier> = []
  private let catalog = ConfigurationCatalog(SceneManifest([]))

  /// All rows, by identifier.
  var stored: [(session: StoredSession, isDiscarded: Bool)] {
    (0..<rows.count).compactMap { rows[$0] }
      .sorted { $0.identifier < $1.identifier }
      .map { (stored($0), discarded.contains($0.identifier)) }
  }

  mutating func put(_ session: StoredSession) {
    insert(
      session.persistentIdentifier, session.configuration, session.lastActivated, session.details)
  }

  mutating func markDiscarded(_ identifier: SessionIdentifier) {
    if find(identifier) != nil { discarded.insert(identifier) }
  }

  mutating func apply(_ change: SessionChange) {
    switch change.kind {
    case .insert(let configuration, let lastActivated, let details):
      insert(change.session, configuration, lastActivated, details)
    case .update(let details):
      if let index = find(change.session) { rows[index]?.details = details }
    case .activate(let counter):
      if let index = find(change.session) { rows[index]?.lastActivated = counter }
    case .configure(let configuration):
      let number = number(configuration)
      if let index = find(change.session) { rows[index]?.configuration = number }
    case .remove:
      remove(change.session)
    }
  }

  private func find(_ identifier: SessionIdentifier) -> Int? {
    table.find(identifier.spread) { rows[Int($0.rawValue)]?.identifier == identifier }
      .map { Int($0.rawValue) }
  }

  private mutating func insert(
    _ identifier: SessionIdentifier, _ configuration: SceneConfiguration,
    _ lastActivated: UInt64, _ details: SessionDetails
  ) {
    let row = Row(
      identifier, details, lastActivated: lastActivated, configuration: number(configuration))
    if let index = find(identifier) {
      rows[index] = row
    } else if let index = free.popLast() {
      rows[Int(index)] = row
      table.insert(SessionHandle(rawValue: index), identifier.spread)
    } else {
      rows.append(row)
      table.insert(SessionHandle(rawValue: UInt32(rows.count - 1)), identifier.spread)
    }
  }

  /// The catalog refuses the 65,536th configuration; a row beyond it keeps the first one's number.
  private func number(_ configuration: SceneConfiguration) -> UInt16 {
    (try? catalog.index(of: configuration)) ?? 0
  }

  private mutating func remove(_ identifier: SessionIdentifier) {
    discarded.remove(identifier)
    guard let index = find(identifier) else { return }
    rows[index] = nil
    table.remove(SessionHandle(rawValue: UInt32(index)), identifier.spread)
    free.append(UInt32(index))
  }

  private func stored(_ row: Row) -> StoredSession {
    StoredSession(
      row.identifier, catalog.configuration(row.configuration), lastActivated: row.lastActivated,
      row.details)
  }
}
