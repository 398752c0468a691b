// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import Logging
  import ProsceniumPrimitives

  /// Why a node has ended connections with others, as its log has it.
  final class EndedConnections: Sendable {
    private struct Handler: LogHandler {
      let ended: EndedConnections
      var metadata: Logger.Metadata = [:]
      var logLevel = Logger.Level.debug

      subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
      }

      func log(event: LogEvent) {
        guard event.message == "a connection between nodes has ended",
          let error = event.metadata?["error"]
        else { return }
        ended.note("\(error)")
      }
    }

    private let counts = Guarded<[String: Int]>([:])

    var logger: Logger { Logger(label: "fuzz") { _ in Handler(ended: self) } }

    private func note(_ reason: String) {
      // Numbers apart, so that what is the same is counted together.
      var text = ""
      for character in reason.prefix(100) {
        if !character.isNumber { text.append(character) } else if text.last != "#" { text += "#" }
      }
      counts.withLock { $0[text, default: 0] += 1 }
    }

    func count(of reason: String) -> Int {
      counts.withLock { counts in
        counts.reduce(0) { $0 + ($1.key.contains(reason) ? $1.value : 0) }
      }
    }

    /// Each reason and its count, the most frequent first.
    var all: [(reason: String, count: Int)] {
      counts.withLock { $0.sorted { ($1.value, $0.key) < ($0.value, $1.key) } }
        .map { ($0.key, $0.value) }
    }
  }
#endif
