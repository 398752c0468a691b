// SPDX-License-Identifier: Apache-2.0

import Logging
import ProsceniumPrimitives

/// What was logged: level, message and metadata of each line.
final class LogLines: Sendable {
  private struct Handler: LogHandler {
    let lines: LogLines
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    init(_ lines: LogLines) {
      self.lines = lines
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      let metadata = (event.metadata ?? [:]).sorted { $0.key < $1.key }
      let words = metadata.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
      lines.lines.withLock { $0.append("\(event.level): \(event.message), \(words)") }
    }
  }

  private let lines = Guarded<[String]>([])

  /// A logger that writes here.
  var logger: Logger { Logger(label: "test") { [self] _ in Handler(self) } }

  /// The lines since they were taken last.
  func take() -> [String] {
    lines.withLock { lines in
      defer { lines = [] }
      return lines
    }
  }
}
