// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPredicate
import ProsceniumSealing
import ProsceniumStoring

/// A row of the table `session`.
struct StoredRow: Sendable {
  var number: Int64
  var identifier: SessionIdentifier
  var configuration: Int64 = 0
  var group, title, subtitle: String?
  /// The canonical texts of the conditions; `nil` for the defaults.
  var canActivate, prefers: String?
  var destruction: Int64 = 0
  var lastActivated: Int64 = 0
  var epoch: UInt32 = 0
  var isDiscarded = false
  /// When the next wake is due, in milliseconds since 1970.
  var nextWake: Int64?
  var owner: String?
  /// When it was last seen in use, in milliseconds of the store's running time.
  var lastUsed: Int64?
  var createdAt: Int64
  var changedAt: Int64
  /// The version of the saved state; 0 for none.
  var version: UInt64 = 0
  /// The session's key under the application key; empty if there was none.
  var key: [UInt8] = []
  /// The code of all columns but the key, under the session's key; `nil` if there is none.
  var code: MessageCode?

  static let columns = """
    number, id, configuration, group_name, title, subtitle, can_activate, prefers, destruction,
    last_activated, epoch, is_discarded, next_wake, created_at, changed_at, version, key, code,
    owner, last_used
    """
  static let columnCount: CInt = 20

  /// The columns of a load, which checks no code: what it does not need is constant.
  static let columnsOfLoad = """
    number, id, configuration, group_name, title, subtitle, can_activate, prefers, destruction,
    last_activated, 0, is_discarded, next_wake, 0, 0, version, key, NULL, owner, last_used
    """

  /// The statement that inserts a row, with all columns bound.
  static let insertion =
    "INSERT INTO session(\(columns)) VALUES ("
    + (1...columnCount).map { "?\($0)" }.joined(
      separator: ", ") + ")"

  /// The statement that updates the row with its number, with all columns bound.
  static let updating =
    "UPDATE session SET "
    + columns.split { ", \n".contains($0) }.enumerated().dropFirst(2)
    .map { "\($1) = ?\($0 + 1)" }.joined(separator: ", ") + " WHERE number = ?1 AND id = ?2"

  /// A row of a new session.
  init(_ number: Int64, _ identifier: SessionIdentifier, at time: Int64) {
    self.number = number
    self.identifier = identifier
    createdAt = time
    changedAt = time
  }

  /// Takes over what the runtime gave, but for the counter of activations.
  mutating func take(_ row: SessionRow, configuration: Int64) {
    self.configuration = configuration
    let conditions = row.activationConditions
    group = row.group?.rawValue
    title = row.title
    subtitle = row.subtitle
    canActivate = conditions.can == .true ? nil : conditions.can.description
    prefers = conditions.prefers == .false ? nil : conditions.prefers.description
    destruction = DestructionBits.bits(of: row.destructionConditions)
    nextWake = row.nextWake
    owner = row.owner
    lastUsed = row.lastUsed
  }

  /// Reads the row at which a statement over ``columns`` is, or returns `nil` if it does not
  /// say whose it is.
  init?(_ statement: SQLiteStatement) {
    guard let identifier = statement.identifier(1) else { return nil }
    self.init(statement.integer(0), identifier, at: statement.integer(13))
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
    nextWake = statement.isNull(12) ? nil : statement.integer(12)
    changedAt = statement.integer(14)
    version = UInt64(bitPattern: statement.integer(15))
    key = statement.bytes(16)
    code = statement.withBytes(17) { MessageCode($0) }
    owner = statement.text(18)
    lastUsed = statement.isNull(19) ? nil : statement.integer(19)
  }

  /// Binds all columns.
  func bind(to statement: SQLiteStatement) {
    statement.bind(number, 1)
    statement.bind(identifier, 2)
    statement.bind(configuration, 3)
    for (index, text) in [group, title, subtitle, canActivate, prefers].enumerated() {
      statement.bind(text, CInt(4 + index))
    }
    statement.bind(destruction, 9)
    statement.bind(lastActivated, 10)
    statement.bind(Int64(epoch), 11)
    statement.bind(isDiscarded ? 1 : 0, 12)
    if let nextWake { statement.bind(nextWake, 13) } else { statement.bindNull(13) }
    statement.bind(createdAt, 14)
    statement.bind(changedAt, 15)
    statement.bind(Int64(bitPattern: version), 16)
    statement.bind(orNull: key, 17)
    statement.bind(code, 18)
    statement.bind(owner, 19)
    if let lastUsed { statement.bind(lastUsed, 20) } else { statement.bindNull(20) }
  }

  // MARK: - The code

  /// What the row's code is made of.
  func mark(
    _ configurations: ConfigurationTable, under key: CodeKey
  ) throws(StoreError) -> RowMark {
    guard let entry = configurations[configuration] else {
      throw damage("its configuration, \(configuration), is missing")
    }
    var message = RowMessage()
    message.add(Self.kind)
    message.add(identifier.high)
    message.add(identifier.low)
    message.add(entry.message)
    for text in [group, title, subtitle, canActivate, prefers] { message.add(text) }
    message.add(destruction)
    message.add(createdAt)
    message.add(nextWake)
    // A row of the version before has neither, and keeps its code.
    if owner != nil || lastUsed != nil {
      message.add(owner)
      message.add(lastUsed)
    }
    return RowMark(
      number: number, details: message.code(under: key), epoch: epoch,
      lastActivated: lastActivated, changedAt: changedAt, version: version)
  }

  /// The first byte of the message of what a save does not change.
  private static let kind: UInt8 = 1

  /// Makes sure that the row is what was written.
  ///
  /// - Throws: `damaged`.
  func check(_ configurations: ConfigurationTable, under key: CodeKey) throws(StoreError) {
    guard try mark(configurations, under: key).code(under: key) == code, !isDiscarded else {
      throw damage("its row \(number) does not have its code")
    }
  }

  /// Makes sure that a row without a key is that of a session that has nothing.
  ///
  /// - Throws: `damaged`.
  func checkWithoutKey() throws(StoreError) {
    guard version == 0, code == nil else { throw damage("its key is missing") }
  }

  func damage(_ text: String) -> StoreError {
    StoreError(.damaged, session: identifier, "expected a session as it was written: \(text).")
  }

  /// The row as a program sees it; its damage, as far as it is seen without a key, is said there.
  func row(_ configurations: ConfigurationTable, _ predicates: inout PredicateCache) -> SessionRow {
    var row = SessionRow(persistentIdentifier: identifier, configuration: StoredConfiguration())
    row.lastActivated = UInt64(clamping: lastActivated)
    // Most rows have none of these, and setting one costs more than reading it.
    if let group { row.group = SceneGroup(rawValue: group) }
    if let title { row.title = title }
    if let subtitle { row.subtitle = subtitle }
    if destruction != 0 { row.destructionConditions = DestructionBits.conditions(of: destruction) }
    if let nextWake { row.nextWake = nextWake }
    if let owner { row.owner = owner }
    if let lastUsed { row.lastUsed = lastUsed }
    // Its key was destroyed: otherwise it is not what was written.
    row.isDiscarded = isDiscarded && key.isEmpty
    row.hasSavedState = version != 0
    var problem = isDiscarded && !key.isEmpty ? "it is discarded, and has a key" : nil
    if let entry = configurations[configuration] {
      row.configuration = entry.configuration
    } else {
      problem = problem ?? "its configuration, \(configuration), is missing"
    }
    func take(
      _ text: String?, _ part: WritableKeyPath<SceneActivationConditions, ContentPredicate>
    ) {
      guard let text else { return }
      if let predicate = predicates[text] {
        row.activationConditions[keyPath: part] = predicate
      } else {
        problem = problem ?? "one of its conditions is no predicate"
      }
    }
    take(canActivate, \.can)
    take(prefers, \.prefers)
    row.damage = problem.map(damage)
    return row
  }
}

extension StoreError {
  /// Names the session in whose rows SQLite finds damage.
  static func naming<Success>(
    _ session: SessionIdentifier, _ work: () throws(StoreError) -> Success
  ) throws(StoreError) -> Success {
    do throws(StoreError) {
      return try work()
    } catch  where error.code == .damaged {
      throw StoreError(.damaged, session: session, error.message)
    }
  }
}
