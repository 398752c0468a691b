// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium

  /// The configurations that the database has, by their numbers: they are added and never change.
  struct ConfigurationNumbers: Sendable {
    private(set) var numbers: [StoredConfiguration: Int16] = [:]
    private var configurations: [Int16: StoredConfiguration] = [:]

    init() {}

    /// Reads all of them.
    init(_ connection: PostgresConnection) throws(PostgresFailure) {
      let rows = try connection.call("SELECT * FROM proscenium.configurations_1()")
      for row in 0..<rows.count {
        let configuration = StoredConfiguration(
          role: SceneSession.Role(rawValue: rows.text(row, 1) ?? ""), name: rows.text(row, 2),
          delegateClass: rows.text(row, 3), sceneClass: rows.text(row, 4),
          manifestRevision: rows.text(row, 5))
        add(Int16(truncatingIfNeeded: rows.integer(row, 0)), configuration)
      }
    }

    mutating func add(_ number: Int16, _ configuration: StoredConfiguration) {
      numbers[configuration] = number
      configurations[number] = configuration
    }

    subscript(number: Int16) -> StoredConfiguration? { configurations[number] }

    /// Gets a number from the database.
    static func number(
      of configuration: StoredConfiguration, on connection: PostgresConnection
    ) throws(PostgresFailure) -> Int16 {
      var parameters = PostgresParameters()
      parameters.add(configuration.role.rawValue)
      parameters.add(configuration.name)
      parameters.add(configuration.delegateClass)
      parameters.add(configuration.sceneClass)
      parameters.add(configuration.manifestRevision)
      let rows = try connection.call(
        "SELECT proscenium.configuration_1($1, $2, $3, $4, $5)", parameters)
      return Int16(truncatingIfNeeded: rows.integer(0, 0))
    }
  }
#endif
