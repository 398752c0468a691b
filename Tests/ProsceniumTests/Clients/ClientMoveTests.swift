// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import ProsceniumSimulation
import Testing

@testable import Proscenium

/// Clients of sessions that go to another process, which the same application plays.
@Suite(.timeLimit(.minutes(1))) final class ClientMoveTests: Sendable {
  private static let one = SessionIdentifier.number(1)
  private static let slice = one.slice(bits: 10)
  private let clock = ManualClock()
  private let store = InMemorySessionStore([.number(1, state: "a")])
  /// Whether the session is served by no process.
  private let isMoving = Guarded(false)

  private func stage(_ durability: Durability = .onDisconnect) -> Stage {
    let permit = ServingPermit { .zero }
    permit.lift()
    return Stage.transcripts(store: store) { [self] settings in
      settings.clock = clock
      settings.durability = durability
      settings.sliceDuties = SliceDuties(permit: permit) { [self] session in
        guard isMoving.withLock({ $0 }) else { return nil }
        return SceneError(
          .systemBusy, session: session, "it is on its way", retryAfter: .milliseconds(50))
      } place: { (identifier, _) throws(SceneError) in
        identifier
      }
    }
  }

  private func rows() async throws -> [SessionRow] {
    let rows = Guarded<[SessionRow]>([])
    _ = try await store.copy().load { batch in rows.withLock { $0 += batch } }
    return rows.withLock { $0 }
  }

  /// Lets the session go to a process that serves it in the given epoch.
  private func move(
    _ application: Application, to epoch: UInt32,
    between body: () async throws -> Void = {}
  ) async throws {
    isMoving.withLock { $0 = true }
    let (sessions, lines) = try await application.slices.handOver { _ in true }
    try await body()
    application.slices.endLines(of: lines, at: "node-\(epoch)")
    try await application.slices.adopt(
      rows(), epochs: [Self.slice: epoch], bits: 10, handedOver: sessions, isAfterEnd: false)
    isMoving.withLock { $0 = false }
  }

  private func isOver(_ client: SceneClient, _ expected: LineEnd) async -> Bool {
    guard case .output(.ended(let reason)) = await client.take(orNotify: {}) else { return false }
    return reason == expected
  }

  @Test(arguments: [Durability.onDisconnect, .everyEvent])
  func `a client goes on where it was, and no input is lost or applied twice`(
    _ durability: Durability
  ) async throws {
    try await stage(durability).play { application in
      let first = try await application.attach(to: Self.one, as: .number(1))
      try await first.send("b", number: 1)
      await application.settle()
      var seen: UInt64 = 0
      for output in await Listener(first).read(3) where !output.hasPrefix("acknowledged") {
        seen += 1
        #expect(output == ["1 =a", "2 +b"][Int(seen) - 1])
      }
      try await first.send("c", number: 2)
      try await move(application, to: 9) {
        // It gets nothing more, and what it sends is not taken.
        guard case .nothing = await first.take(orNotify: {}) else {
          Issue.record("something came")
          return
        }
        try await first.send("d", number: 3)
        let refusal = await #expect(throws: SceneError.self) {
          try await application.attach(to: Self.one, as: .number(1), nextInput: 4)
        }
        #expect(refusal?.code == .systemBusy)
      }
      #expect(await isOver(first, .moved(address: "node-9")))
      try application.send("!", to: Self.one)
      await application.settle()
      let second = try await application.attach(
        to: Self.one, as: .number(1), lastSeen: FrameNumber(epoch: first.epoch, count: seen),
        nextInput: 4)
      #expect(second.reset == nil)
      #expect(second.lastInput == 2)
      #expect(second.epoch >> 32 == 9)
      for (number, text) in [(2, "c"), (3, "d"), (3, "d")] as [(UInt64, String)] {
        try await second.send(SceneMessage(text), number: number)
      }
      await application.settle()
      let outputs = await Listener(second).read(4)
      #expect(outputs.filter { !$0.hasPrefix("acknowledged") } == ["3 +c", "4 +!", "5 +d"])
      #expect(outputs.contains("acknowledged 3"))
    }
  }

  @Test func `a session moves on before its client has come`() async throws {
    let stage = stage()
    try await stage.play { application in
      let first = try await application.attach(to: Self.one, as: .number(1))
      #expect(await Listener(first).read(1) == ["1 =a"])
      try await move(application, to: 9)
      try application.send("b", to: Self.one)
      try await move(application, to: 10)
      try await move(application, to: 12)
      try application.send("c", to: Self.one)
      let second = try await application.attach(
        to: Self.one, as: .number(1), lastSeen: FrameNumber(epoch: first.epoch, count: 1))
      #expect(second.reset == nil && second.epoch >> 32 == 12)
      #expect(await Listener(second).read(2) == ["2 +b", "3 +c"])
    }
    #expect(stage.application.core.leftovers == 0)
  }

  @Test func `a client whose scene was disconnected goes on as well`() async throws {
    try await stage().play { application in
      let first = try await application.attach(to: Self.one, as: .number(1), isVisible: false)
      #expect(await Listener(first).read(1) == ["1 =a"])
      await application.settle()
      try await application.host.perform(.disconnect(Self.one))
      try await move(application, to: 9)
      #expect(application.scene(for: Self.one) == nil)
      let second = try await application.attach(
        to: Self.one, as: .number(1), lastSeen: FrameNumber(epoch: first.epoch, count: 1))
      #expect(second.reset == nil)
      try await second.send("b", number: 1)
      #expect(await Listener(second).read(2).contains("2 +b"))
    }
  }

  @Test func `who does not come back costs the scene its foreground, and then the frames`()
    async throws
  {
    let stage = stage()
    try await stage.play { application in
      let first = try await application.attach(to: Self.one, as: .number(1))
      #expect(await Listener(first).read(1) == ["1 =a"])
      await application.settle()
      try await move(application, to: 9)
      await application.settle()
      #expect(application.scene(for: Self.one)?.activationState == .foregroundActive)
      clock.advance(by: .seconds(10))
      await application.settle()
      #expect(application.scene(for: Self.one)?.activationState == .background)
      clock.advance(by: .seconds(299))
      await application.settle()
      let second = try await application.attach(
        to: Self.one, as: .number(1), lastSeen: FrameNumber(epoch: first.epoch, count: 1))
      #expect(second.reset == nil)
      second.detach()
      for seconds in [10, 300] {
        clock.advance(by: .seconds(seconds))
        await application.settle()
      }
      let third = try await application.attach(
        to: Self.one, as: .number(1), lastSeen: FrameNumber(epoch: second.epoch, count: 1))
      #expect(third.reset == .epoch)
    }
  }

  @Test func `a session that ends after it has come ends the lines that it has brought`()
    async throws
  {
    let stage = stage()
    try await stage.play { application in
      _ = try await application.attach(to: Self.one, as: .number(1))
      try await move(application, to: 9)
      try await application.host.perform(.close(Self.one))
      await application.settle()
      #expect(application.core.movingLines?.all.isEmpty == true)
    }
  }

  @Test func `a session that goes and is not taken up leaves nothing behind`() async throws {
    try await stage().play { application in
      let first = try await application.attach(to: Self.one, as: .number(1))
      #expect(await Listener(first).read(1) == ["1 =a"])
      let (sessions, lines) = try await application.slices.handOver { _ in true }
      #expect(sessions.refusal == nil && sessions.lines.count == 1 && lines.count == 1)
      application.slices.endLines(of: lines, at: nil)
      #expect(await isOver(first, .moved(address: nil)))
      #expect(application.core.movingLines?.all.isEmpty == true)
    }
  }
}
