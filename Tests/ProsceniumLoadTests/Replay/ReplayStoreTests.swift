// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
import ProsceniumPrimitives
import Proscenium
import ProsceniumSQLite
import Testing

@testable import ProsceniumLoad

/// A replay that goes on with what earlier runs have left in a store.
@Suite struct ReplayStoreTests {
  private let folder: TemporaryFolder
  private let store: ReplayStore

  init() throws {
    folder = try TemporaryFolder()
    let path = folder.path + "/windows.store"
    store = .file(path, key: FileKeyProvider(path: path + ".key"))
  }

  @Test(arguments: [nil, 5, 1] as [Int?], [2, 8])
  func `a log that grows is gone on with`(connected: Int?, windows: Int) async throws {
    let log = try generated(lines: 240)
    var settings = ReplaySettings()
    settings.connected = connected
    settings.windows = windows
    var ends: [Int] = []
    for lines in [50, 51, 150, 240, 240] {
      // Other shards and other workers make no difference.
      settings.shards = lines % 7 + 1
      settings.concurrency = lines % 5 + 1
      let (summary, continuation) = try await replay(log[..<lines], settings)
      #expect(summary.verdict == "verified", "\(summary.text)")
      #expect(summary.verification.requests == lines)
      #expect(summary.continuation == continuation)
      ends.append(continuation ?? -1)
    }
    #expect(ends == [-1, 50, 51, 150, 240])
  }

  // What is left of the log is asked for as soon as the application runs.
  @Test(arguments: 1...12, [2, 8])
  func `the windows of an earlier run are kept if one of them shows the next page`(
    attempt: Int, windows: Int
  ) async throws {
    let log = (0...windows).map { line in
      "10.0.0.1 - - [02/Jun/2025:10:00:0\(line) +0000] \"GET /\(line % windows) HTTP/1.1\" 200 5\n"
    }
    var settings = ReplaySettings()
    settings.windows = windows
    let (first, _) = try await replay(log[..<windows], settings)
    #expect(first.counts.openSessions == windows)
    let (second, _) = try await replay(log[...], settings)
    #expect(second.verdict == "verified", "\(second.text)")
    #expect(second.counts.openSessions == windows)
  }

  @Test func `a finished log is verified again, and nothing is delivered`() async throws {
    let log = try generated(lines: 120)
    let (first, _) = try await replay(log[...])
    let (second, end) = try await replay(log[...])
    #expect(end == 120)
    #expect(second.counts.requests == 0)
    #expect(second.verdict == "verified")
    #expect(second.verification.finalStates == first.verification.finalStates)
    #expect(second.verification.sessions == first.verification.sessions)
  }

  @Test func `what was on its way comes first, and the rest is paced from there`() async throws {
    let log = (1...4).map { line in
      "10.0.0.\(line) - - [02/Jun/2025:10:0\(line):00 +0000] \"GET /\(line) HTTP/1.1\" 200 5\n"
    }
    var settings = ReplaySettings()
    settings.speed = .times(60)
    let path = try folder.file("access.log", log.joined())
    // What the second user asked for was lost with the process, what the third one did was not.
    try await write([1, 3], of: log, settings)
    let end = Guarded<Int?>(nil)
    let summary = try await ReplayDriver(settings: settings, clock: LeapingClock()).run(
      log: path, store: store, continued: { line in end.withLock { $0 = line } })
    #expect(end.withLock { $0 } == 1)
    #expect(summary.verdict == "verified", "\(summary.text)")
    #expect(summary.counts.requests == 2)
    #expect(summary.counts.openSessions == 4)
    #expect(summary.cost.seconds == 2)
  }

  @Test func `a store of another log is refused, whatever part of it differs`() async throws {
    let log = try generated(lines: 90)
    _ = try await replay(log[..<80])
    for other in [
      Array(log[..<60]), Array(log[1..<90]), try generated(lines: 90, seed: 2),
      log[..<40] + ["10.9.9.9" + log[40].drop { $0 != " " }] + log[41...],
    ] {
      let error = await #expect(throws: FileError.self) { _ = try await replay(other[...]) }
      #expect(error?.code == .otherLog)
    }
    let (summary, end) = try await replay(log[...])
    #expect(end == 80)
    #expect(summary.verdict == "verified")
  }

  @Test(arguments: ["windows", "tabs"])
  func `a store that was begun with other limits is refused`(limit: String) async throws {
    let log = try generated(lines: 10)
    _ = try await replay(log[...])
    var settings = ReplaySettings()
    if limit == "windows" { settings.windows += 1 } else { settings.tabs += 1 }
    let error = await #expect(throws: FileError.self) { _ = try await replay(log[...], settings) }
    #expect(error?.code == .otherSettings)
  }

  @Test func `a store of another program is refused`() async throws {
    let foreign = try store.open()
    let load = try await foreign.load { _ in }
    let session = SessionIdentifier(high: 1, low: 1)
    let state = try SavedState(activity: UserActivity("note")).encoded()
    let sealed = try unsafe foreign.seal(state.span.bytes, of: session, epoch: load.epoch)
    _ = try await foreign.commit([
      StoreChange(
        session: session, epoch: load.epoch,
        kind: .insert(SessionRow(persistentIdentifier: session))),
      StoreChange(session: session, epoch: load.epoch, kind: .save(sealed)),
    ])
    try await store.close(foreign)
    let log = try generated(lines: 10)
    let error = await #expect(throws: FileError.self) { _ = try await replay(log[...]) }
    #expect(error?.code == .otherProgram)
  }

  @Test func `a store that is in use is refused`() async throws {
    let open = try store.open()
    let log = try generated(lines: 10)
    let error = await #expect(throws: StoreError.self) { _ = try await replay(log[...]) }
    #expect(error?.code == .inUse)
    try await store.close(open)
  }

  @Test(arguments: [MistakenDelegate.Mistake.drop, .double, .swap])
  func `one delivery that went wrong is found by every later run`(
    mistake: MistakenDelegate.Mistake
  ) async throws {
    let log = try generated(lines: 400)
    let (first, _) = try await replay(log[..<380], mistake: mistake)
    #expect(!first.verification.isVerified)
    let (second, _) = try await replay(log[...])
    #expect(second.verification.wrongStates > 0)
  }

  // MARK: - Support

  private func replay(
    _ log: ArraySlice<String>, _ settings: ReplaySettings = ReplaySettings(),
    mistake: MistakenDelegate.Mistake? = nil
  ) async throws -> (summary: ReplaySummary, continuation: Int?) {
    let path = try folder.file("access.log", log.joined())
    let end = Guarded<Int?>(nil)
    var driver = ReplayDriver(settings: settings, clock: ContinuousClock())
    driver.makeFront = mistake.map { MistakenDelegate.making($0) }
    let summary = try await driver.run(
      log: path, store: store, continued: { line in end.withLock { $0 = line } })
    return (summary, end.withLock { $0 })
  }

  private func generated(lines: Int, seed: UInt64 = 1) throws -> [String] {
    var log: [String] = []
    try AccessLogGenerator(lines: lines, users: 30, paths: 25, seed: seed).generate { line in
      log.append(line + "\n")
    }
    return log
  }

  /// Makes the store of a run in which only some lines were seen, each by a session of its own;
  /// none of them is in the book, and a further session had not seen anything.
  private func write(
    _ seen: Set<Int>, of log: [String], _ settings: ReplaySettings
  ) async throws {
    let store = try store.open()
    let load = try await store.load { _ in }
    var digest = ReplayDigest()
    var changes: [StoreChange] = []
    func keep(_ number: Int, _ name: String, _ role: SceneSession.Role, _ activity: UserActivity?)
      throws
    {
      let session = SessionIdentifier(high: 1, low: UInt64(number))
      let row = SessionRow(
        persistentIdentifier: session, configuration: StoredConfiguration(role: role, name: name))
      changes.append(StoreChange(session: session, epoch: load.epoch, kind: .insert(row)))
      guard let activity else { return }
      let state = try SavedState(activity: activity).encoded()
      let sealed = try unsafe store.seal(state.span.bytes, of: session, epoch: load.epoch)
      changes.append(StoreChange(session: session, epoch: load.epoch, kind: .save(sealed)))
    }
    let page = ReplayPage(windows: settings.windows, tabs: settings.tabs)
    try keep(
      0, "Page", .replayBook, UserActivity("page", userInfo: ["text": .string("\(page)")]))
    try keep(99, "Window", .windowApplication, nil)
    for (index, text) in log.enumerated() {
      let line = try AccessLogLine(parsing: String(text.dropLast()))
      digest.add(line, line: index + 1)
      guard seen.contains(index + 1) else { continue }
      var state = ReplayState()
      state.note(
        tab: ReplayIdentifier.tab(forPath: line.path), bytes: line.bytes, line: index + 1,
        log: digest.value, capacity: settings.tabs)
      try keep(index + 1, "Window", .windowApplication, UserActivity(state))
    }
    _ = try await store.commit(changes)
    try await self.store.close(store)
  }
}
