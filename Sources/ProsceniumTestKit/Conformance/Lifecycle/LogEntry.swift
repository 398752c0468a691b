// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON

/// What a step expects next in the log.
enum LogEntry: Sendable, Hashable {
  case line(String)
  /// Any interleaving of these, each in its own order.
  case unordered([[String]])

  init(_ node: JSONNode) throws(JSONFileError) {
    if case .text(let line) = node.value {
      self = .line(line)
      return
    }
    guard case .object = node.value else {
      throw node.failure(.wrongType, "a line, or an object with \"unordered\"")
    }
    try node.checkKeys("unordered")
    let list = try node.member("unordered")
    var sequences: [[String]] = []
    for element in try list.elements() {
      var lines: [String] = []
      for line in try element.elements() { lines.append(try line.text()) }
      if lines.isEmpty { throw element.failure(.outOfRange, "a sequence of at least one line") }
      sequences.append(lines)
    }
    guard sequences.count >= 2 else {
      throw list.failure(.outOfRange, "two sequences or more", found: "\(sequences.count)")
    }
    self = .unordered(sequences)
  }
}
