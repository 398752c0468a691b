// SPDX-License-Identifier: Apache-2.0

/// Compares a log with what a step expects of it.
///
/// Where sequences may be interleaved, all ways to match are followed at once. Two ways that have
/// the same lines left are one, so that equal sequences do not multiply them; beyond a limit the
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
    var rests = LineRests()
    var ways: Set<[Int]> = [sequences.map { rests.number($0) }.sorted()]
    for _ in 0..<sequences.reduce(0, { $0 + $1.count }) {
      let next = position < found.count ? rests.ways(ways, taking: found[position]) : []
      if next.isEmpty { return difference(rests.heads(of: ways).joined(separator: " or ")) }
      if next.count > Self.wayLimit {
        return "log line \(position + 1): the unordered lines match in too many ways to follow"
      }
      ways = next
      position += 1
    }
    return nil
  }
}

/// What is left of sequences of lines, each numbered; the number 0 is nothing.
///
/// Rests of the same lines have the same number. A way to match is the sorted list of the rests
/// that it leaves.
private struct LineRests {
  private struct Rest: Hashable {
    let head: [UInt8]
    let tail: Int
  }

  private var rests: [Rest] = []
  private var numbers: [Rest: Int] = [:]

  /// The number of a whole sequence.
  mutating func number(_ lines: [String]) -> Int {
    var number = 0
    for line in lines.reversed() {
      let rest = Rest(head: Array(line.utf8), tail: number)
      if let known = numbers[rest] {
        number = known
      } else {
        rests.append(rest)
        number = rests.count
        numbers[rest] = number
      }
    }
    return number
  }

  /// The ways that are left once a line was taken.
  func ways(_ ways: Set<[Int]>, taking line: String) -> Set<[Int]> {
    let bytes = Array(line.utf8)
    var next: Set<[Int]> = []
    for way in ways {
      for (index, number) in way.enumerated() where rests[number - 1].head == bytes {
        // Equal rests are adjacent; taking from one of them is enough.
        if index > 0, way[index - 1] == number { continue }
        var left = way
        left.remove(at: index)
        let tail = rests[number - 1].tail
        if tail > 0 { left.insert(tail, at: left.firstIndex { $0 > tail } ?? left.endIndex) }
        next.insert(left)
      }
    }
    return next
  }

  /// The lines that can come next.
  func heads(of ways: Set<[Int]>) -> [String] {
    let heads = Set(ways.joined().map { rests[$0 - 1].head })
    return heads.map { String(decoding: $0, as: UTF8.self) }.sorted()
  }
}
