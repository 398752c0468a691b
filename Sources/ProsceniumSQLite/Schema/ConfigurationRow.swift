// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// A row of the table `configuration`.
enum ConfigurationRow {
  /// How many configurations a store can have.
  static let limit: Int64 = 65_535

  /// The columns, in the order in which they are read and bound.
  static let columns =
    "number, role, name, delegate_class, scene_class, manifest_revision, checksum"

  /// Reads the row at which a statement over ``columns`` stands.
  ///
  /// - Returns: The configuration as it can be made out, or `nil` if it does not have its checksum.
  static func read(
    _ statement: SQLiteStatement
  ) -> (number: Int64, configuration: StoredConfiguration?) {
    let number = statement.integer(0)
    let configuration = StoredConfiguration(
      role: SceneSession.Role(rawValue: statement.text(1) ?? ""), name: statement.text(2),
      delegateClass: statement.text(3), sceneClass: statement.text(4),
      manifestRevision: statement.text(5))
    let isSound = checksum(configuration, number) == statement.integer(6)
    return (number, isSound ? configuration : nil)
  }

  /// Binds all columns.
  static func bind(
    _ configuration: StoredConfiguration, _ number: Int64, to statement: SQLiteStatement
  ) {
    statement.bind(number, 1)
    statement.bind(configuration.role.rawValue, 2)
    statement.bind(configuration.name, 3)
    statement.bind(configuration.delegateClass, 4)
    statement.bind(configuration.sceneClass, 5)
    statement.bind(configuration.manifestRevision, 6)
    statement.bind(checksum(configuration, number), 7)
  }

  private static func checksum(_ configuration: StoredConfiguration, _ number: Int64) -> Int64 {
    var sum = RowChecksum(.configuration)
    sum.add(number)
    sum.add(configuration.role.rawValue)
    sum.add(configuration.name)
    sum.add(configuration.delegateClass)
    sum.add(configuration.sceneClass)
    sum.add(configuration.manifestRevision)
    return sum.value
  }
}
