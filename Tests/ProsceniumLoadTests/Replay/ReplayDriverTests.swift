// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
import ProsceniumPrimitives
import Proscenium
import Testing

@testable import ProsceniumLoad

@Suite struct ReplayDriverTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  // MARK: - Any log

  @Test(
    arguments: [nil, 20, 1] as [Int?], [(1, 1), (2, 16), (64, 3)])
  func `a generated log is verified`(connected: Int?, shape: (shards: Int, users: Int)) async throws
  {
    var settings = ReplaySettings()
    settings.connected = connected
    settings.shards = shape.shards
    settings.concurrency = shape.users
    let summary = try await replay(generated(lines: 600), settings)
    #expect(summary.verdict == "verified")
    #expect(summary.counts.requests == 600)
    #expect(summary.counts.failed == 0)
    #expect(summary.counts.openSessions == summary.verification.finalStates)
    #expect(summary.counts.restorations == summary.verification.restorations)
    if let connected {
      #expect(summary.counts.restorations > 0)
      #expect(summary.counts.connectedPeak <= connected + shape.users)
      let left = summary.counts.connections - summary.counts.systemDisconnects
      #expect(left <= connected + summary.counts.destroyed)
    } else {
      #expect(summary.counts.systemDisconnects == 0)
      #expect(summary.counts.restorations == 0)
    }
  }

  @Test(
    arguments: [
      (MistakenDelegate.Mistake.drop, [1, 0, 0]), (.double, [0, 1, 0]), (.swap, [0, 0, 1]),
    ])
  func `one delivery that goes wrong is found`(
    mistake: MistakenDelegate.Mistake, counts: [Int]
  ) async throws {
    // The mistake is made with the eighth event that is delivered; the first one is in the options.
    let log = (1...10).map { request("/\($0)", referrer: $0 == 1 ? nil : "/") }
    let found = try await replay(log, mistake: mistake).verification
    #expect([found.lost, found.duplicated, found.reordered] == counts)
    #expect(found.verdict.hasPrefix("not verified: "))
  }

  // MARK: - Windows

  @Test func `one window too many destroys the least recently used one`() async throws {
    var settings = ReplaySettings()
    settings.windows = 2
    // The third one makes /a the more recently used of the first two windows.
    let summary = try await replay(
      [request("/a"), request("/b"), request("/a"), request("/c")], settings)
    #expect(summary.verdict == "verified")
    #expect(summary.counts.sessions == 3)
    #expect(summary.counts.destroyed == 1)
    #expect(summary.counts.openSessions == 2)
  }

  @Test func `a window that has the path open is used again, and none is destroyed`() async throws {
    var settings = ReplaySettings()
    settings.windows = 2
    let summary = try await replay(
      [request("/a"), request("/b"), request("/b"), request("/a")], settings)
    #expect(summary.verdict == "verified")
    #expect(summary.counts.sessions == 2)
    #expect(summary.counts.destroyed == 0)
  }

  @Test func `users do not share windows`() async throws {
    let log = ["x", "y", "x", "y"].map { request("/same", agent: $0, referrer: "/") }
    let summary = try await replay(log, ReplaySettings())
    #expect(summary.verdict == "verified")
    #expect(summary.verification.users == 2)
    #expect(summary.counts.sessions == 2)
    #expect(summary.counts.events == 4)
  }

  @Test func `clients behind a virtual host are users of their own`() async throws {
    // Debian's other_vhosts_access.log: ten clients with one program open nine windows each.
    let lines = (0..<90).map { index in
      "www.example.net:443 203.0.113.\(index % 10) - - [03/Oct/2024:22:00:00 +0200] "
        + "\"GET /\(index) HTTP/1.1\" 200 10 \"-\" \"agent\"\n"
    }
    let path = try folder.file("access.log", lines.joined())
    let summary = try await ReplayDriver(clock: ContinuousClock()).run(log: path)
    #expect(summary.verdict == "verified")
    #expect(summary.malformedLines == 0)
    #expect(summary.verification.users == 10)
    #expect(summary.counts.destroyed == 10)
  }

  @Test func `one path of two virtual hosts is two pages`() async throws {
    let lines = ["a", "b", "a"].map { host in
      "\(host).example:80 ::1 - - [03/Oct/2024:22:00:00 +0200] \"GET / HTTP/1.1\" 200 1\n"
    }
    let path = try folder.file("access.log", lines.joined())
    let summary = try await ReplayDriver(clock: ContinuousClock()).run(log: path)
    #expect(summary.verdict == "verified")
    #expect(summary.counts.sessions == 2)
  }

  @Test(arguments: [1, 2, 3])
  func `a session remembers as many tabs as it may`(tabs: Int) async throws {
    var settings = ReplaySettings()
    settings.tabs = tabs
    // An event for each path, then activations: only those still open find their window.
    let log =
      ["/1", "/2", "/3"].map { request($0, referrer: "/") }
      + ["/3", "/2", "/1"].map { request($0) }
    let summary = try await replay(log, settings)
    #expect(summary.verdict == "verified")
    #expect(summary.counts.sessions == 1 + (3 - tabs))
  }

  // MARK: - Time

  @Test(arguments: [(60, 1), (61, 2), (10, 1)])
  func `who is idle for too long goes to the background`(gap: Int64, sent: Int) async throws {
    var settings = ReplaySettings()
    settings.idle = 60
    settings.concurrency = 1
    // The second user's stamps make log time pass; the one that steps back does not turn it back.
    let log = [
      request("/", agent: "first", at: 0), request("/", agent: "second", at: 61),
      request("/", agent: "second", at: 5), request("/", agent: "second", at: 61 + gap),
    ]
    let summary = try await replay(log, settings)
    #expect(summary.counts.idleBackgrounds == sent)
    #expect(summary.logSeconds == 61 + gap)
  }

  @Test func `log time is paced by the clock`() async throws {
    var settings = ReplaySettings()
    settings.speed = .times(60)
    let log = [request("/a", at: 100), request("/b", at: 220), request("/c", at: 40)]
    let path = try folder.file("access.log", text(log))
    let summary = try await ReplayDriver(settings: settings, clock: LeapingClock()).run(log: path)
    #expect(summary.verdict == "verified")
    #expect(summary.cost.seconds == 2)
  }

  // About 74 years: one clock that is wrong.
  private static let far: Int64 = 2_335_000_000

  @Test(
    arguments: [
      ([0, 60, far, 120, 180], 120), ([far, 0, 60], 60), ([0, -far, 60, 120], 60),
      ([0, far, far + 10, far + 20, 60, 70], 30), ([0, 28_800, 28_860], 28_860),
      ([0, 604_800, 604_860], 604_860), ([0, 604_801, 604_861], 60), ([700_000, 0, 60], 60),
    ] as [([Int64], Int64)])
  func `stamps that leap by more than a week are not waited for`(
    stamps: [Int64], seconds: Int64
  ) async throws {
    var settings = ReplaySettings()
    settings.speed = .times(60)
    let path = try folder.file("access.log", text(stamps.map { request("/", at: $0) }))
    let summary = try await ReplayDriver(settings: settings, clock: LeapingClock()).run(log: path)
    #expect(summary.verdict == "verified")
    #expect(summary.logSeconds == seconds)
    #expect(summary.cost.seconds == Double(seconds) / 60)
  }

  @Test(arguments: [(40, 0), (70, 1)] as [(Int64, Int)])
  func `one wrong stamp sends no window to the background`(last: Int64, sent: Int) async throws {
    var settings = ReplaySettings()
    settings.idle = 60
    settings.concurrency = 1
    let log = [
      request("/", agent: "first", at: 0), request("/", agent: "second", at: Self.far),
      request("/", agent: "second", at: 0), request("/", agent: "second", at: 30),
      request("/", agent: "second", at: last),
    ]
    let summary = try await replay(log, settings)
    #expect(summary.counts.idleBackgrounds == sent)
    #expect(summary.logSeconds == last)
  }

  @Test func `a run that is stopped verifies what was read`() async throws {
    var settings = ReplaySettings()
    settings.speed = .times(1)
    let path = try folder.file("access.log", text([request("/", at: 0), request("/", at: 9)]))
    let summary = try await ReplayDriver(settings: settings, clock: FrozenClock())
      .run(log: path, until: {})
    #expect(!summary.isComplete)
    #expect(summary.counts.requests <= 1)
    #expect(summary.counts.requests == summary.verification.requests)
    #expect(summary.verdict == "verified, stopped early")
    #expect(summary.text.hasPrefix("stopped early"))
  }

  @Test func `a cancelled task has no result`() async throws {
    let path = try folder.file("access.log", text([request("/")]))
    await #expect(throws: CancellationError.self) {
      try await withThrowingTaskGroup(of: ReplaySummary.self) { group in
        group.cancelAll()
        group.addTask { try await ReplayDriver(clock: ContinuousClock()).run(log: path) }
        _ = try await group.next()
      }
    }
  }

  // MARK: - Input

  @Test func `malformed lines are counted and shown with their numbers`() async throws {
    let noise = (1...7).map { "noise \($0)" }.joined(separator: "\n")
    let path = try folder.file("access.log", text([request("/")]) + noise + "\n")
    let summary = try await ReplayDriver(clock: ContinuousClock()).run(log: path)
    #expect(summary.verdict == "verified")
    #expect(summary.malformedLines == 7)
    #expect(summary.lines == 8)
    #expect(summary.malformed.count == 5)
    #expect(summary.malformed.first?.hasPrefix("line 2: ") == true)
    #expect(summary.text.contains("  and 2 more\n"))
  }

  @Test func `a log that breaks off in the middle is an error, not a result`() async throws {
    let compressed = Gzip.member(try text(generated(lines: 2_000)))
    let path = try folder.file("access.log.gz", Array(compressed.dropLast(20)))
    let error = await #expect(throws: FileError.self) {
      try await ReplayDriver(clock: ContinuousClock()).run(log: path)
    }
    #expect(error?.code == .truncatedGzip)
  }

  @Test func `values outside their range are brought inside`() async throws {
    var settings = ReplaySettings()
    settings.windows = 0
    settings.connected = 0
    settings.tabs = 99
    settings.shards = 1_000
    settings.concurrency = 0
    settings.idle = -1
    settings.speed = .times(-1)
    let summary = try await replay([request("/a"), request("/b")], settings)
    #expect(summary.verdict == "verified")
    #expect(summary.settings.windows == 1)
    #expect(summary.settings.connected == 1)
    #expect(summary.settings.tabs == ReplayState.tabLimit)
  }

  // MARK: - Results

  @Test func `the rows have one total a metric`() async throws {
    let summary = try await replay(generated(lines: 50), ReplaySettings())
    let rows = summary.rows(name: "test")
    let metrics = rows.map(\.metric)
    #expect(Set(metrics).count == metrics.count)
    for metric in [
      "requests", "malformed_lines", "users", "sessions", "system_disconnects", "restorations",
      "lost", "duplicated", "reordered",
    ] {
      #expect(metrics.contains(metric))
    }
    #expect(rows.first { $0.metric == "requests" }?.value == 50)
    #expect(rows.allSatisfy { $0.labels.isEmpty && $0.time == nil && $0.suite == .replay })
  }

  // MARK: - Support

  private func replay(
    _ log: [AccessLogLine], _ settings: ReplaySettings = ReplaySettings(),
    mistake: MistakenDelegate.Mistake? = nil
  ) async throws -> ReplaySummary {
    let path = try folder.file("access.log", text(log))
    var driver = ReplayDriver(settings: settings, clock: ContinuousClock())
    driver.makeFront = mistake.map { MistakenDelegate.making($0) }
    return try await driver.run(log: path)
  }

  private func generated(lines: Int) throws -> [AccessLogLine] {
    var log: [AccessLogLine] = []
    try AccessLogGenerator(lines: lines, users: 60, paths: 40, days: 1).generate { line in
      log.append(try AccessLogLine(parsing: line))
    }
    return log
  }

  private func request(
    _ path: String, agent: String = "agent", referrer: String? = nil, at time: Int64 = 0
  ) -> AccessLogLine {
    AccessLogLine(
      client: "10.0.0.1", time: 1_748_822_400 + time, path: path, referrer: referrer,
      userAgent: agent)
  }

  private func text(_ log: [AccessLogLine]) -> String {
    log.map { line in
      let time = CivilTime(secondsSince1970: line.time)
      let stamp =
        "\(two(time.day))/\(CivilTime.monthNames[time.month - 1])/\(time.year)"
        + ":\(two(time.hour)):\(two(time.minute)):\(two(time.second)) +0000"
      return "\(line.client) - - [\(stamp)] \"GET \(line.path) HTTP/1.1\" 200 \(line.bytes) "
        + "\"\(line.referrer ?? "-")\" \"\(line.userAgent ?? "-")\"\n"
    }.joined()
  }

  private func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
