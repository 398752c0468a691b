// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium

  /// The arguments of a call, in the binary form that PostgreSQL reads.
  struct PostgresParameters: Sendable {
    private(set) var types: [UInt32] = []
    /// Where the value of each is in the bytes; `nil` for NULL.
    private(set) var ranges: [Range<Int>?] = []
    /// All values; the first byte is none of theirs, so that an empty value has an address as well.
    private(set) var bytes: [UInt8] = [0]

    init() {}

    private mutating func add(_ type: PostgresType, _ value: [UInt8]?) {
      types.append(type.rawValue)
      guard let value else { return ranges.append(nil) }
      ranges.append(bytes.count..<bytes.count + value.count)
      bytes += value
    }

    // MARK: - Single values

    mutating func add(_ value: Bool) { add(.boolean, [value ? 1 : 0]) }

    mutating func add(_ value: Int16) { add(.int2, value.networkBytes) }

    mutating func add(_ value: Int32) { add(.int4, value.networkBytes) }

    mutating func add(_ value: Int64) { add(.int8, value.networkBytes) }

    mutating func add(_ value: String?) { add(.text, value.map(PostgresText.encoded)) }

    mutating func add(_ value: [UInt8]?) { add(.bytes, value) }

    mutating func add(_ value: SessionIdentifier) { add(.uuid, value.networkBytes) }

    // MARK: - Arrays

    mutating func add(_ values: [Bool]) {
      addArray(values, .boolean) { $0.append($1 ? 1 : 0) }
    }

    mutating func add(_ values: [Int16]) {
      addArray(values, .int2) { $0.append(network: $1) }
    }

    mutating func add(_ values: [Int64]) {
      addArray(values, .int8) { $0.append(network: $1) }
    }

    mutating func add(_ values: [Int64?]) {
      addOptionals(values, .int8) { $0.append(network: $1) }
    }

    mutating func add(_ values: [String?]) {
      addOptionals(values, .text) { $0 += PostgresText.encoded($1) }
    }

    mutating func add(_ values: [[UInt8]]) {
      addArray(values, .bytes) { $0 += $1 }
    }

    mutating func add(_ values: [ArraySlice<UInt8>]) {
      addArray(values, .bytes) { $0 += $1 }
    }

    mutating func add(_ values: [[UInt8]?]) {
      addOptionals(values, .bytes) { $0 += $1 }
    }

    mutating func add(_ values: [SessionIdentifier]) {
      addArray(values, .uuid) { bytes, session in
        bytes.append(network: session.high)
        bytes.append(network: session.low)
      }
    }

    /// Adds the places and the identifiers of sessions: two arguments.
    mutating func add(places sessions: [SessionIdentifier]) {
      add(sessions.map(\.place))
      add(sessions)
    }

    private mutating func addArray<Value>(
      _ values: [Value], _ type: PostgresType, _ append: (inout [UInt8], Value) -> Void
    ) {
      addOptionals(values.lazy.map(Optional.some), type, append)
    }

    private mutating func addOptionals<Value>(
      _ values: some Collection<Value?>, _ type: PostgresType,
      _ append: (inout [UInt8], Value) -> Void
    ) {
      let first = bytes.count
      // How many dimensions there are, that values can be NULL, their type, the number, the first
      // index.
      bytes.append(network: Int32(values.isEmpty ? 0 : 1))
      bytes.append(network: Int32(1))
      bytes.append(network: type.rawValue)
      if !values.isEmpty {
        bytes.append(network: Int32(clamping: values.count))
        bytes.append(network: Int32(1))
      }
      for value in values {
        guard let value else {
          bytes.append(network: Int32(-1))
          continue
        }
        let start = bytes.count
        bytes.append(network: Int32(0))
        append(&bytes, value)
        let size = UInt32(clamping: bytes.count - start - 4)
        for byte in 0..<4 {
          bytes[start + byte] = UInt8(truncatingIfNeeded: size >> (24 - 8 * byte))
        }
      }
      types.append(type.array)
      ranges.append(first..<bytes.count)
    }
  }

  /// PostgreSQL's numbers of the types that are sent.
  enum PostgresType: UInt32 {
    case boolean = 16
    case bytes = 17
    case int8 = 20
    case int2 = 21
    case int4 = 23
    case text = 25
    case uuid = 2950

    /// The type of an array of these.
    var array: UInt32 {
      switch self {
      case .boolean: 1000
      case .bytes: 1001
      case .int8: 1016
      case .int2: 1005
      case .int4: 1007
      case .text: 1009
      case .uuid: 2951
      }
    }
  }

  /// Texts as PostgreSQL keeps them: it has no character NUL.
  ///
  /// NUL is written as the characters U+001A and `0`, and U+001A as U+001A and `1`.
  enum PostgresText {
    private static let escape: UInt8 = 0x1A

    static func encoded(_ text: String) -> [UInt8] {
      let bytes = Array(text.utf8)
      guard bytes.contains(where: { $0 == 0 || $0 == escape }) else { return bytes }
      return bytes.flatMap { byte -> [UInt8] in
        switch byte {
        case 0: [escape, UInt8(ascii: "0")]
        case escape: [escape, UInt8(ascii: "1")]
        default: [byte]
        }
      }
    }

    static func decoded(_ bytes: [UInt8]) -> String {
      guard bytes.contains(escape) else { return String(decoding: bytes, as: UTF8.self) }
      var result: [UInt8] = []
      var rest = bytes[...]
      while let byte = rest.popFirst() {
        if byte == escape, let next = rest.popFirst() {
          result.append(next == UInt8(ascii: "0") ? 0 : escape)
        } else {
          result.append(byte)
        }
      }
      return String(decoding: result, as: UTF8.self)
    }
  }

  extension FixedWidthInteger {
    /// The bytes, the most significant first.
    var networkBytes: [UInt8] {
      var bytes: [UInt8] = []
      bytes.append(network: self)
      return bytes
    }
  }

  extension SessionIdentifier {
    var networkBytes: [UInt8] { high.networkBytes + low.networkBytes }

    /// The first 16 bits, by which rows are ordered: the session's slice is a range of them.
    var place: Int16 { Int16(bitPattern: UInt16(truncatingIfNeeded: high >> 48)) }
  }

  extension [UInt8] {
    mutating func append(network value: some FixedWidthInteger) {
      unsafe Swift.withUnsafeBytes(of: value.bigEndian) { unsafe append(contentsOf: $0) }
    }
  }
#endif
