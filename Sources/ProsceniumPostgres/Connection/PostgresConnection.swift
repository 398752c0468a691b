// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import CPostgres
  import Proscenium

  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif

  /// A connection to PostgreSQL, used by one thread at a time, which waits for the answers.
  @safe
  final class PostgresConnection {
    private let connection: OpaquePointer
    private let patience: Duration
    private let clock: any Clock<Duration>

    /// Connects.
    ///
    /// - Parameters:
    ///   - address: Where the database is.
    ///   - name: By what the server knows the connection.
    ///   - patience: How long an answer may take, unless a call says otherwise.
    ///   - clock: By which an answer is waited for.
    /// - Throws: A failure of the kind `connectionLost`.
    init(
      _ address: PostgresAddress, named name: String, patience: Duration,
      clock: any Clock<Duration>
    ) throws(PostgresFailure) {
      let parameters = address.parameters(named: name)
      // C strings of its own, with NULL behind the last one.
      let keywords = unsafe parameters.map { unsafe strdup($0.keyword) } + [nil]
      let values = unsafe parameters.map { unsafe strdup($0.value) } + [nil]
      defer { unsafe (keywords + values).forEach { unsafe free($0) } }
      let connection = unsafe PQconnectdbParams(
        keywords.map { unsafe UnsafePointer($0) }, values.map { unsafe UnsafePointer($0) }, 1)
      guard let connection = unsafe connection else {
        throw PostgresFailure(.connectionLost, "out of memory")
      }
      unsafe self.connection = connection
      self.patience = patience
      self.clock = clock
      guard unsafe PQstatus(connection) == CONNECTION_OK else {
        throw PostgresFailure(
          .connectionLost, state: Self.state(ofRefusal: message), message)
      }
      unsafe PQsetErrorVerbosity(connection, PQERRORS_TERSE)
      // What the server remarks is not said on this program's standard error.
      unsafe PQsetNoticeReceiver(connection, { _, _ in }, nil)
      unsafe PQsetnonblocking(connection, 1)
    }

    deinit {
      unsafe PQfinish(connection)
    }

    /// libpq gives no code for a connection that the server refuses, only the server's sentence.
    private static func state(ofRefusal message: String) -> String {
      guard message.contains("FATAL") else { return "" }
      if message.contains("password authentication failed") { return "28P01" }
      if message.contains("pg_hba.conf") { return "28000" }
      if message.contains("permission denied") { return "42501" }
      if message.contains("does not exist") { return "3D000" }
      return ""
    }

    /// What the server calls one of its settings, such as `server_encoding`.
    func setting(_ name: String) -> String? {
      unsafe PQparameterStatus(connection, name).map { unsafe String(cString: $0) }
    }

    /// The last error, in one line.
    private var message: String {
      let text = unsafe String(cString: PQerrorMessage(connection))
      let lines = text.split(whereSeparator: \.isNewline).map {
        $0.drop(while: { $0 == " " || $0 == "\t" })
      }
      return lines.isEmpty ? "the connection has ended" : lines.joined(separator: " ")
    }

    /// Runs a statement with arguments and waits for its rows.
    ///
    /// - Parameters:
    ///   - statement: One statement, with `$1` and so on in the places of the arguments.
    ///   - parameters: The arguments.
    ///   - patience: How long the answer may take. A connection that has none by then is of no use
    ///     any more.
    /// - Returns: The rows.
    /// - Throws: What the server refuses, or `connectionLost`.
    @discardableResult
    func call(
      _ statement: String, _ parameters: PostgresParameters = PostgresParameters(),
      within patience: Duration? = nil
    ) throws(PostgresFailure) -> PostgresRows {
      let sent = unsafe parameters.bytes.withUnsafeBufferPointer { bytes in
        let values = unsafe parameters.ranges.map { range in
          unsafe range.flatMap { unsafe bytes.baseAddress?.advanced(by: $0.lowerBound) }
            .map { unsafe UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self) }
        }
        return unsafe PQsendQueryParams(
          connection, statement, CInt(parameters.ranges.count), parameters.types, values,
          parameters.ranges.map { CInt(clamping: $0?.count ?? 0) },
          [CInt](repeating: 1, count: parameters.ranges.count), 1)
      }
      guard sent == 1 else { throw PostgresFailure(.connectionLost, message) }
      return try answer(within: patience ?? self.patience)
    }

    /// Runs any number of statements without arguments, as one transaction.
    ///
    /// - Throws: What the server refuses, or `connectionLost`.
    func run(_ statements: String) throws(PostgresFailure) {
      guard unsafe PQsendQuery(connection, statements) == 1 else {
        throw PostgresFailure(.connectionLost, message)
      }
      _ = try answer(within: .seconds(120))
    }

    /// Waits for the answer to what was sent, the last one of several, or the first refusal.
    private func answer(within patience: Duration) throws(PostgresFailure) -> PostgresRows {
      let elapsed = clock.stopwatch()
      var last: PostgresRows?
      var refusal: PostgresFailure?
      while true {
        guard let result = try unsafe next(until: { patience - elapsed() }) else { break }
        let rows = unsafe PostgresRows(result)
        switch unsafe PQresultStatus(result) {
        case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: last = rows
        default: if refusal == nil { refusal = unsafe failure(result) }
        }
      }
      if let refusal { throw refusal }
      guard let last else { throw PostgresFailure(.connectionLost, message) }
      return last
    }

    private func failure(_ result: OpaquePointer) -> PostgresFailure {
      let state = unsafe PQresultErrorField(result, PostgresDiagnostic.state)
      let text = unsafe PQresultErrorField(result, PostgresDiagnostic.message)
      // Without a code the sentence is libpq's own: the connection has broken.
      guard let state = unsafe state, let text = unsafe text else {
        return PostgresFailure(.connectionLost, message)
      }
      return unsafe PostgresFailure(
        .refused, state: String(cString: state), String(cString: text))
    }

    /// The next result, or `nil` behind the last one.
    private func next(until left: () -> Duration) throws(PostgresFailure) -> OpaquePointer? {
      while true {
        let unsent = unsafe PQflush(connection)
        guard unsent >= 0 else { throw PostgresFailure(.connectionLost, message) }
        let isBusy = unsafe PQisBusy(connection)
        if unsent == 0, isBusy == 0 { break }
        try wait(forRoom: unsent == 1, left())
        guard unsafe PQconsumeInput(connection) == 1 else {
          throw PostgresFailure(.connectionLost, message)
        }
      }
      return unsafe PQgetResult(connection)
    }

    /// Waits for a notification.
    ///
    /// - Parameter time: How long at most.
    /// - Returns: Whether there is one; several are one.
    /// - Throws: `connectionLost`.
    func waitForNotification(atMost time: Duration) throws(PostgresFailure) -> Bool {
      let elapsed = clock.stopwatch()
      while true {
        guard unsafe PQconsumeInput(connection) == 1 else {
          throw PostgresFailure(.connectionLost, message)
        }
        var isNotified = false
        while let notification = unsafe PQnotifies(connection) {
          unsafe PQfreemem(notification)
          isNotified = true
        }
        if isNotified { return true }
        guard try look(for: Int16(POLLIN), time - elapsed()) else { return false }
      }
    }

    /// Waits until the server has sent something, or takes more.
    private func wait(forRoom: Bool, _ left: Duration) throws(PostgresFailure) {
      let events = Int16(POLLIN) | (forRoom ? Int16(POLLOUT) : 0)
      guard try look(for: events, left) else {
        throw PostgresFailure(.connectionLost, "the server did not answer in time")
      }
    }

    /// Waits for the socket; returns whether the time was not over before.
    private func look(for events: Int16, _ left: Duration) throws(PostgresFailure) -> Bool {
      var look = unsafe pollfd(fd: PQsocket(connection), events: events, revents: 0)
      let (seconds, attoseconds) = left.components
      let milliseconds = seconds * 1_000 + attoseconds / 1_000_000_000_000_000
      guard milliseconds > 0 else { return false }
      let count = unsafe poll(&look, 1, CInt(clamping: milliseconds))
      if count < 0, errno != EINTR {
        throw PostgresFailure(.connectionLost, "the connection cannot be waited for")
      }
      return true
    }
  }

  @available(*, unavailable)
  extension PostgresConnection: Sendable {}

  /// The fields of an error, which Swift does not see since they are macros of characters.
  private enum PostgresDiagnostic {
    static let state = CInt(UInt8(ascii: "C"))
    static let message = CInt(UInt8(ascii: "M"))
  }
#endif
