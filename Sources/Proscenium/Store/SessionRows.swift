// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

/// The rows of a store in memory: 32 bytes each, in pages, found through a table of handles.
struct SessionRows: Sendable {
  /// What few sessions of a large program have.
  private struct Contents: Sendable {
    var details = SessionDetails.none
    var state: [UInt8]?
    var isDiscarded = false

    var isEmpty: Bool { details.isIdentical(to: .none) && state == nil && !isDiscarded }
  }

  private final class Box: Sendable {
    let contents: Contents

    init(_ contents: Contents) {
      self.contents = contents
    }
  }

  private struct Row: Sendable {
    let identifier: SessionIdentifier
    private var box: Box?
    /// The activation counter in the upper 48 bits, the configuration's number in the lower 16.
    private var numbers: UInt64 = 0

    init(_ identifier: SessionIdentifier) {
      self.identifier = identifier
    }

    var contents: Contents {
      get { box?.contents ?? Contents() }
      set { box = newValue.isEmpty ? nil : Box(newValue) }
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
  private let catalog = ConfigurationCatalog(SceneManifest([]))

  /// All rows, by identifier.
  var all: [SessionRow] {
    (0..<rows.count).compactMap { rows[$0] }
      .sorted { $0.identifier < $1.identifier }
      .map { row in
        var stored = SessionRow(
          row.identifier, StoredConfiguration(catalog.configuration(row.configuration)),
          lastActivated: row.lastActivated, details: row.contents.details)
        stored.hasSavedState = row.contents.state != nil
        stored.isDiscarded = row.contents.isDiscarded
        return stored
      }
  }

  /// The encoded saved state of a session.
  func state(of session: SessionIdentifier) -> [UInt8]? {
    find(session).flatMap { rows[$0]?.contents.state }
  }

  mutating func markDiscarded(_ identifier: SessionIdentifier) {
    guard let index = find(identifier) else { return }
    rows[index]?.contents.isDiscarded = true
  }

  mutating func apply(_ change: StoreChange) {
    if case .insert(let row) = change.kind { return insert(row) }
    guard let index = find(change.session) else { return }
    switch change.kind {
    case .insert: break
    case .update(let row):
      let number = number(row.configuration)
      rows[index]?.configuration = number
      rows[index]?.contents.details = row.details
    case .activate(let counter): rows[index]?.lastActivated = counter
    case .save(let state): rows[index]?.contents.state = state
    case .remove: remove(change.session, index)
    }
  }

  private func find(_ identifier: SessionIdentifier) -> Int? {
    table.find(identifier.spread) { rows[Int($0)]?.identifier == identifier }
      .map { Int($0) }
  }

  private mutating func insert(_ row: SessionRow) {
    let identifier = row.persistentIdentifier
    var new = Row(identifier)
    new.configuration = number(row.configuration)
    new.lastActivated = row.lastActivated
    new.contents.details = row.details
    if let index = find(identifier) {
      rows[index] = new
    } else if let index = free.popLast() {
      rows[Int(index)] = new
      table.insert(index, identifier.spread)
    } else {
      rows.append(new)
      table.insert(UInt32(rows.count - 1), identifier.spread)
    }
  }

  /// The catalog refuses the 65,536th configuration; a row beyond it keeps the first one's number.
  private func number(_ configuration: StoredConfiguration) -> UInt16 {
    (try? catalog.index(of: configuration.configuration)) ?? 0
  }

  private mutating func remove(_ identifier: SessionIdentifier, _ index: Int) {
    rows[index] = nil
    table.remove(UInt32(index), identifier.spread)
    free.append(UInt32(index))
  }
}
