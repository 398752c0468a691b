// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProsceniumClientProtocol
import Testing

@testable import ClientTrial
@testable import Proscenium

/// Clients on the other side of a connection.
@Suite(.timeLimit(.minutes(10))) struct ClientHostTests {
  /// One end of a connection in memory.
  private struct Connection {
    let toHost: AsyncStream<ArraySlice<UInt8>>.Continuation
    let fromHost: AsyncStream<[UInt8]>

    func send(_ message: ClientMessage) {
      toHost.yield(message.bytes[...])
    }
  }

  private static func client(_ number: UInt64) -> ClientIdentifier {
    ClientIdentifier(high: 0, low: number)
  }

  /// Runs an application with one session, and serves connections to it.
  private static func serving(
    settings change: (inout ApplicationSettings) -> Void = { _ in }, in form: MessageForm = .bytes,
    findSession: @escaping @Sendable (ClientHello) async throws(SceneError) -> SessionIdentifier? =
      { SessionIdentifier($0.address) },
    _ body:
      @escaping @Sendable (Application, _ connect: @Sendable () -> Connection) async throws -> Void
  ) async throws {
    var settings = ApplicationSettings()
    settings.identifiers = .counted()
    change(&settings)
    let manifest = SceneManifest([SceneConfiguration("Main") { Echo() }])
    try await Application.withRunning(manifest: manifest, settings: settings) { application in
      try await application.activateSceneSession()
      let host = ClientHost(application, findSession: findSession)
      let (connections, connected) = AsyncStream.makeStream(
        of: (AsyncStream<ArraySlice<UInt8>>, AsyncStream<[UInt8]>.Continuation).self)
      try await withThrowingTaskGroup { group in
        group.addTask {
          await withDiscardingTaskGroup { group in
            for await (messages, replies) in connections {
              group.addTask {
                await host.serve(messages, in: form) { replies.yield($0) }
                replies.finish()
              }
            }
          }
        }
        try await body(application) {
          let (messages, toHost) = AsyncStream.makeStream(of: ArraySlice<UInt8>.self)
          let (fromHost, replies) = AsyncStream.makeStream(of: [UInt8].self)
          connected.yield((messages, replies))
          return Connection(toHost: toHost, fromHost: fromHost)
        }
        connected.finish()
        try await group.waitForAll()
      }
    }
  }

  private static let address = "00000000-0000-4000-8000-000000000001"

  private static func expect(
    _ expected: [String], _ iterator: inout AsyncStream<[UInt8]>.AsyncIterator,
    _ location: SourceLocation = #_sourceLocation
  ) async throws {
    let lines = try await read(&iterator, expected.count)
    #expect(lines.sorted() == expected.sorted(), sourceLocation: location)
  }

  private static func read(
    _ iterator: inout AsyncStream<[UInt8]>.AsyncIterator, _ count: Int
  ) async throws -> [String] {
    var lines: [String] = []
    for _ in 0..<count {
      guard let bytes = await iterator.next(isolation: #isolation) else {
        return lines + ["closed"]
      }
      lines.append(try HostMessage.read(bytes[...])?.line ?? "unknown")
    }
    return lines
  }

  @Test func `a client says hello, sends input and comes back`() async throws {
    try await Self.serving { application, connect in
      let first = connect()
      var replies = first.fromHost.makeAsyncIterator()
      first.send(.hello(ClientHello(client: Self.client(1), address: Self.address)))
      try await Self.expect(
        [
          "welcome 4294967297 last 0 reset 1", "frame 4294967297/1 \"=\"",
        ], &replies)
      first.send(.input(1, "a"))
      try await Self.expect(
        [
          "acknowledged 1", "frame 4294967297/2 \"+a\"",
        ], &replies)
      first.send(.ack(2))
      first.send(.input(2, "b"))
      _ = try await Self.read(&replies, 2)
      first.toHost.finish()
      try await Self.expect(["closed"], &replies)
      let second = connect()
      replies = second.fromHost.makeAsyncIterator()
      second.send(
        .hello(
          ClientHello(
            client: Self.client(1), lastSeen: FrameNumber(epoch: 4_294_967_297, count: 2),
            nextInput: 3, address: Self.address)))
      try await Self.expect(
        [
          "welcome 4294967297 last 2 reset 0", "frame 4294967297/3 \"+b\"",
        ], &replies)
      second.toHost.finish()
    }
  }

  @Test(arguments: [
    ("01 02", "end 7 1"), ("02 01 00", "end 8"), ("ff", "end 8"), ("", "end 8"), ("01", "end 8"),
    ("01 01 00000000000000000000000000000001 01 01", "end 2"),
  ]) func `a first message that is no hello ends the line`(_ bytes: String, _ end: String)
    async throws
  {
    try await Self.serving { _, connect in
      let connection = connect()
      var replies = connection.fromHost.makeAsyncIterator()
      connection.toHost.yield([UInt8](hexadecimal: bytes)[...])
      try await Self.expect([end, "closed"], &replies)
    }
  }

  @Test(arguments: [
    ("02", "end 8"), ("02 03 78", "end 4 1"), ("03 09", "end 6"), ("01 01", "end 8"),
    ("02 00", "end 8"), ("02 ffffffffffffffffff01", "end 8"),
  ]) func `what a client does wrong ends its line, and no other`(_ bytes: String, _ end: String)
    async throws
  {
    try await Self.serving(settings: { $0.clientRules.secondClient = .watches }) {
      application, connect in
      let user = connect()
      var replies = user.fromHost.makeAsyncIterator()
      user.send(.hello(ClientHello(client: Self.client(1), address: Self.address)))
      _ = try await Self.read(&replies, 2)
      let watcher = connect()
      var watched = watcher.fromHost.makeAsyncIterator()
      watcher.send(.hello(ClientHello(client: Self.client(2), address: Self.address)))
      try await Self.expect(["welcome 4294967297 last 0 reset 1 watches"], &watched)
      // The frames of the watcher come to the user as well.
      _ = try await Self.read(&replies, 1)
      user.toHost.yield([200, 1, 2])
      user.toHost.yield([UInt8](hexadecimal: bytes)[...])
      try await Self.expect([end, "closed"], &replies)
      try application.send("x", to: #require(SessionIdentifier(Self.address)))
      try await Self.expect(
        [
          "frame 4294967297/2 \"=\"", "frame 4294967297/3 \"+x\"",
        ], &watched)
      watcher.toHost.finish()
    }
  }

  @Test(arguments: [
    (
      SceneError(.servedElsewhere, "there", address: "node-2:4000"),
      ["move \"node-2:4000\"", "end 3"]
    ),
    (SceneError(.servedElsewhere, "there"), ["end 3"]),
    (SceneError(.systemBusy, "on its way", retryAfter: .milliseconds(50)), ["end 9"]),
  ]) func `a client of a session that another process serves is told where it is`(
    _ error: SceneError, _ expected: [String]
  ) async throws {
    let permit = ServingPermit { .zero }
    permit.lift()
    let change = { @Sendable (settings: inout ApplicationSettings) in
      settings.sliceDuties = SliceDuties(permit: permit) { _ in
        error
      } place: { (identifier, _) throws(SceneError) in
        identifier
      }
    }
    try await Self.serving(settings: change) { _, connect in
      let connection = connect()
      var replies = connection.fromHost.makeAsyncIterator()
      let elsewhere = "80000000-0000-8000-8000-000000000001"
      connection.send(.hello(ClientHello(client: Self.client(1), address: elsewhere)))
      let lines = try await Self.read(&replies, expected.count + 1)
      #expect(lines == expected + ["closed"])
    }
  }

  /// Sends messages as text; returns what the host answers, up to so many messages.
  private static func converse(
    _ connection: Connection, _ messages: [String], _ count: Int
  ) async -> [String] {
    for message in messages { connection.toHost.yield(Array(message.utf8)[...]) }
    var lines: [String] = []
    for await bytes in connection.fromHost {
      lines.append(String(decoding: bytes, as: UTF8.self))
      if lines.count == count { break }
    }
    return lines.sorted()
  }

  @Test func `a client speaks text, and is answered in it`() async throws {
    try await Self.serving(in: .text) { _, connect in
      let hello = "hello 1 00000000000000000000000000000001 1"
      let first = connect()
      #expect(
        await Self.converse(first, ["\(hello) 1 - \(Self.address)", "input 1 é  b"], 4) == [
          "acknowledged 1", "frame 4294967297 1 =", "frame 4294967297 2 +é  b",
          "welcome 1 4294967297 0 1 0",
        ])
      first.toHost.finish()
      let second = connect()
      #expect(
        await Self.converse(
          second, ["\(hello) 2 4294967297/1 \(Self.address)", "visible 0", "renew"], 2) == [
            "frame 4294967297 2 +é  b", "welcome 1 4294967297 1 0 0",
          ])
      #expect(await Self.converse(second, ["ack 9"], 9) == ["end 6"])
    }
  }

  @Test(arguments: [
    ("hello 2", "end 7 1"), ("hello", "end 8"), ("ack 1", "end 8"), ("renew", "end 8"),
    ("", "end 8"), ("hello 1 00000000000000000000000000000001 1 1 - nowhere", "end 2"),
  ]) func `a first text that is no hello ends the line`(_ text: String, _ end: String) async throws
  {
    try await Self.serving(in: .text) { _, connect in
      #expect(await Self.converse(connect(), [text], 9) == [end])
    }
  }

  @Test(arguments: [
    (SceneError.Code.systemBusy, "end 9"), (.notRunning, "end 3"), (.limitExceeded, "end 8"),
    (.clientRefused, "end 6"), (.lost, "end 2"),
  ]) func `a client is told why its session cannot be found`(
    _ code: SceneError.Code, _ end: String
  ) async throws {
    try await Self.serving(
      in: .text,
      findSession: { _ throws(SceneError) in throw SceneError(code, "for a test") }
    ) { _, connect in
      let hello = "hello 1 00000000000000000000000000000001 1 1 - "
      #expect(await Self.converse(connect(), [hello], 9) == [end])
    }
  }

  @Test func `a client in Python passes the examples and comes back`() async throws {
    try await Self.serving { application, _ in
      let host = SocketHost(host: ClientHost(application) { SessionIdentifier($0.address) })
      let (ports, listening) = AsyncStream.makeStream(of: UInt16.self)
      try await withThrowingTaskGroup { group in
        group.addTask { try await host.run(at: .anyPort) { listening.yield($0) } }
        for await port in ports {
          let output = try await Self.runPython([
            ProtocolExample.page.path, "\(port)", Self.address,
          ])
          #expect(
            output == """
              welcome E last 0 reset 1
              frame E/1 "="
              welcome E last 2 reset 0
              frame E/3 "+y"

              """)
          break
        }
        group.cancelAll()
      }
    }
  }

  private static func runPython(_ arguments: [String]) async throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("client.py")
    process.arguments = ["python3", script.path] + arguments
    let output = Pipe()
    process.standardOutput = output
    let (end, ended) = AsyncStream<Never>.makeStream()
    process.terminationHandler = { _ in ended.finish() }
    try process.run()
    // Without a thread of the pool: it has as many as there are processors, and other tests wait
    // for one.
    for await _ in end {}
    process.waitUntilExit()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    return String(decoding: data, as: UTF8.self)
      + (process.terminationStatus == 0 ? "" : "failed")
  }
}

/// Shows what it was sent.
private final class Echo: ClientSceneDelegate {
  private var text = ""

  func scene(_ scene: isolated Scene, didReceive message: SceneMessage) {
    text += message.string
    scene.emit(SceneMessage("+" + message.string))
  }

  func scene(_ scene: isolated Scene, renderAfter reset: OutputReset) {
    scene.emit(SceneMessage("=" + text))
  }
}
