// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPredicate

/// A row of the table `session`.
struct StoredRow {
  var sid: SessionNumber
  var identifier: SessionIdentifier
  var configuration: Int64
  /// Group, titles and conditions; `nil` if the row has none of them, as most.
  private(set) var texts: Texts?
  var destruction: Int64
  var lastActivated: Int64
  var epoch: UInt32
  var isDiscarded: Bool
  /// Records up to this version do not count.
  var stateAfter: UInt64
  var createdAt: Int64
  var changedAt: Int64
  /// When the next wake is due, in milliseconds since 1970.
  var nextWake: Int64?

  /// The columns that have a text or nothing.
  final class Texts: Sendable {
    let group: String?
    let title: String?
    let subtitle: String?
    /// The canonical strings of the conditions; `nil` for the defaults.
    let canActivate: String?
    let prefers: String?

    private init(
      _ group: String?, _ title: String?, _ subtitle: String?, _ can: String?, _ prefers: String?
    ) {
      self.group = group
      self.title = title
      self.subtitle = subtitle
      canActivate = can
      self.prefers = prefers
    }

    /// Keeps texts, if there is one.
    @inline(__always)
    static func keeping(
      group: String?, title: String?, subtitle: String?, canActivate: String?, prefers: String?
    ) -> Texts? {
      let isEmpty =
        group == nil && title == nil && subtitle == nil && canActivate == nil && prefers == nil
      return isEmpty ? nil : Texts(group, title, subtitle, canActivate, prefers)
    }
  }

  /// The columns, in the order in which they are read and bound.
  static let columns = """
    sid, id, configuration, group_name, title, subtitle, can_activate, prefers, destruction,
    last_activated, epoch, is_discarded, state_after, created_at, changed_at, checksum,
    next_wake
    """

  /// What a row that the runtime gave is stored as.
  init(
    _ row: SessionRow, sid: SessionNumber, configuration: Int64, epoch: UInt32, at time: Int64
  ) {
    self.sid = sid
    identifier = row.persistentIdentifier
    self.configuration = configuration
    let conditions = row.activationConditions
    texts = .keeping(
      group: row.group?.rawValue, title: row.title, subtitle: row.subtitle,
      canActivate: conditions.can == .true ? nil : conditions.can.description,
      prefers: conditions.prefers == .false ? nil : conditions.prefers.description)
    destruction = DestructionBits.bits(of: row.destructionConditions)
    lastActivated = Int64(clamping: row.lastActivated)
    self.epoch = epoch
    isDiscarded = false
    stateAfter = 0
    createdAt = time
    changedAt = time
    nextWake = row.nextWake
  }

  /// Reads the row at which a statement over ``columns`` stands.
  ///
  /// - Returns: The row as it can be made out, whether it has its checksum, and whether it says
  ///   whose it is.
  static func read(
    _ statement: SQLiteStatement
  ) -> (row: StoredRow, isSound: Bool, isNamed: Bool) {
    let identifier = statement.identifier(1)
    let discarded = statement.integer(11)
    let row = StoredRow(statement, identifier, isDiscarded: discarded != 0)
    let isSound =
      identifier != nil && (discarded == 0 || discarded == 1)
      && row.checksum == statement.integer(15)
    return (row, isSound, identifier != nil)
  }

  private init(
    _ statement: SQLiteStatement, _ identifier: SessionIdentifier?, isDiscarded: Bool
  ) {
    sid = SessionNumber(row: statement.integer(0))
    self.identifier = identifier ?? SessionIdentifier(high: 0, low: 0)
    configuration = statement.integer(2)
    texts = .keeping(
      group: statement.text(3), title: statement.text(4), subtitle: statement.text(5),
      canActivate: statement.text(6), prefers: statement.text(7))
    destruction = statement.integer(8)
    lastActivated = statement.integer(9)
    epoch = UInt32(truncatingIfNeeded: statement.integer(10))
    self.isDiscarded = isDiscarded
    stateAfter = UInt64(bitPattern: statement.integer(12))
    createdAt = statement.integer(13)
    changedAt = statement.integer(14)
    nextWake = statement.isNull(16) ? nil : statement.integer(16)
  }

  /// Binds all columns.
  func bind(to statement: SQLiteStatement) {
    statement.bind(sid.row, 1)
    statement.bind(identifier, 2)
    statement.bind(configuration, 3)
    statement.bind(texts?.group, 4)
    statement.bind(texts?.title, 5)
    statement.bind(texts?.subtitle, 6)
    statement.bind(texts?.canActivate, 7)
    statement.bind(texts?.prefers, 8)
    statement.bind(destruction, 9)
    statement.bind(lastActivated, 10)
    statement.bind(Int64(epoch), 11)
    statement.bind(isDiscarded ? 1 : 0, 12)
    statement.bind(Int64(bitPattern: stateAfter), 13)
    statement.bind(createdAt, 14)
    statement.bind(changedAt, 15)
    statement.bind(checksum, 16)
    if let nextWake { statement.bind(nextWake, 17) } else { statement.bindNull(17) }
  }

  /// The checksum that the row should have.
  var checksum: Int64 {
    var sum = RowChecksum(.session)
    sum.add(sid.row)
    sum.add(identifier)
    sum.add(configuration)
    if let texts {
      sum.add(texts.group)
      sum.add(texts.title)
      sum.add(texts.subtitle)
      sum.add(texts.canActivate)
      sum.add(texts.prefers)
    } else {
      for _ in 0..<5 { sum.add(nil) }
    }
    sum.add(destruction)
    sum.add(lastActivated)
    sum.add(UInt64(epoch) << 1 | (isDiscarded ? 1 : 0))
    sum.add(stateAfter)
    sum.add(createdAt)
    sum.add(changedAt)
    if let nextWake { sum.add(nextWake) }
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
