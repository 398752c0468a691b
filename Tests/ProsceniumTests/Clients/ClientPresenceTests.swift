// SPDX-License-Identifier: Apache-2.0

import ProsceniumSimulation
import Testing

@testable import Proscenium

/// Where a scene is while its client comes and goes.
@Suite(.timeLimit(.minutes(10))) struct ClientPresenceTests {
  private static let one = SessionIdentifier.number(1)
  private let clock = ManualClock()

  private func stage(_ change: (inout ApplicationSettings) -> Void = { _ in }) -> Stage {
    Stage.transcripts(store: InMemorySessionStore([.number(1, state: "a")])) { settings in
      settings.clock = clock
      change(&settings)
    }
  }

  private func pass(_ seconds: Int, _ application: Application) async {
    clock.advance(by: .seconds(seconds))
    await application.settle()
  }

  @Test func `a client that sees the scene has it in the foreground`() async throws {
    let stage = stage()
    try await stage.play { application in
      let client = try await application.attach(to: Self.one, as: .number(1))
      await application.settle()
      #expect(stage.log.take() == ["connected a", "active"])
      client.setVisible(false)
      await application.settle()
      #expect(stage.log.take() == ["background"])
      client.setVisible(false)
      client.setVisible(true)
      await application.settle()
      #expect(stage.log.take() == ["active"])
    }
  }

  @Test func `a lost line costs the foreground only if the client does not come back in time`()
    async throws
  {
    let stage = stage()
    try await stage.play { application in
      let first = try await application.attach(to: Self.one, as: .number(1))
      await application.settle()
      _ = stage.log.take()
      first.detach()
      await pass(9, application)
      let second = try await application.attach(
        to: Self.one, as: .number(1), lastSeen: FrameNumber(epoch: first.epoch, count: 1))
      #expect(second.reset == nil)
      await pass(100, application)
      #expect(stage.log.take() == [])
      second.detach()
      await pass(10, application)
      #expect(stage.log.take() == ["background"])
      // Its frames are kept for longer than its scene is shown.
      await pass(299, application)
      let third = try await application.attach(
        to: Self.one, as: .number(1), lastSeen: FrameNumber(epoch: first.epoch, count: 1))
      #expect(third.reset == nil)
      third.detach()
      await pass(10, application)
      await pass(300, application)
      #expect(await application.scene(for: Self.one)?.hasClients == false)
      let fourth = try await application.attach(
        to: Self.one, as: .number(1), lastSeen: FrameNumber(epoch: first.epoch, count: 1))
      #expect(fourth.reset == .epoch)
      #expect(fourth.epoch > first.epoch)
    }
  }

  @Test func `a second client takes over`() async throws {
    let stage = stage()
    try await stage.play { application in
      let first = Listener(try await application.attach(to: Self.one, as: .number(1)))
      #expect(await first.read(1) == ["1 =a"])
      let second = try await application.attach(to: Self.one, as: .number(2), isVisible: false)
      #expect(await first.read(2) == ["ended takenOver", "nothing"])
      await application.settle()
      #expect(application.scene(for: Self.one)?.activationState == .background)
      first.client.detach()
      first.client.setVisible(true)
      await pass(400, application)
      #expect(application.scene(for: Self.one)?.activationState == .background)
      try await second.send("b", number: 1)
      let listener = Listener(second)
      #expect(await listener.read(3).sorted() == ["2 =a", "3 +b", "acknowledged 1"])
    }
  }

  @Test func `a second client is refused where the rules say so`() async throws {
    let stage = stage { $0.clientRules.secondClient = .isRefused }
    try await stage.play { application in
      let first = try await application.attach(to: Self.one, as: .number(1))
      let attach: @Sendable (UInt64, Bool) async -> SceneError.Code? = { number, watches in
        await SceneError.code { () async throws(SceneError) in
          try await application.attach(to: Self.one, as: .number(number), watches: watches)
        }
      }
      #expect(await attach(2, false) == .clientRefused)
      #expect(await attach(2, true) == nil)
      // The same client again: its line was lost, and the server has not noticed.
      #expect(await attach(1, false) == nil)
      let listener = Listener(first)
      #expect(await listener.read(1) == ["ended takenOver"])
    }
  }

  @Test func `who watches receives frames, and counts for nothing else`() async throws {
    let stage = stage { $0.clientRules.secondClient = .watches }
    try await stage.play { application in
      let user = Listener(try await application.attach(to: Self.one, as: .number(1)))
      let watcher = try await application.attach(to: Self.one, as: .number(2))
      #expect(watcher.watches)
      #expect(watcher.reset == .new)
      try await user.client.send("b", number: 1)
      await application.settle()
      #expect(await user.read(4) == ["acknowledged 1", "1 =a", "2 =a", "3 +b"])
      let listener = Listener(watcher)
      #expect(await listener.read(2) == ["2 =a", "3 +b"])
      #expect(
        await SceneError.code { () async throws(SceneError) in
          try await watcher.send("no", number: 1)
        } == .clientRefused)
      user.client.detach()
      watcher.setVisible(true)
      await pass(10, application)
      #expect(application.scene(for: Self.one)?.activationState == .background)
      watcher.detach()
      await pass(300, application)
      #expect(await application.scene(for: Self.one)?.hasClients == false)
    }
  }

  @Test func `a session that is only watched keeps nothing once the last one has left`()
    async throws
  {
    let stage = stage()
    try await stage.play { application in
      try await application.host.perform(.open(Self.one))
      let first = try await application.attach(to: Self.one, as: .number(1), watches: true)
      let second = try await application.attach(to: Self.one, as: .number(2), watches: true)
      first.detach()
      await pass(300, application)
      #expect(await application.scene(for: Self.one)?.hasClients == true)
      second.detach()
      await pass(299, application)
      #expect(await application.scene(for: Self.one)?.hasClients == true)
      await pass(1, application)
      #expect(await application.scene(for: Self.one)?.hasClients == false)
      #expect(application.scene(for: Self.one)?.activationState == .foregroundActive)
    }
  }

  @Test func `roles have rules of their own`() async throws {
    let stage = stage {
      $0.clientRulesOfRoles[.windowApplication] = ClientRules()
      $0.clientRulesOfRoles[.windowApplication]?.secondClient = .isRefused
    }
    try await stage.play { application in
      let first = try await application.attach(to: Self.one, as: .number(1))
      #expect(
        await SceneError.code { () async throws(SceneError) in
          try await application.attach(to: Self.one, as: .number(2))
        } == .clientRefused)
      first.detach()
      _ = try await application.attach(to: Self.one, as: .number(2))
    }
  }
}
