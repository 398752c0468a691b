// SPDX-License-Identifier: Apache-2.0

import ProsceniumSimulation
import Testing

@testable import Proscenium

/// Calls that are withdrawn, and replies that come in pieces.
@Suite(.timeLimit(.minutes(10))) struct CallTests {
  private static let one = SessionIdentifier.number(1)

  private final class Answering: SceneDelegate {
    private let log: CallLog

    init(_ log: CallLog) {
      self.log = log
    }

    func scene(_ scene: isolated Scene, replyTo message: SceneMessage) -> SceneMessage {
      log.append("called \(message.string)")
      return message
    }
  }

  /// One session without a scene, whose saved state is read when a gate opens.
  private func stage(_ clock: ManualClock, _ log: CallLog, _ gate: CommitGate) -> Stage {
    let store = RemoteStore(
      [.number(1, state: "a")],
      onReads: { sessions in
        await gate.pass()
        return sessions
      })
    let answering = SceneConfiguration("Main") { Answering(log) }
    return Stage(log: log, store: store, manifest: [answering]) { $0.clock = clock }
  }

  @Test func `a call that is not answered in time is withdrawn`() async throws {
    let (clock, log, gate) = (ManualClock(), CallLog(), CommitGate())
    let stage = stage(clock, log, gate)
    try await stage.play { application in
      gate.close()
      let advancing = Task {
        while !Task.isCancelled {
          clock.advance(by: .seconds(1))
          await Task.yield()
        }
      }
      #expect(
        await SceneError.code { () async throws(SceneError) in
          try await application.call("late", to: Self.one, within: .seconds(5))
        } == .timedOut)
      advancing.cancel()
      gate.open()
      await application.settle()
      #expect(log.take() == [])
      let reply = try await application.call("now", to: Self.one, within: .seconds(5))
      #expect(reply.string == "now")
      #expect(log.take() == ["called now"])
    }
  }

  @Test func `a call is withdrawn with its task`() async throws {
    let (clock, log, gate) = (ManualClock(), CallLog(), CommitGate())
    let stage = stage(clock, log, gate)
    try await stage.play { application in
      gate.close()
      let task = Task {
        await SceneError.code { () async throws(SceneError) in
          try await application.call("late", to: Self.one)
        }
      }
      while gate.arrivals == 0 { await Task.yield() }
      task.cancel()
      #expect(await task.value == .cancelled)
      gate.open()
      await application.settle()
      #expect(log.take() == [])
    }
  }

  // MARK: - Replies in pieces

  private final class Counter: ClientSceneDelegate {
    var kept: [ReplyStream] = []

    func scene(
      _ scene: isolated Scene, streamReplyTo message: SceneMessage, into reply: ReplyStream
    ) {
      switch message.string {
      case "three":
        for number in 1...3 { try? reply.send(SceneMessage("\(number)")) }
        scene.addTask(
          Counter.self,
          {},
          then: { _, _, _ in
            try? reply.send("later")
            reply.finish()
            try? reply.send("too late")
          })
      case "flood":
        var count = 0
        do {
          while true {
            try reply.send("drop")
            count += 1
          }
        } catch {
          #expect(error.code == .limitExceeded)
          #expect(count == ReplyStream.limit)
        }
        reply.finish()
      default: kept.append(reply)
      }
    }

    func scene(_ scene: isolated Scene, replyTo message: SceneMessage) -> SceneMessage {
      SceneMessage("\(kept.count(where: \.isCancelled)) of \(kept.count)")
    }
  }

  private func play(_ body: @Sendable (Application) async throws -> Void) async throws {
    let stage = Stage(manifest: [SceneConfiguration("Main") { Counter() }])
    try await stage.play { application in
      try await application.host.newSession()
      try await body(application)
    }
  }

  @Test func `pieces come in order, now and later, up to the end`() async throws {
    try await play { application in
      var pieces: [String] = []
      let reply = try await application.stream("three", to: Self.one)
      while let piece = try await reply.next() { pieces.append(piece.string) }
      #expect(pieces == ["1", "2", "3", "later"])
    }
  }

  @Test func `a caller that does not read costs no more than the limit`() async throws {
    try await play { application in
      var count = 0
      let reply = try await application.stream("flood", to: Self.one)
      while try await reply.next() != nil { count += 1 }
      #expect(count == ReplyStream.limit)
    }
  }

  @Test func `a scene that goes away loses the rest of its replies`() async throws {
    try await play { application in
      let pieces = try await application.stream("never", to: Self.one)
      try await application.host.perform(.background(Self.one))
      try await application.host.perform(.disconnect(Self.one))
      do throws(SceneError) {
        _ = try await pieces.next()
        Issue.record("expected an error")
      } catch {
        #expect(error.code == .lost)
      }
    }
  }

  @Test func `a caller that goes away tells the scene`() async throws {
    try await play { application in
      _ = try await application.stream("never", to: Self.one)
      let pieces = try await application.stream("never", to: Self.one)
      let reading = Task { while try await pieces.next() != nil {} }
      await Task.yield()
      reading.cancel()
      _ = await reading.result
      let reply = try await application.call("how many", to: Self.one)
      #expect(reply.string == "2 of 2")
    }
  }

  @Test func `a delegate without such replies is no reply`() async throws {
    let stage = Stage(store: InMemorySessionStore([.number(1)]))
    try await stage.play { application in
      let pieces = try await application.stream("hello", to: Self.one)
      do throws(SceneError) {
        _ = try await pieces.next()
        Issue.record("expected an error")
      } catch {
        #expect(error.code == .unhandledCall)
      }
      #expect(
        await SceneError.code { () async throws(SceneError) in
          try await application.stream("hello", to: .number(2))
        } == .sessionNotOpen)
    }
  }
}
