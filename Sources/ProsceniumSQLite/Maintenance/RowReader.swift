// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPredicate

/// Reads the rows of sessions with everything that they refer to, and says what is wrong with them.
struct RowReader {
  private let connection: SQLiteConnection
  private var configurations: [Int64: StoredConfiguration] = [:]
  private var predicates = PredicateCache()
  private let activations: LoadedActivations

  /// What is wrong with the tables of configurations and activations.
  private(set) var damage: [StoreError] = []

  /// Reads the configurations and the activations.
  ///
  /// - Throws: What SQLite refuses, other than damage.
  init(_ connection: SQLiteConnection) throws(StoreError) {
    self.connection = connection
    var scan = try RowScan(
      ConfigurationRow.columns, of: "configuration", by: "number", on: connection)
    defer { scan.finalize() }
    var found: [Int64: StoredConfiguration] = [:]
    var damage: [StoreError] = []
    try scan.forEach(
      { (statement) throws(StoreError) in
        let (number, configuration) = ConfigurationRow.read(statement)
        found[number] = configuration
        if configuration == nil {
          damage.append(
            StoreError(
              .damaged, "the row of configuration \(number) does not have its checksum."))
        }
      }, refused: { $0 })
    if scan.hasGap {
      damage.append(StoreError(.damaged, "a part of the table configuration cannot be read."))
    }
    configurations = found
    activations = try LoadedActivations(connection)
    self.damage = damage + activations.damage.map { StoreError(.damaged, $0) }
  }

  /// Reads the row at which a statement over the columns of ``StoredRow`` stands.
  ///
  /// - Returns: The row as it is stored, and as a program sees it; its damage is said there.
  mutating func read(_ statement: SQLiteStatement) -> (stored: StoredRow, row: SessionRow) {
    var (stored, isSound, _) = StoredRow.read(statement)
    if !isSound, let identifier = identifierOfKey(stored.sid) { stored.identifier = identifier }
    var row = SessionRow(persistentIdentifier: stored.identifier)
    row.lastActivated = UInt64(
      clamping: max(stored.lastActivated, activations.counter(of: stored.sid) ?? 0))
    row.group = stored.texts?.group.map(SceneGroup.init(rawValue:))
    row.title = stored.texts?.title
    row.subtitle = stored.texts?.subtitle
    row.destructionConditions = DestructionBits.conditions(of: stored.destruction)
    row.isDiscarded = stored.isDiscarded
    row.nextWake = stored.nextWake
    var problem = isSound ? nil : "the row \(stored.sid.row) does not have its checksum."
    if let configuration = configurations[stored.configuration] {
      row.configuration = configuration
    } else {
      problem = problem ?? "its configuration, \(stored.configuration), is damaged or missing."
    }
    for (text, part) in [
      (stored.texts?.canActivate, \SceneActivationConditions.can),
      (stored.texts?.prefers, \SceneActivationConditions.prefers),
    ] {
      guard let text else { continue }
      if let predicate = predicates[text] {
        row.activationConditions[keyPath: part] = predicate
      } else {
        problem = problem ?? "one of its conditions is no predicate."
      }
    }
    row.damage = problem.map { StoreError(.damaged, session: stored.identifier, $0) }
    return (stored, row)
  }

  /// Whose row it is, as the row of the key says.
  private func identifierOfKey(_ sid: SessionNumber) -> SessionIdentifier? {
    let reading = try? connection.prepare(
      "SELECT \(KeyRow.columns) FROM session_key WHERE sid = ?1")
    guard let reading else { return nil }
    defer { reading.finalize() }
    reading.bind(sid.row, 1)
    guard (try? reading.step()) == true else { return nil }
    return KeyRow(reading)?.identifier
  }
}
