// SPDX-License-Identifier: Apache-2.0

#if Cluster && Complete
  import Proscenium
  import ProsceniumPostgres
  import ProsceniumSQLite
  import ProsceniumTerminal

  /// A store of either kind, while it is copied.
  protocol CopiedStore: SessionStore {
    /// Discards sessions while no application uses the store.
    func discardWhileNotRunning(_ sessions: [SessionIdentifier]) async throws(StoreError)

    /// Closes the store.
    func close() async throws(StoreError)
  }

  extension SQLiteSessionStore: CopiedStore {}
  extension PostgresSessionStore: CopiedStore {}

  /// Where a store is: in a file, or in a PostgreSQL database.
  enum StorePlace: Sendable {
    case file(String)
    case database(String)

    init(_ text: String) {
      self = StoreAddress.isAddress(text) ? .database(text) : .file(text)
    }

    /// Where the key is unless the user says otherwise, if that is known.
    var keyPath: String? {
      switch self {
      case .file(let path): path + ".key"
      case .database: nil
      }
    }

    /// Whether a file that is opened here is made.
    var isNewFile: Bool {
      switch self {
      case .file(let path): !Terminal.isFile(path)
      case .database: false
      }
    }

    /// Makes sure that there is a store with a key, and changes nothing.
    ///
    /// - Throws: `unusable` if there is none, `wrongKey`; whatever the provider throws; what the
    ///   system or the server refuses.
    func requireStore(_ key: FileKeyProvider) async throws(StoreError) {
      switch self {
      case .file(let path): _ = try StoreInspection(path, key: key)
      case .database(let address): try await PostgresInspection(address, key: key).close()
      }
    }

    /// Opens the store, and makes it if there is none.
    func open(_ key: FileKeyProvider) throws(StoreError) -> any CopiedStore {
      switch self {
      case .file(let path): return try SQLiteSessionStore(path: path, key: key)
      case .database(let address):
        var options = PostgresStoreOptions()
        options.name = "proscenium store copy"
        return try PostgresSessionStore(address, key: key, options: options)
      }
    }
  }
#endif
