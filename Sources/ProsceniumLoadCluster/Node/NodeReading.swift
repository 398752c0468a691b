// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import Foundation

  /// What a node says of itself a few times a second, in a line.
  struct NodeReading: Codable, Sendable {
    static let mark = "reading "

    /// Its number, 0 while it has none.
    var number: Int32 = 0
    /// How many slices it serves.
    var served = 0
    var sessions = 0
    var connected = 0
    /// The latencies of what was delivered since the last reading, by buckets.
    var delivered: [Int: Int] = [:]
  }

  /// What processes of a run tell one another as JSON, in one line.
  enum Line {
    static func text(_ value: some Encodable) throws -> String {
      String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
    }

    static func read<Value: Decodable>(_ text: String) throws -> Value {
      try JSONDecoder().decode(Value.self, from: Data(text.utf8))
    }
  }
#endif
