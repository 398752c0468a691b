// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium
  import ProsceniumPredicate
  import ProsceniumStoring

  /// Reads the rows of sessions page by page, in the order of their places and identifiers.
  struct RowPages: Sendable {
    /// How many rows a page has.
    private static let usualSize = 8_192

    private let places: ClosedRange<Int16>
    private let size: Int
    private var first = SessionIdentifier(high: 0, low: 0)
    private var last: SessionIdentifier?
    private var predicates = PredicateCache()
    private var isOver = false

    init(_ places: ClosedRange<Int16> = .min ... .max) {
      self.places = places
      size = Self.usualSize
    }

    /// Begins with one session, and reads no more than it.
    init(only session: SessionIdentifier) {
      places = session.place...session.place
      first = session
      size = 1
    }

    /// The rows of all sessions of slices.
    static func rows(
      of slices: [Int16], _ configurations: ConfigurationNumbers, on connection: PostgresConnection
    ) throws(PostgresFailure) -> [SessionRow] {
      var parameters = PostgresParameters()
      parameters.add(slices)
      let rows = try connection.call("SELECT * FROM proscenium.slice_rows_1($1)", parameters)
      var pages = RowPages()
      return (0..<rows.count).compactMap { pages.row(rows, $0, configurations) }
    }

    /// The next page.
    ///
    /// - Returns: The rows; none behind the last page.
    mutating func next(
      _ configurations: ConfigurationNumbers, on connection: PostgresConnection
    ) throws(PostgresFailure) -> [SessionRow] {
      if isOver { return [] }
      var parameters = PostgresParameters()
      parameters.add(places.lowerBound)
      parameters.add(places.upperBound)
      // Before the first row of all, there is none of this place.
      parameters.add(last?.place ?? places.lowerBound)
      parameters.add(last ?? first)
      parameters.add(Int32(size))
      parameters.add(last == nil)
      let rows = try connection.call(
        "SELECT * FROM proscenium.rows_1($1, $2, $3, $4, $5, $6)", parameters)
      isOver = rows.count < size
      var result: [SessionRow] = []
      result.reserveCapacity(rows.count)
      for index in 0..<rows.count {
        guard let row = row(rows, index, configurations) else { continue }
        result.append(row)
      }
      last = result.last?.persistentIdentifier
      return result
    }

    private mutating func row(
      _ rows: PostgresRows, _ index: Int, _ configurations: ConfigurationNumbers
    ) -> SessionRow? {
      guard let session = rows.identifier(index, 0) else { return nil }
      var problem: String?
      let number = Int16(truncatingIfNeeded: rows.integer(index, 1))
      let configuration = configurations[number]
      if configuration == nil { problem = "its configuration, \(number), is missing" }
      let isDiscarded = rows.boolean(index, 3)
      let hasKey = rows.boolean(index, 14)
      if isDiscarded, hasKey { problem = problem ?? "it is discarded, and has a key" }
      if rows.boolean(index, 4), !hasKey { problem = problem ?? "it has a state and no key" }
      var conditions = SceneActivationConditions()
      if let text = rows.text(index, 10) {
        if let predicate = predicates[text] {
          conditions.can = predicate
        } else {
          problem = problem ?? "one of its conditions is no predicate"
        }
      }
      if let text = rows.text(index, 11) {
        if let predicate = predicates[text] {
          conditions.prefers = predicate
        } else {
          problem = problem ?? "one of its conditions is no predicate"
        }
      }
      return SessionRow(
        persistentIdentifier: session, configuration: configuration ?? StoredConfiguration(),
        lastActivated: UInt64(clamping: rows.integer(index, 5)),
        group: rows.text(index, 8).map { SceneGroup(rawValue: $0) },
        activationConditions: conditions, title: rows.text(index, 12),
        subtitle: rows.text(index, 13),
        destructionConditions: DestructionBits.conditions(of: rows.integer(index, 2)),
        hasSavedState: rows.boolean(index, 4), isDiscarded: isDiscarded && !hasKey,
        nextWake: rows.integerOrNull(index, 6), owner: rows.text(index, 9),
        lastUsed: rows.integerOrNull(index, 7),
        damage: problem.map { problem in
          StoreError(
            .damaged, session: session, "expected a session as it was written: \(problem).")
        })
    }
  }
#endif
