// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium

  /// One connection at a time, made when it is needed and again after it has broken, with a thread
  /// of its own.
  actor PostgresLine {
    /// What a new connection is brought to before it is used.
    typealias Preparation = @Sendable (PostgresConnection) throws(PostgresFailure) -> Void

    private let executor: LineExecutor
    private let address: PostgresAddress
    private let patience: Duration
    private let clock: any Clock<Duration>
    private var name: String
    private var connection: PostgresConnection?
    private var isClosed = false

    nonisolated var unownedExecutor: UnownedSerialExecutor {
      unsafe executor.asUnownedSerialExecutor()
    }

    /// - Parameters:
    ///   - address: Where the database is.
    ///   - name: By what the server knows the connections.
    ///   - executor: The thread.
    ///   - options: How answers are waited for.
    init(
      _ address: PostgresAddress, named name: String, on executor: LineExecutor,
      _ options: PostgresStoreOptions
    ) {
      self.address = address
      self.name = name
      self.executor = executor
      patience = options.patience
      clock = options.clock
    }

    /// Gives the connections another name; the one that there is ends.
    func rename(_ name: String) {
      self.name = name
      connection = nil
    }

    /// Runs calls on the connection.
    ///
    /// - Parameters:
    ///   - isRepeatable: Whether the calls can be made again when it is not known whether they took
    ///     effect: once, on a new connection.
    ///   - prepare: What a new connection is brought to.
    ///   - body: Makes the calls.
    /// - Returns: What `body` returns.
    /// - Throws: What the server refuses, or that it cannot be reached.
    func run<Success: Sendable>(
      isRepeatable: Bool = true, preparing prepare: Preparation? = nil,
      _ body: @Sendable (PostgresConnection) throws(PostgresFailure) -> Success
    ) throws(PostgresFailure) -> Success {
      var wasReached = false
      do throws(PostgresFailure) {
        return try attempt(prepare) { (connection) throws(PostgresFailure) in
          wasReached = true
          return try body(connection)
        }
      } catch  where error.kind == .connectionLost && wasReached && isRepeatable {
        return try attempt(prepare, body)
      }
    }

    private func attempt<Success: Sendable>(
      _ prepare: Preparation?,
      _ body: (PostgresConnection) throws(PostgresFailure) -> Success
    ) throws(PostgresFailure) -> Success {
      guard !isClosed else {
        throw PostgresFailure(.refused, "expected an open store, found it closed")
      }
      do throws(PostgresFailure) {
        let connection = if let connection { connection } else { try connect(prepare) }
        return try body(connection)
      } catch {
        if error.kind == .connectionLost { self.connection = nil }
        throw error
      }
    }

    private func connect(_ prepare: Preparation?) throws(PostgresFailure) -> PostgresConnection {
      let new = try PostgresConnection(
        address, named: name, patience: patience, clock: clock)
      try prepare?(new)
      connection = new
      return new
    }

    /// Waits until the server tells of something that it was asked to tell.
    ///
    /// - Parameter time: How long at most.
    /// - Returns: Whether it did, or `nil` without a connection.
    func waitForNews(atMost time: Duration) -> Bool? {
      guard let connection, !isClosed else { return nil }
      do throws(PostgresFailure) {
        return try connection.waitForNotification(atMost: time)
      } catch {
        self.connection = nil
        return nil
      }
    }

    /// Ends the connection for good.
    func close() {
      isClosed = true
      connection = nil
    }
  }
#endif
