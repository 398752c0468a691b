// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON

/// What a step expects next in the log.
enum LogEntry: Decodable, Sendable, Hashable {
  case line(String)
  /// Any interleaving of these, each in its own order.
  case unordered([[String]])

  init(from decoder: any Decoder) throws {
    let node = decoder.json
    if case .text(let line) = node.value {
      self = .line(line)
      return
    }
    guard case .object = node.value else {
      throw node.failure(.wrongType, "a line, or an object with \"unordered\"")
    }
    try node.checkKeys("unordered")
    let list = try node.member("unordered")
    let sequences: [[String]] = try list.decode()
    if let empty = sequences.firstIndex(of: []) {
      throw try list.elements()[empty].failure(.outOfRange, "a sequence of at least one line")
    }
    guard sequences.count >= 2 else {
      throw list.failure(.outOfRange, "two sequences or more", found: "\(sequences.count)")
    }
    self = .unordered(sequences)
  }
}

/// Compares a log with what a step expects of it.
///
/// Where sequences may be interleaved, all ways to match are followed at once; beyond a limit the
/// step fails instead of taking for ever.
struct LogMatcher: Sendable {
  /// How many ways to match are followed at most.
  static let wayLimit = 10_000

  private let found: [String]
  private var position = 0

  /// Says what differs first, or nil.
  static func difference(_ found: [String], from expected: [LogEntry]) -> String? {
    var matcher = LogMatcher(found: found)
    for entry in expected {
      let difference =
        switch entry {
        case .line(let line): matcher.take(line)
        case .unordered(let sequences): matcher.take(sequences)
        }
      if let difference { return difference }
    }
    return matcher.position == found.count ? nil : matcher.difference("the end of the log")
  }

  private init(found: [String]) {
    self.found = found
  }

  private func difference(_ expected: String) -> String {
    let line = position < found.count ? found[position] : "the end of the log"
    return "log line \(position + 1): expected \(expected), found \(line)"
  }

  private mutating func take(_ line: String) -> String? {
    guard position < found.count, found[position].utf8.elementsEqual(line.utf8) else {
      return difference(line)
    }
    position += 1
    return nil
  }

  private mutating func take(_ sequences: [[String]]) -> String? {
    let sequences = sequences.map { $0.map { Array($0.utf8) } }
    // A way is how many lines of each sequence are taken.
    var ways: Set<[Int]> = [sequences.map { _ in 0 }]
    for _ in 0..<sequences.reduce(0, { $0 + $1.count }) {
      let line = position < found.count ? Array(found[position].utf8) : nil
      var next: Set<[Int]> = []
      var heads: Set<[UInt8]> = []
      for way in ways {
        for (index, taken) in way.enumerated() where taken < sequences[index].count {
          let head = sequences[index][taken]
          heads.insert(head)
          guard head == line else { continue }
          var longer = way
          longer[index] += 1
          next.insert(longer)
        }
      }
      if next.isEmpty {
        let texts = heads.map { String(decoding: $0, as: UTF8.self) }.sorted()
        return difference(texts.joined(separator: " or "))
      }
      if next.count > Self.wayLimit {
        return "log line \(position + 1): the unordered lines match in too many ways to follow"
      }
      ways = next
      position += 1
    }
    return nil
  }
}
