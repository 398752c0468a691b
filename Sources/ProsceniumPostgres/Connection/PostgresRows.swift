// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import CPostgres
  import Proscenium

  /// What a call returned: rows of binary values, freed with the object.
  @safe
  final class PostgresRows {
    private let result: OpaquePointer

    /// Takes a result over.
    init(_ result: OpaquePointer) {
      unsafe self.result = result
    }

    deinit {
      unsafe PQclear(result)
    }

    /// How many rows there are.
    var count: Int { unsafe Int(PQntuples(result)) }

    func isNull(_ row: Int, _ column: Int) -> Bool {
      unsafe PQgetisnull(result, CInt(row), CInt(column)) != 0
    }

    /// An integer of the width of its type; 0 for NULL.
    func integer(_ row: Int, _ column: Int) -> Int64 {
      let bytes = bytes(row, column)
      guard let first = bytes.first else { return 0 }
      // Widened with its sign.
      let start: Int64 = first & 0x80 == 0 ? 0 : -1
      return bytes.prefix(8).reduce(start) { $0 << 8 | Int64($1) }
    }

    func integerOrNull(_ row: Int, _ column: Int) -> Int64? {
      isNull(row, column) ? nil : integer(row, column)
    }

    func boolean(_ row: Int, _ column: Int) -> Bool { bytes(row, column).first == 1 }

    func text(_ row: Int, _ column: Int) -> String? {
      isNull(row, column) ? nil : PostgresText.decoded(bytes(row, column))
    }

    /// The bytes of a value; none for NULL.
    func bytes(_ row: Int, _ column: Int) -> [UInt8] {
      let count = unsafe Int(PQgetlength(result, CInt(row), CInt(column)))
      guard count > 0, let start = unsafe PQgetvalue(result, CInt(row), CInt(column)) else {
        return []
      }
      return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
    }

    func identifier(_ row: Int, _ column: Int) -> SessionIdentifier? {
      let bytes = bytes(row, column)
      guard bytes.count == 16 else { return nil }
      let half = { (range: Range<Int>) in bytes[range].reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
      return SessionIdentifier(high: half(0..<8), low: half(8..<16))
    }
  }
#endif
