// SPDX-License-Identifier: Apache-2.0

#if Live
  import Proscenium
  import ProsceniumPrimitives
  import Testing

  @testable import ProsceniumLive

  extension LiveServerTests {
    /// Who gets no line, and whose line is ended.
    struct Refusals {
      /// A request that opens a line, with something wrong.
      struct Attempt: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let status: Int
        var cookie: String?
        var origin: String?
        var hasOrigin = true
        var host: String?
        var age: Double = 0
        var isForged = false
        var upgrade = LiveStage.upgrade
      }

      static let attempts = [
        Attempt(testDescription: "no token", status: 401, cookie: "a=b"),
        Attempt(testDescription: "no token of any kind", status: 401, cookie: "proscenium=xyz"),
        Attempt(testDescription: "expired", status: 401, age: 31 * 86_400),
        Attempt(testDescription: "forged", status: 403, isForged: true),
        Attempt(testDescription: "another site", status: 403, origin: "http://example.org"),
        Attempt(testDescription: "no origin", status: 403, hasOrigin: false),
        Attempt(testDescription: "another host", status: 421, host: "example.org"),
        Attempt(testDescription: "no upgrade", status: 426, upgrade: ""),
        Attempt(
          testDescription: "another version", status: 426,
          upgrade: LiveStage.upgrade.replacing("Version: 13", with: "Version: 12")),
      ]

      @Test(arguments: attempts)
      func `a line is refused with the reason as its status`(_ attempt: Attempt) async throws {
        try await LiveStage.serving { stage in
          var cookie = try await stage.cookie()
          if attempt.isForged {
            cookie = cookie.dropLast() + (cookie.last == "0" ? "1" : "0")
          }
          stage.date.advance(by: attempt.age)
          let head = stage.head(
            "GET", "/line", host: attempt.host,
            origin: attempt.hasOrigin ? attempt.origin ?? stage.origin : nil,
            cookie: attempt.cookie ?? cookie, more: attempt.upgrade)
          let socket = try await stage.connect()
          let answer = await stage.ask(socket, head)
          #expect(answer?.status == attempt.status)
          // Requests after one for an upgrade cannot be read.
          if !attempt.upgrade.isEmpty { await socket.waitForEnd() }
        }
      }

      @Test func `a line ends with its token, after it was told to renew it`() async throws {
        try await LiveStage.serving {
          $0.tokenLifetime = .seconds(60)
        } _: { stage in
          let tab = try await stage.tab()
          stage.date.advance(by: 29)
          await stage.clock.tick()
          #expect(await tab.input(1).contains(CountingPage.part(1)))
          stage.date.advance(by: 1)
          await stage.clock.tick(3)
          #expect(await tab.next() == "renew")
          stage.date.advance(by: 30)
          await stage.clock.tick()
          #expect(await tab.next() == "close 4401")
        }
      }

      @Test func `a session of another user is not shown`() async throws {
        try await LiveStage.serving { stage in
          let mine = try await stage.line(stage.cookie())
          mine.send(LiveStage.hello())
          let session = try #require(try await Welcome(mine).session)
          let other = try await stage.line(stage.cookie())
          other.send(LiveStage.hello(2, session: session))
          #expect(await other.end() == "close 4403")
          mine.send(CountingPage.input(1))
          #expect(await mine.next(beginning: "acknowledged ") == "acknowledged 1")
        }
      }

      @Test func `a session that has ended is gone, and stays so with the same token`()
        async throws
      {
        try await LiveStage.serving { stage in
          let cookie = try await stage.cookie()
          let line = try await stage.line(cookie)
          line.send(LiveStage.hello())
          let session = try #require(try await Welcome(line).session)
          let identifier = try #require(SessionIdentifier(session))
          try await stage.application.requestSceneSessionDestruction(identifier)
          #expect(await line.next(beginning: "end ") == "end 2")
          #expect(await line.end() == "close 1000")
          let again = try await stage.line(cookie)
          again.send(LiveStage.hello(session: session))
          #expect(await again.next() == "end 2")
          #expect(await again.end() == "close 1000")
        }
      }

      @Test(arguments: [
        ("b.internal:8080", ["line /b/line", "end 3"]), ("c.internal:8080", ["end 3"]),
      ])
      func `a tab whose session another node serves is told by which path it is reached`(
        _ address: String, _ answer: [String]
      ) async throws {
        let permit = ServingPermit { .zero }
        permit.lift()
        try await LiveStage.serving { settings in
          let lines = ["a.internal:8080": "/a/line", "b.internal:8080": "/b/line"]
          settings.lineOfNode = { address in lines[address] }
        } application: {
          $0.sliceDuties = SliceDuties(permit: permit) { session in
            SceneError(.servedElsewhere, session: session, "elsewhere", address: address)
          } place: { (identifier, _) throws(SceneError) in
            identifier
          }
        } _: { stage in
          let line = try await stage.line(stage.cookie())
          line.send(LiveStage.hello(session: "80000000-0000-8000-8000-000000000001"))
          for message in answer { #expect(await line.next() == message) }
          #expect(await line.end() == "close 1000")
        }
      }

      /// What a tab is told that has come too early, or that has not reached its session's node.
      struct Wait: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var path = "/line"
        /// The node that serves the session, before and while the tab waits; none while it moves.
        let owners: (before: String?, then: String?)
        let answer: [String]
      }

      static let waits = [
        Wait(
          testDescription: "another node takes over", path: "/line?lost=%2Fb%2Fline",
          owners: ("b.internal:8080", "c.internal:8080"), answer: ["line /c/line", "end 3"]),
        Wait(
          testDescription: "the node is there", path: "/line?lost=%2Fb%2Fline",
          owners: ("b.internal:8080", "b.internal:8080"), answer: ["line /b/line", "end 3"]),
        Wait(
          testDescription: "the session arrives at another node",
          owners: (nil, "b.internal:8080"), answer: ["line /b/line", "end 3"]),
        Wait(
          testDescription: "the session arrives nowhere", owners: (nil, nil), answer: ["end 9"]),
      ]

      @Test(.timeLimit(.minutes(1)), arguments: waits)
      func `a tab without a node waits at another one until its session has one, and for 8 s`(
        _ wait: Wait
      ) async throws {
        let owner = Guarded(wait.owners.before)
        let permit = ServingPermit { .zero }
        permit.lift()
        try await LiveStage.serving { settings in
          let lines = ["b.internal:8080": "/b/line", "c.internal:8080": "/c/line"]
          settings.lineOfNode = { address in lines[address] }
        } application: {
          $0.sliceDuties = SliceDuties(permit: permit) { session in
            guard let address = owner.withLock({ $0 }) else {
              return SceneError(
                .systemBusy, session: session, "moving", retryAfter: .milliseconds(50))
            }
            return SceneError(.servedElsewhere, session: session, "elsewhere", address: address)
          } place: { (identifier, _) throws(SceneError) in
            identifier
          }
        } _: { stage in
          let line = try await stage.line(stage.cookie(), at: wait.path)
          line.send(LiveStage.hello(session: "80000000-0000-8000-8000-000000000001"))
          // It looks again after a pause.
          await stage.clock.begin()
          owner.withLock { $0 = wait.owners.then }
          await stage.clock.tick(wait.owners.before == wait.owners.then ? 8 : 1)
          for message in wait.answer { #expect(await line.next() == message) }
          #expect(await line.end() == "close 1000")
        }
      }

      @Test func `more connections than there may be are closed`() async throws {
        try await LiveStage.serving {
          $0.connectionLimit = 2
        } _: { stage in
          let cookie = try await stage.cookie()
          await stage.waitUntilEmpty()
          let first = try await stage.line(cookie)
          let second = try await stage.line(cookie)
          let third = try await stage.connect()
          #expect(await stage.ask(third, stage.head("GET", "/")) == nil)
          #expect(stage.lines.take().contains { $0.contains("too many connections, count 1") })
          await second.socket.close()
          while stage.connections.count > 1 { await Task.yield() }
          _ = try await stage.line(cookie)
          first.send(LiveStage.hello())
          #expect(await first.next(beginning: "welcome ") != nil)
        }
      }
    }
  }
#endif
