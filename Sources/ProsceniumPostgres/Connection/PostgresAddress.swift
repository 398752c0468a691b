// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import CPostgres
  package import Proscenium

  /// Where a database is, and how it is reached: a `postgres://` URL, or keywords as libpq has
  /// them.
  package struct PostgresAddress: Sendable {
    /// What libpq is given; it may hold a password.
    private let text: String

    /// Host, port and database, for messages.
    package let place: String

    /// What the text says itself.
    private let given: Set<String>

    /// Reads an address.
    ///
    /// - Throws: `unusable` if libpq does not understand it, or takes a part of a password for
    ///   something else. The error says nothing of the text, which may hold a password.
    package init(_ text: String) throws(StoreError) {
      var message: UnsafeMutablePointer<CChar>?
      guard let options = unsafe PQconninfoParse(text, &message) else {
        let reason = unsafe message.map { unsafe String(cString: $0) } ?? "out of memory"
        unsafe PQfreemem(message)
        throw Self.error(Self.withoutQuotes(reason))
      }
      defer { unsafe PQconninfoFree(options) }
      var values: [String: String] = [:]
      var option = unsafe options
      while let keyword = unsafe option.pointee.keyword {
        if let value = unsafe option.pointee.val {
          unsafe values[String(cString: keyword)] = String(cString: value)
        }
        unsafe option += 1
      }
      let encoding = "the characters : / @ % of a password are written as %3A, %2F, %40 and %25"
      guard (values["port"] ?? "").allSatisfy({ $0 == "," || "0"..."9" ~= $0 }) else {
        throw Self.error("the port is no number; \(encoding)")
      }
      // On Linux the name of a socket can begin with one.
      guard
        (values["host"] ?? "").split(separator: ",").allSatisfy({ !$0.dropFirst().contains("@") })
      else { throw Self.error("the name of a host has an @; \(encoding)") }
      let database = values["dbname"] ?? ""
      guard !database.contains("@") || !text.contains("://") || text.contains("%40") else {
        throw Self.error("the name of the database has an @; \(encoding)")
      }
      self.text = text
      given = Set(values.keys)
      let host = values["host"] ?? values["hostaddr"] ?? "the default host"
      let port = values["port"].map { ":\($0)" } ?? ""
      place = "postgres://\(host)\(port)/\(database)"
    }

    private static func error(_ reason: String) -> StoreError {
      StoreError(
        .unusable,
        "expected the address of a PostgreSQL database, such as"
          + " postgres://user@host:5432/database: \(reason).")
    }

    /// What libpq says, up to where it repeats more than a character of the text.
    private static func withoutQuotes(_ message: String) -> String {
      var result = ""
      let parts = message.prefix { !$0.isNewline }
        .split(separator: "\"", omittingEmptySubsequences: false)
      for (number, part) in parts.enumerated() {
        if number % 2 == 1, part.count != 1 { break }
        result += number % 2 == 1 ? "\"\(part)\"" : part
      }
      while let last = result.last, last == " " || last == ":" { result.removeLast() }
      return result
    }

    /// The keywords of a connection and their values; a later one counts.
    ///
    /// - Parameter name: By what the server knows the connection.
    /// - Returns: The keywords, with what libpq is to do unless the address says otherwise.
    func parameters(named name: String) -> [(keyword: String, value: String)] {
      // What the address says itself stays, but for the name, by which a dead node's connections
      // are found.
      let usual = [
        ("connect_timeout", "2"), ("tcp_user_timeout", "5000"), ("keepalives_idle", "5"),
        ("keepalives_interval", "2"), ("keepalives_count", "3"),
        ("target_session_attrs", "read-write"),
      ].filter { !given.contains($0.0) }
      return usual + [("dbname", text), ("client_encoding", "UTF8"), ("application_name", name)]
    }
  }
#endif
