// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import ProsceniumSimulation
import Testing

@testable import Proscenium

/// Clients of a process that may not serve its sessions: for now, or since another one does.
@Suite(.timeLimit(.minutes(1))) struct ClientPauseTests {
  private static let one = SessionIdentifier.number(1)
  private let clock = ManualClock()
  private let permit: ServingPermit

  init() {
    let elapsed = clock.stopwatch()
    permit = ServingPermit(now: elapsed)
    permit.extend(until: .seconds(4))
  }

  private func stage() -> Stage { Self.stage(clock, permit) }

  private static func stage(
    _ clock: ManualClock, _ permit: ServingPermit, on executor: SeededExecutor? = nil
  ) -> Stage {
    Stage.transcripts(store: InMemorySessionStore([.number(1, state: "a")])) { settings in
      settings.clock = clock
      settings.taskExecutor = executor
      settings.sliceDuties = SliceDuties(permit: permit) { _ in
        nil
      } place: { (identifier, _) throws(SceneError) in
        identifier
      }
    }
  }

  /// Whether a client's line has ended, and the client comes back.
  private static func comesBack(_ client: SceneClient) async -> Bool {
    guard case .output(.ended(let reason)) = await client.take(orNotify: {}) else { return false }
    return reason != .sessionEnded && reason != .takenOver
  }

  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func `a process that has to pause sends no frame and no acknowledgement`(seed: UInt64) throws {
    let executor = SeededExecutor(seed: seed)
    try executor.run(steps: 100_000) {
      let permit = ServingPermit(now: executor.clock.stopwatch())
      permit.extend(until: .seconds(4))
      try await Self.stage(executor.clock, permit, on: executor).play { application in
        let client = try await application.attach(to: Self.one, as: .number(1))
        try await client.send("b", number: 1)
        try await application.sendDurably("c", to: Self.one)
        // In some orders the client asks for what there is before its line has ended.
        executor.clock.advance(by: .seconds(4))
        #expect(await Self.comesBack(client))
      }
    }
  }

  @Test func `lines end when a process has to pause, and clients are not taken until it goes on`()
    async throws
  {
    try await stage().play { application in
      let first = try await application.attach(to: Self.one, as: .number(1))
      let listener = Listener(first)
      #expect(await listener.read(1) == ["1 =a"])
      clock.advance(by: .seconds(3))
      permit.extend(until: .seconds(5))
      clock.advance(by: .milliseconds(1_900))
      #expect(first.isUser)
      clock.advance(by: .milliseconds(100))
      #expect(await listener.read(2).last == "nothing")
      let refusal = await #expect(throws: SceneError.self) {
        try await application.attach(
          to: Self.one, as: .number(1), lastSeen: FrameNumber(epoch: first.epoch, count: 1))
      }
      #expect(refusal?.code == .systemBusy)
      permit.extend(until: .seconds(9))
      try application.send("b", to: Self.one)
      let second = try await application.attach(
        to: Self.one, as: .number(1), lastSeen: FrameNumber(epoch: first.epoch, count: 1))
      #expect(second.reset == nil)
      #expect(await Listener(second).read(1) == ["2 +b"])
    }
  }

  @Test func `a session that another process has taken over has not ended for its clients`()
    async throws
  {
    try await stage().play { application in
      let client = try await application.attach(to: Self.one, as: .number(1))
      try await client.send("b", number: 1)
      await application.settle()
      let departures = try application.slices.fence { _ in true }
      #expect(await Self.comesBack(client))
      await application.slices.finish(departures)
    }
  }
}
