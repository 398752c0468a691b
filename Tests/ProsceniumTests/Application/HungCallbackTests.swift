// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Testing

@testable import Proscenium

/// A callback that blocks a thread, with the clock of the system.
@Suite(.timeLimit(.minutes(10))) struct HungCallbackTests {
  /// A report of a slow callback.
  private struct Report: Sendable {
    let session: SessionIdentifier?
    let callback: Scene.Callback
    let duration: Duration
    let isRunning: Bool

    /// Whether it is about the callback that blocks, and not about one that is slow by chance.
    var isHang: Bool { callback == .didReceive }

    init?(_ event: LifecycleEvent) {
      guard case .diagnosed(.slowCallback(let callback, let duration, let isRunning)) = event.kind
      else { return nil }
      session = event.session
      self.callback = callback
      self.duration = duration
      self.isRunning = isRunning
    }
  }

  private static let budget = Duration.milliseconds(20)
  /// After which a hang ends that the runtime does not report: long, since on a busy machine others
  /// may keep a test from its threads for a minute.
  private static let patience = DispatchTimeInterval.seconds(300)

  /// A stage with two shards, each with a thread of its own, so that none of the pool is blocked.
  private static func stage(_ script: Script) -> Stage {
    let leases = Leased([
      .pool(), ExecutorLease(executor: HeldExecutor()), ExecutorLease(executor: HeldExecutor()),
      .pool(),
    ])
    return Stage(script, store: InMemorySessionStore((1...8).map { .number($0) })) {
      $0.shards = 2
      $0.makeExecutor = { leases.next() }
      $0.callbackBudget = budget
    }
  }

  /// A session of another shard than session 1.
  private static func neighbour(_ application: Application) throws -> SessionIdentifier {
    let core = application.core
    let home = core.directory.find(.number(1))?.shard(core.directory.shardBits)
    return try #require(
      (2...8).map { .number($0) }.first {
        core.directory.find($0)?.shard(core.directory.shardBits) != home
      })
  }

  @Test func `a hang is reported while it lasts, and other shards go on`() async throws {
    let gate = DispatchSemaphore(value: 0)
    let returned = CallLog()
    let stage = Self.stage([
      "S1.didReceive": { _ in
        _ = gate.wait(timeout: .now() + Self.patience)
        returned.append("returned")
      }
    ])
    let events = stage.application.lifecycleEvents(limit: 10_000)
    let allEvents = stage.application.lifecycleEvents(limit: 10_000)
    try await stage.play { application in
      let neighbour = try Self.neighbour(application)
      try await application.host.perform(.connect(SessionIdentifier.number(1)))
      try await application.host.perform(.connect(neighbour))
      try application.send("hang", to: SessionIdentifier.number(1))
      _ = await events.first { Report($0)?.isHang == true }
      for number in 0..<100 {
        let reply = try await application.call(SceneMessage("\(number)"), to: neighbour)
        #expect(reply.string == String("\(number)".reversed()))
      }
      #expect(returned.lines == [])
      gate.signal()
    }
    var reports: [Report] = []
    for await event in allEvents {
      if let report = Report(event), report.isHang { reports.append(report) }
    }
    #expect(reports.map(\.isRunning) == [true, false])
    #expect(reports.allSatisfy { $0.session == .number(1) && $0.duration >= Self.budget })
    #expect(reports.map(\.duration) == reports.map(\.duration).sorted())
  }

  @Test func `hangs of two shards are each reported`() async throws {
    let gates = [DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)]
    var script: Script = [
      "S1.didReceive": { _ in _ = gates[0].wait(timeout: .now() + Self.patience) }
    ]
    for number in 2...8 {
      script["S\(number).didReceive"] = { _ in _ = gates[1].wait(timeout: .now() + Self.patience) }
    }
    let stage = Self.stage(script)
    let events = stage.application.lifecycleEvents(limit: 10_000)
    try await stage.play { application in
      let sessions = [SessionIdentifier.number(1), try Self.neighbour(application)]
      for session in sessions {
        try await application.host.perform(.connect(session))
        try application.send("hang", to: session)
      }
      var running: Set<SessionIdentifier> = []
      for await event in events {
        guard let report = Report(event), report.isHang, let session = report.session else {
          continue
        }
        #expect(report.isRunning)
        running.insert(session)
        if running.count == 2 { break }
      }
      #expect(running == Set(sessions))
      for gate in gates { gate.signal() }
    }
  }
}
