// SPDX-License-Identifier: Apache-2.0

import Logging

/// A log handler that keeps the diagnostics of an application in a log of calls.
struct DiagnosticsLog: LogHandler {
  let lines: CallLog
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.trace

  init(_ lines: CallLog) {
    self.lines = lines
  }

  /// A logger that writes to a log.
  static func logger(_ lines: CallLog) -> Logger {
    Logger(label: "test") { _ in DiagnosticsLog(lines) }
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    lines.append("\(event.level): \(event.message)")
  }
}
