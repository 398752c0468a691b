// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
import Testing

@testable import ProsceniumLoad

@Suite struct AccessLogGeneratorTests {
  private func lines(_ generator: AccessLogGenerator) -> [String] {
    var lines: [String] = []
    generator.generate { lines.append($0) }
    return lines
  }

  private func requests(_ generator: AccessLogGenerator) throws -> [AccessLogLine] {
    try lines(generator).map { line throws in try AccessLogLine(parsing: line) }
  }

  @Test func `equal options give equal lines, another seed others`() throws {
    let first = lines(try AccessLogGenerator(lines: 500, seed: 7))
    #expect(first.count == 500)
    #expect(first == lines(try AccessLogGenerator(lines: 500, seed: 7)))
    #expect(first != lines(try AccessLogGenerator(lines: 500, seed: 8)))
  }

  @Test func `the first lines are the same on every machine`() throws {
    let lines = lines(try AccessLogGenerator(lines: 20_000, malformed: 20, seed: 1))
    var digest = ReplayDigest()
    for line in lines { digest.add(line) }
    #expect(digest.text == "d56a4129425702db")
  }

  @Test func `a log looks like that of a small web site`() throws {
    let generator = try AccessLogGenerator(lines: 20_000, users: 3_000, paths: 800, days: 2)
    let requests = try requests(generator)
    var users = ReplayUsers()
    var seen: [String: Int] = [:]
    for request in requests {
      _ = users.user(of: request)
      seen[request.path, default: 0] += 1
    }
    #expect((1_000...3_000).contains(users.count))
    #expect((400...800).contains(seen.count))
    // Zipf: the first page has about 1 / H(800) = 1 / 7.3 of all requests.
    let popular = seen.values.sorted(by: >)
    #expect((1_800...3_800).contains(popular[0]))
    #expect((700...2_200).contains(popular[1]))
    let activations = requests.filter { $0.referrer == nil }.count
    #expect((4_000...12_000).contains(activations))
    #expect(Set(requests.map(\.userAgent)).count >= 8)
    #expect(Set(requests.map(\.client)).count < users.count)
    #expect(requests.contains { $0.bytes == 0 })
    #expect(requests.contains { $0.method == "HEAD" } && requests.contains { $0.method == "POST" })
  }

  @Test func `the days have their nights, and stamps step back a little`() throws {
    let generator = try AccessLogGenerator(lines: 20_000, days: 2, start: 86_400)
    let times = try requests(generator).map(\.time)
    #expect(times.allSatisfy { $0 >= 86_370 && $0 < 3 * 86_400 })
    let hours = times.reduce(into: [Int](repeating: 0, count: 24)) {
      $0[Int($1) % 86_400 / 3_600] += 1
    }
    #expect(hours[20] > hours[3] * 5)
    let steps = zip(times, times.dropFirst()).map { $1 - $0 }
    #expect(steps.min() ?? 0 >= -30)
    #expect((1_000...8_000).contains(steps.filter { $0 < 0 }.count))
  }

  @Test(arguments: [(10, 0), (10, 1), (10, 10), (1_000, 37), (1, 1)])
  func `exactly so many lines are malformed`(_ count: Int, _ malformed: Int) throws {
    let generator = try AccessLogGenerator(lines: count, malformed: malformed, seed: 3)
    let lines = lines(generator)
    #expect(lines.count == count)
    let sound = lines.filter { (try? AccessLogLine(parsing: $0)) != nil }
    #expect(sound.count == count - malformed)
    #expect(!lines.contains { $0.allSatisfy(\.isWhitespace) })
  }

  @Test func `one line, one user and one path are enough`() throws {
    let generator = try AccessLogGenerator(lines: 1, users: 1, paths: 1, days: 1)
    let requests = try requests(generator)
    #expect(requests.map(\.path) == ["/"])
  }

  @Test func `the largest options do not overflow`() throws {
    let clock = GeneratedClock(start: 0, days: 3_650, lines: 1_000_000_000)
    let last = clock.time(ofLine: 999_999_999)
    #expect(last < 3_650 * 86_400)
    #expect(last > 3_650 * 86_400 - 10)
  }

  @Test func `parameters out of range are refused`() {
    let code = { (make: () throws(FileError) -> AccessLogGenerator) in
      #expect(throws: FileError.self) { try make() }?.code
    }
    #expect(code { () throws(FileError) in try .init(lines: 0) } == .outOfRange)
    #expect(code { () throws(FileError) in try .init(users: 0) } == .outOfRange)
    #expect(code { () throws(FileError) in try .init(paths: -1) } == .outOfRange)
    #expect(code { () throws(FileError) in try .init(days: 3_651) } == .outOfRange)
    #expect(code { () throws(FileError) in try .init(start: -1) } == .outOfRange)
    #expect(
      code { () throws(FileError) in try .init(lines: 5, malformed: 6) }
        == .outOfRange)
  }
}
