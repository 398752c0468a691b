// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPredicate

/// A row of the table `session`.
struct StoredRow {
  var sid: SessionNumber
  var identifier: SessionIdentifier
  var configuration: Int64
  var group: String?
  var title: String?
  var subtitle: String?
  /// The canonical strings of the conditions; `nil` for the defaults.
  var canActivate: String?
  var prefers: String?
  var destruction: Int64
  var lastActivated: Int64
  var epoch: UInt32
  var isDiscarded: Bool
  /// Records up to this version do not count.
  var stateAfter: UInt64
  var createdAt: Int64
  var changedAt: Int64

  /// The columns, in the order in which they are read and bound.
  static let columns = """
    sid, id, configuration, group_name, title, subtitle, can_activate, prefers, destruction,
    last_activated, epoch, is_discarded, state_after, created_at, changed_at, checksum
    """

  /// What a row that the runtime gave is stored as.
  init(
    _ row: SessionRow, sid: SessionNumber, configuration: Int64, epoch: UInt32, at time: Int64
  ) {
    self.sid = sid
    identifier = row.persistentIdentifier
    self.configuration = configuration
    group = row.group?.rawValue
    title = row.title
    subtitle = row.subtitle
    let conditions = row.activationConditions
    canActivate = conditions.can == .true ? nil : conditions.can.description
    prefers = conditions.prefers == .false ? nil : conditions.prefers.description
    destruction = DestructionBits.bits(of: row.destructionConditions)
    lastActivated = Int64(clamping: row.lastActivated)
    self.epoch = epoch
    isDiscarded = false
    stateAfter = 0
    createdAt = time
    changedAt = time
  }

  /// Reads the row at which a statement over ``columns`` stands.
  ///
  /// - Returns: The row as it can be made out, and whether it has its checksum.
  static func read(_ statement: SQLiteStatement) -> (row: StoredRow, isSound: Bool) {
    let row = StoredRow(statement)
    let isSound =
      statement.identifier(1) != nil && row.checksum == statement.integer(15)
      && statement.integer(11) == (row.isDiscarded ? 1 : 0)
    return (row, isSound)
  }

  private init(_ statement: SQLiteStatement) {
    sid = SessionNumber(row: statement.integer(0))
    identifier = statement.identifier(1) ?? SessionIdentifier(high: 0, low: 0)
    configuration = statement.integer(2)
    group = statement.text(3)
    title = statement.text(4)
    subtitle = statement.text(5)
    canActivate = statement.text(6)
    prefers = statement.text(7)
    destruction = statement.integer(8)
    lastActivated = statement.integer(9)
    epoch = UInt32(truncatingIfNeeded: statement.integer(10))
    isDiscarded = statement.integer(11) != 0
    stateAfter = UInt64(bitPattern: statement.integer(12))
    createdAt = statement.integer(13)
    changedAt = statement.integer(14)
  }

  /// Binds all columns.
  func bind(to statement: SQLiteStatement) {
    statement.bind(sid.row, 1)
    statement.bind(identifier, 2)
    statement.bind(configuration, 3)
    statement.bind(group, 4)
    statement.bind(title, 5)
    statement.bind(subtitle, 6)
    statement.bind(canActivate, 7)
    statement.bind(prefers, 8)
    statement.bind(destruction, 9)
    statement.bind(lastActivated, 10)
    statement.bind(Int64(epoch), 11)
    statement.bind(isDiscarded ? 1 : 0, 12)
    statement.bind(Int64(bitPattern: stateAfter), 13)
    statement.bind(createdAt, 14)
    statement.bind(changedAt, 15)
    statement.bind(checksum, 16)
  }

  /// The checksum that the row should have.
  var checksum: Int64 {
    var sum = RowChecksum(.session)
    sum.add(sid.row)
    sum.add(identifier)
    sum.add(configuration)
    sum.add(group)
    sum.add(title)
    sum.add(subtitle)
    sum.add(canActivate)
    sum.add(prefers)
    sum.add(destruction)
    sum.add(lastActivated)
    sum.add(UInt64(epoch) << 1 | (isDiscarded ? 1 : 0))
    sum.add(stateAfter)
    sum.add(createdAt)
    sum.add(changedAt)
    return sum.value
  }
}

/// Destruction conditions as an integer.
enum DestructionBits {
  private static let all: [(Scene.DestructionCondition, Int64)] = [
    (.userInitiatedDismissal, 1), (.systemDisconnection, 2),
  ]

  static func bits(of conditions: Set<Scene.DestructionCondition>) -> Int64 {
    if conditions.isEmpty { return 0 }
    return all.reduce(0) { conditions.contains($1.0) ? $0 | $1.1 : $0 }
  }

  static func conditions(of bits: Int64) -> Set<Scene.DestructionCondition> {
    if bits == 0 { return [] }
    return Set(all.filter { bits & $0.1 != 0 }.map(\.0))
  }
}
