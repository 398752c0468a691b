// SPDX-License-Identifier: Apache-2.0

#if Live
  import NIOCore
  import Proscenium
  import ProsceniumPrimitives
  import Testing

  @testable import ProsceniumLive

  /// A server of an application at a port of this machine, and clients of it.
  struct LiveStage: Sendable {
    let application: Application
    let clock: PatrolClock
    let date: ManualDate
    let lines: LogLines
    let inputs: InputCounter
    let listener: LiveListener
    let port: Int
    /// Ends the server, and returns when it has ended.
    let stop: @Sendable () async -> Void

    private struct NotRunning: Error {}

    /// A server on a free port, with time that a test sets.
    private static func settings(
      _ clock: PatrolClock, _ date: ManualDate, _ lines: LogLines
    ) -> LiveSettings {
      var settings = LiveSettings(keys: LiveKeys.keys(1))
      settings.place = .address("127.0.0.1", port: 0)
      settings.clock = clock
      settings.wallClock = date.wallClock
      settings.identifiers = .counted()
      settings.log = lines.logger
      return settings
    }

    /// Runs a server, which is stopped when the closure returns.
    static func serving(
      _ change: (inout LiveSettings) -> Void = { _ in },
      application changeApplication: (inout ApplicationSettings) -> Void = { _ in },
      _ body: @escaping @Sendable (LiveStage) async throws -> Void
    ) async throws {
      let (clock, date, lines) = (PatrolClock(), ManualDate(), LogLines())
      let inputs = InputCounter()
      var settings = settings(clock, date, lines)
      change(&settings)
      var ofApplication = ApplicationSettings()
      ofApplication.identifiers = .counted()
      changeApplication(&ofApplication)
      let manifest = SceneManifest([SceneConfiguration("Main") { CountingPage(inputs) }])
      // Next to the server, not around it: the end of the application alone does not stop it.
      let (applications, begun) = AsyncStream.makeStream(of: Application.self)
      let (applicationEnds, endApplication) = AsyncStream.makeStream(of: Void.self)
      try await withThrowingTaskGroup(of: Void.self) { [settings, ofApplication] group in
        group.addTask {
          defer { begun.finish() }
          try await Application.withRunning(
            manifest: manifest, store: InMemorySessionStore(), settings: ofApplication
          ) { application in
            begun.yield(application)
            for await _ in applicationEnds {}
          }
        }
        defer { endApplication.finish() }
        guard let application = await applications.first(where: { _ in true }) else {
          throw NotRunning()
        }
        let server = LiveServer(application, settings)
        let (listening, isListening) = AsyncStream.makeStream(of: (LiveListener, Int).self)
        let (stops, stopping) = AsyncStream.makeStream(of: Void.self)
        let (ends, ended) = AsyncStream.makeStream(of: Void.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
          group.addTask {
            defer { isListening.finish() }
            defer { ended.finish() }
            try await withThrowingTaskGroup(of: Void.self) { group in
              group.addTask {
                try await server.run { listener, channel in
                  isListening.yield((listener, channel.localAddress?.port ?? 0))
                }
              }
              group.addTask { for await _ in stops {} }
              try await group.next()
              group.cancelAll()
              try await group.waitForAll()
            }
          }
          guard let (listener, port) = await listening.first(where: { _ in true }) else {
            try await group.waitForAll()
            throw NotRunning()
          }
          await clock.begin()
          let stage = LiveStage(
            application: application, clock: clock, date: date, lines: lines, inputs: inputs,
            listener: listener, port: port,
            stop: {
              stopping.finish()
              for await _ in ends {}
            })
          try await body(stage)
          stopping.finish()
          try await group.waitForAll()
        }
      }
    }

    // MARK: - The server's side

    var connections: [LiveConnection] { listener.connections.all }

    /// Returns when the server has no connections.
    func waitUntilEmpty() async {
      while true {
        let left = connections
        if left.isEmpty { return }
        for connection in left { try? await connection.channel.closeFuture.get() }
        await Task.yield()
      }
    }

    /// The server's side of a client's connection.
    func connection(of client: SocketClient) async throws -> LiveConnection {
      let port = try #require(client.channel.localAddress?.port)
      while true {
        let found = connections.first {
          $0.channel.isActive && $0.channel.remoteAddress?.port == port
        }
        if let found { return found }
        await Task.yield()
      }
    }

    // MARK: - Clients

    func connect(reads: Bool = true) async throws -> SocketClient {
      try await SocketClient.connect(port, reads: reads)
    }

    var origin: String { "http://127.0.0.1:\(port)" }

    /// The head of a request.
    func head(
      _ method: String, _ path: String, host: String? = nil, origin: String? = nil,
      cookie: String? = nil, more: String = ""
    ) -> String {
      var head = "\(method) \(path) HTTP/1.1\r\nHost: \(host ?? "127.0.0.1:\(port)")\r\n"
      if let origin { head += "Origin: \(origin)\r\n" }
      if let cookie { head += "Cookie: \(cookie)\r\n" }
      return head + more + "\r\n"
    }

    static let upgrade =
      "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
      + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"

    /// Sends a request, and returns the answer; nil if the connection ends first.
    func ask(_ socket: SocketClient, _ head: String) async -> HTTPAnswer? {
      socket.send(head)
      let hasBody = !head.hasPrefix("HEAD ")
      return await socket.read { HTTPAnswer.read($0, hasBody: hasBody) }
    }

    /// Sends a request over a connection of its own.
    func ask(_ head: String) async throws -> HTTPAnswer {
      let socket = try await connect()
      let answer = await ask(socket, head)
      await socket.close()
      return try #require(answer)
    }

    /// The cookie of a new user.
    func cookie() async throws -> String {
      let answer = try await ask(
        head("POST", "/renew", origin: origin, more: "Content-Length: 0\r\n"))
      return try #require(answer.cookie)
    }

    /// The head of a request that opens a line.
    func upgrade(_ cookie: String, at path: String = "/line") -> String {
      head("GET", path, origin: origin, cookie: cookie, more: Self.upgrade)
    }

    /// Opens a line, over which nothing is said yet.
    func line(
      _ cookie: String, at path: String = "/line", reads: Bool = true
    ) async throws -> LineClient {
      let socket = try await connect(reads: reads)
      if reads {
        let answer = try #require(await ask(socket, upgrade(cookie, at: path)))
        try #require(answer.status == 101)
      } else {
        socket.send(upgrade(cookie, at: path))
      }
      return LineClient(socket: socket)
    }

    /// Opens a line of a new user with a session.
    func tab() async throws -> LineClient {
      let client = try await line(cookie())
      client.send(Self.hello())
      _ = try await Welcome(client)
      _ = await client.next(beginning: "frame ")
      return client
    }

    /// The first message of a client.
    static func hello(
      _ client: Int = 1, next: Int = 1, seen: String = "-", session: String = ""
    ) -> String {
      let digits = String(client, radix: 16)
      let name = String(repeating: "0", count: 32 - digits.count) + digits
      return "hello 1 \(name) 1 \(next) \(seen) \(session)"
    }
  }
#endif
