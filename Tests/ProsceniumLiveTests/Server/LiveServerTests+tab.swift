// SPDX-License-Identifier: Apache-2.0

#if Live
  import Testing

  @testable import ProsceniumLive

  extension LiveServerTests {
    /// What a browser tab does, from its first request on.
    struct Tabs {
      @Test func `a browser gets the shell, a token, a line and its page`() async throws {
        try await LiveStage.serving { stage in
          let shell = try await stage.ask(stage.head("GET", "/"))
          #expect(shell.status == 200)
          #expect(shell.body.contains("data-needs-token"))
          #expect(shell["content-type"] == "text/html; charset=utf-8")
          for (name, value) in LiveHeaders.common {
            #expect(shell[name.lowercased()] == value, "\(name)")
          }
          let cookie = try await stage.cookie()
          let line = try await stage.line(cookie)
          line.send(LiveStage.hello())
          let welcome = try await Welcome(line)
          #expect(welcome.session?.count == 36)
          #expect((welcome.lastInput, welcome.reset) == (0, "1"))
          let page = await line.next()
          #expect(page.hasPrefix("frame \(welcome.epoch) 1 =<template><main"))
          #expect(page.contains(CountingPage.part(0)))
          let patch = await line.input(1)
          #expect(patch == "frame \(welcome.epoch) 2 =<template>\(CountingPage.part(1))</template>")
        }
      }

      @Test func `a broken connection goes on, and a page loaded again gets all`() async throws {
        try await LiveStage.serving { stage in
          let cookie = try await stage.cookie()
          let first = try await stage.line(cookie)
          first.send(LiveStage.hello())
          let welcome = try await Welcome(first)
          let session = try #require(welcome.session)
          _ = await first.next(beginning: "frame ")
          #expect(await first.input(1).hasPrefix("frame \(welcome.epoch) 2 "))
          await first.socket.reset()
          let second = try await stage.line(cookie)
          second.send(LiveStage.hello(next: 2, seen: "\(welcome.epoch)/2", session: session))
          let again = try await Welcome(second)
          #expect(again.session == nil)
          #expect((again.lastInput, again.reset) == (1, "0"))
          let patch = await second.input(2)
          #expect(
            patch == "frame \(welcome.epoch) 3 =<template>\(CountingPage.part(2))</template>")
          await second.socket.close()
          let third = try await stage.line(cookie)
          third.send(LiveStage.hello(next: 3, session: session))
          #expect(try await Welcome(third).reset == "1")
          let page = await third.next(beginning: "frame ")
          #expect(page?.contains("<main") == true)
          #expect(page?.contains(CountingPage.part(2)) == true)
        }
      }

      @Test func `requests follow one another over a connection`() async throws {
        try await LiveStage.serving { stage in
          let socket = try await stage.connect()
          for _ in 0..<3 {
            #expect(await stage.ask(socket, stage.head("GET", "/live.js"))?.status == 200)
            #expect(await stage.ask(socket, stage.head("HEAD", "/"))?.status == 200)
            #expect(await stage.ask(socket, stage.head("GET", "/nothing"))?.status == 404)
          }
          let last = stage.head("GET", "/", more: "Connection: close\r\n")
          #expect(await stage.ask(socket, last)?.status == 200)
          await socket.waitForEnd()
        }
      }

      @Test func `a line that a client closes is closed by the server`() async throws {
        try await LiveStage.serving { stage in
          let tab = try await stage.tab()
          tab.send(WireFrame(WireFrame.close, [0x03, 0xE8]))
          #expect(await tab.end() == "close 1000")
          #expect(await tab.next() == "ended")
        }
      }

      @Test func `a message may have parts, with pings between them`() async throws {
        try await LiveStage.serving { stage in
          let tab = try await stage.tab()
          let bytes = Array(CountingPage.input(1).utf8)
          tab.send(
            WireFrame(WireFrame.text, Array(bytes[..<5]), isLast: false),
            WireFrame(WireFrame.ping, [1, 2]),
            WireFrame(WireFrame.continuation, [], isLast: false),
            WireFrame(WireFrame.continuation, Array(bytes[5...])))
          let replies = await [tab.next(), tab.next(), tab.next()]
          #expect(replies.contains("pong"))
          #expect(replies.contains("acknowledged 1"))
        }
      }
    }
  }
#endif
