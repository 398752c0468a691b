// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
@testable import ProsceniumTestKit

/// An entry of a vector's log: a line, or sequences of lines whose interleaving is open.
enum ModelEntry: Hashable, CustomStringConvertible {
  case line(String)
  case unordered([[String]])

  init(_ node: JSONNode) throws(JSONFileError) {
    if case .text(let line) = node.value {
      self = .line(line)
      return
    }
    var sequences: [[String]] = []
    for sequence in try node.member("unordered").elements() {
      var lines: [String] = []
      for line in try sequence.elements() { lines.append(try line.text()) }
      sequences.append(lines)
    }
    self = .unordered(sequences)
  }

  /// The lines, in one of the orders that are possible.
  var lines: [String] {
    switch self {
    case .line(let line): [line]
    case .unordered(let sequences): sequences.flatMap { $0 }
    }
  }

  var json: JSONValue {
    switch self {
    case .line(let line): .text(line)
    case .unordered(let sequences):
      .object([
        JSONMember("unordered", .list(sequences.map { .list($0.map { .text($0) }) }))
      ])
    }
  }

  /// The entry with the sequences in a fixed order, for comparing two of them.
  var canonical: ModelEntry {
    switch self {
    case .line: self
    case .unordered(let sequences):
      .unordered(sequences.sorted { $0.joined(separator: "\n") < $1.joined(separator: "\n") })
    }
  }

  var description: String { json.description }
}
