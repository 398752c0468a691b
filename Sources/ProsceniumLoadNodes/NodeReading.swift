// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProsceniumTerminal

#if Cluster && Complete
  import Proscenium
  package import ProsceniumCluster
#endif

/// What a node says of itself a few times a second, in a line.
package struct NodeReading: Codable, Sendable {
  package static let mark = "reading "

  /// Its number, 0 while it has none.
  package var number: Int32 = 0
  /// How many slices it serves.
  package var served = 0
  package var sessions = 0
  package var connected = 0
  /// The latencies of what was delivered since the last reading, by buckets.
  package var delivered: [Int: Int] = [:]
}

/// What processes of a run tell one another as JSON, in one line.
package enum Line {
  package static func text(_ value: some Encodable) throws -> String {
    String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
  }

  package static func read<Value: Decodable>(_ text: String) throws -> Value {
    try JSONDecoder().decode(Value.self, from: Data(text.utf8))
  }

  /// Reads what comes behind the beginning of a line; nil if it begins otherwise.
  package static func read<Value: Decodable>(_ line: String, after mark: String) -> Value? {
    line.hasPrefix(mark) ? try? read(String(line.dropFirst(mark.count))) : nil
  }
}

#if Cluster && Complete
  extension ClusterNode {
    /// Says how the node is, until the task is cancelled.
    ///
    /// - Parameter delivered: The latencies of what was delivered since it was asked last.
    /// - Throws: If a reading cannot be written as JSON.
    @concurrent
    package func tellReadings(
      _ delivered: @Sendable () -> [Int: Int] = { [:] }
    ) async throws {
      while !Task.isCancelled {
        let status = status
        let reading = NodeReading(
          number: status.number ?? 0, served: status.isServing ? status.served : 0,
          sessions: application.openSessions.count,
          connected: application.connectedSceneCount, delivered: delivered())
        Terminal.announce(NodeReading.mark + (try Line.text(reading)) + "\n")
        // A reading is of a quarter of a second.
        try? await ContinuousClock().sleep(for: .milliseconds(250))
      }
    }
  }
#endif
