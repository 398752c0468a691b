// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import ProsceniumSimulation
import Testing

@testable import Proscenium

@Suite struct ReconnectionTests {
  private static let count: UInt64 = 60
  /// One at a time, so that their order can be seen.
  private static let limit = 1

  /// The first sessions take long in the foreground, as many as may be under way.
  private static var slow: Script {
    var script: Script = [:]
    for number in 1...limit {
      script["S\(number).willConnect"] = { scene in scene.extendStateRestoration() }
    }
    return script
  }

  /// Takes all room, lets everybody else come, and does something then.
  private static func gather(
    _ application: Application, _ executor: SeededExecutor,
    then body: @Sendable () -> Void = {}
  ) async -> [SceneError.Code?] {
    await withTaskGroup(of: SceneError.Code?.self) { group in
      for number in 1...limit {
        application.host.submit(.open(SessionIdentifier.numbered(number), hold: false))
      }
      await application.settle()
      for number in limit + 1...Int(count) {
        // All of them at once, as the users of a server that was restarted.
        group.addTask {
          await SceneError.code { () throws(SceneError) in
            try await application.host.perform(.connect(SessionIdentifier.numbered(number)))
          }
        }
      }
      while application.queueLoad.waitingReconnections < Int(count) - limit { await Task.yield() }
      body()
      return await group.reduce(into: []) { $0.append($1) }
    }
  }

  /// Runs an application with sessions of which each was active later than the one before.
  private func simulate(
    seed: UInt64, waitingLimit: Int = 1_000, limit: Int = Self.limit, rate: Int? = nil,
    _ body: @escaping @Sendable (Application, CallLog, SeededExecutor) async throws -> Void
  ) throws {
    let executor = SeededExecutor(seed: seed)
    try executor.run(steps: 100_000) {
      let log = CallLog()
      let store = InMemorySessionStore(
        (1...Self.count).map { .number($0, lastActivated: $0, state: "draft") })
      let stage = Stage(log: log, Self.slow, store: store) { settings in
        settings.taskExecutor = executor
        settings.clock = executor.clock
        settings.shards = 4
        settings.reconnectionLimit = limit
        settings.reconnectionRate = rate
        settings.reconnectionWaitingLimit = waitingLimit
      }
      try await stage.play { try await body($0, log, executor) }
    }
  }

  /// Whose scenes were connected, in their order.
  private static func connected(_ log: CallLog) -> [Int] {
    log.take().compactMap { line in
      guard line.contains(".willConnect") else { return nil }
      return Int(line.dropFirst().prefix { $0 != "." })
    }
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func `all who come back at once are connected, the most recently active first`(
    seed: UInt64
  ) throws {
    try simulate(seed: seed) { application, log, executor in
      let codes = await Self.gather(application, executor)
      #expect(codes.allSatisfy { $0 == nil })
      let order = Self.connected(log).dropFirst(Self.limit)
      #expect(Array(order) == Array(Self.limit + 1...Int(Self.count)).reversed())
      let load = application.queueLoad
      #expect(load.reconnections == 0 && load.waitingReconnections == 0)
    }
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func `no more come back in a second than may, the most recently active first`(
    seed: UInt64
  ) throws {
    try simulate(seed: seed, limit: 1_000, rate: 50) { application, log, executor in
      let start = executor.clock.now
      try await withThrowingTaskGroup { group in
        for number in 1...Int(Self.count) {
          // All of them at once, as the users of a server that was restarted.
          group.addTask {
            try await application.host.perform(.connect(SessionIdentifier.numbered(number)))
          }
        }
        try await group.waitForAll()
      }
      // One each 20 ms, at most 10 ms early.
      let time = start.duration(to: executor.clock.now)
      #expect(time >= .milliseconds(1_170) && time <= .milliseconds(1_180))
      // One that comes while none waits is the first.
      let order = Self.connected(log)
      #expect(order.count == Int(Self.count))
      #expect(order.dropFirst() == order.dropFirst().sorted(by: >)[...])
      let load = application.queueLoad
      #expect(load.reconnections == 0 && load.waitingReconnections == 0)
    }
  }

  @Test func `messages wait for a turn as requests do, and none is lost`() throws {
    try simulate(seed: 1) { application, log, _ in
      try await withThrowingTaskGroup { group in
        for number in 1...Int(Self.count) {
          // The forms that wait: for room, for a reply, for the disk.
          group.addTask {
            let session = SessionIdentifier.numbered(number)
            switch number % 3 {
            case 0: try await application.sendWithBackpressure("message", to: session)
            case 1: _ = try await application.call("message", to: session)
            default: try await application.sendDurably("message", to: session)
            }
          }
        }
        try await group.waitForAll()
      }
      await application.settle()
      let lines = log.take()
      #expect(lines.count { $0.contains("message") } == Int(Self.count))
      #expect(application.queueLoad.reconnections == 0)
    }
  }

  @Test func `what does not wait is refused, and told when to come again`() throws {
    try simulate(seed: 1) { application, log, _ in
      let refused = Guarded<[SceneError]>([])
      for number in 1...20 {
        application.host.submit(.connect(SessionIdentifier.numbered(number))) { error in
          refused.withLock { $0.append(error) }
        }
      }
      let errors = refused.withLock { $0 }
      #expect(errors.count == 20 - Self.limit)
      #expect(errors.allSatisfy { $0.code == .systemBusy })
      let hint = try #require(errors.first?.retryAfter)
      #expect(hint >= .milliseconds(1) && hint <= .seconds(10))
      #expect(throws: SceneError.self) { try application.send("message", to: .numbered(20)) }
      await application.settle()
      try application.send("message", to: .numbered(20))
      await application.settle()
      #expect(Self.connected(log).count == Self.limit + 1)
    }
  }

  @Test func `a refresh that is refused is not pending`() throws {
    try simulate(seed: 1) { application, _, _ in
      let session = SessionIdentifier.numbered(3)
      application.host.submit(.connect(SessionIdentifier.numbered(2)))
      application.submit(.refresh(session))
      #expect(application.session(session)?.hasPendingRefresh == false)
      await application.settle()
      application.submit(.refresh(session))
      #expect(application.session(session)?.hasPendingRefresh == true)
    }
  }

  @Test func `one more than may wait is refused`() throws {
    try simulate(seed: 1, waitingLimit: 10) { application, _, _ in
      let codes = await withTaskGroup(of: SceneError.Code?.self) { group in
        for number in 2...Self.count {
          // More of them at once than may wait.
          group.addTask {
            await SceneError.code { () throws(SceneError) in
              try await application.host.perform(.connect(SessionIdentifier.numbered(Int(number))))
            }
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(codes.contains(.systemBusy))
      #expect(Set(codes) == [nil, .systemBusy])
      #expect(application.queueLoad.waitingReconnections == 0)
    }
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func `who waits when the application ends is told so`(seed: UInt64) throws {
    try simulate(seed: seed) { application, _, executor in
      let codes = await Self.gather(application, executor) { application.process.abandon() }
      #expect(codes.count == Int(Self.count) - Self.limit)
      #expect(codes.allSatisfy { $0 == .notRunning })
    }
  }

  @Test func `a turn that is of no use is given to the next`() throws {
    try simulate(seed: 3) { application, log, _ in
      try await withThrowingTaskGroup { group in
        for request in 0..<Int(Self.count) * 4 {
          // Several for each session: only the first connects it.
          group.addTask {
            try await application.host.perform(
              .connect(
                SessionIdentifier.numbered(request % Int(Self.count) + 1)))
          }
        }
        try await group.waitForAll()
      }
      #expect(Self.connected(log).sorted() == Array(1...Int(Self.count)))
      let load = application.queueLoad
      #expect(load.reconnections == 0 && load.waitingReconnections == 0)
    }
  }
}
