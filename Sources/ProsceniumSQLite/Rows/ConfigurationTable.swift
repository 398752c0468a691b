// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// The rows of the table `configuration`: they are appended, and never change.
///
/// The codes of the sessions' rows bind what they say.
struct ConfigurationTable: Sendable {
  /// How many configurations a store can have.
  static let limit: Int64 = 65_535

  static let columns = "number, role, name, delegate_class, scene_class, manifest_revision"

  /// A configuration, and what a session's code binds of it.
  struct Entry: Sendable {
    let configuration: StoredConfiguration
    let message: [UInt8]

    init(_ configuration: StoredConfiguration) {
      self.configuration = configuration
      var message = RowMessage()
      message.add(configuration.role.rawValue)
      message.add(configuration.name)
      message.add(configuration.delegateClass)
      message.add(configuration.sceneClass)
      message.add(configuration.manifestRevision)
      self.message = message.bytes
    }
  }

  private var entries: [Int64: Entry] = [:]
  private var numbers: [StoredConfiguration: Int64] = [:]
  private var last: Int64 = 0

  /// Whether a part of the table cannot be read.
  private(set) var hasGap = false

  /// An empty table.
  init() {}

  /// Reads the table.
  ///
  /// - Throws: What SQLite refuses, other than damage.
  init(_ connection: SQLiteConnection) throws(StoreError) {
    var scan = try RowScan(Self.columns, of: "configuration", by: "number", on: connection)
    defer { scan.finalize() }
    try scan.forEach(
      { (statement) throws(StoreError) in
        add(
          statement.integer(0),
          StoredConfiguration(
            role: SceneSession.Role(rawValue: statement.text(1) ?? ""), name: statement.text(2),
            delegateClass: statement.text(3), sceneClass: statement.text(4),
            manifestRevision: statement.text(5)))
      }, refused: { $0 })
    hasGap = scan.hasGap
  }

  private mutating func add(_ number: Int64, _ configuration: StoredConfiguration) {
    entries[number] = Entry(configuration)
    numbers[configuration] = number
    last = max(last, number)
  }

  /// The configuration with a number.
  subscript(number: Int64) -> Entry? { entries[number] }

  /// The number of a configuration, which is written if it has none.
  ///
  /// - Throws: `limitExceeded` if there are too many, or what SQLite refuses.
  mutating func number(
    of configuration: StoredConfiguration, on connection: SQLiteConnection
  ) throws(StoreError) -> Int64 {
    if let number = numbers[configuration] { return number }
    guard last < Self.limit else {
      throw StoreError(
        .limitExceeded,
        "\(connection.path): expected at most \(Self.limit) configurations, found one more.")
    }
    let statement = try connection.prepare(
      "INSERT INTO configuration(\(Self.columns)) VALUES (?1, ?2, ?3, ?4, ?5, ?6)")
    defer { statement.finalize() }
    statement.bind(last + 1, 1)
    statement.bind(configuration.role.rawValue, 2)
    statement.bind(configuration.name, 3)
    statement.bind(configuration.delegateClass, 4)
    statement.bind(configuration.sceneClass, 5)
    statement.bind(configuration.manifestRevision, 6)
    try statement.run()
    add(last + 1, configuration)
    return last
  }
}
