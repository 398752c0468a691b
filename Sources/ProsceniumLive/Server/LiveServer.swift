// SPDX-License-Identifier: Apache-2.0

#if Live
  import NIOCore
  import NIOHTTP1
  import NIOPosix
  import NIOWebSocket
  public import Proscenium
  import ProsceniumPrimitives

  /// A web host: each browser tab is a session of an application.
  ///
  /// ```swift
  /// let settings = LiveSettings(keys: .file("notes.key"))
  /// try await LiveServer(application, settings).run { print("open \($0)") }
  /// ```
  ///
  /// The delegates of the sessions are ``LivePageDelegate``s. A tab that is loaded again, or comes
  /// back after a break or a restart, goes on with its session; a duplicated tab gets a session of
  /// its own.
  public final class LiveServer: Sendable {
    private let application: Application
    private let settings: LiveSettings
    private let isBegun = Guarded(false)

    /// Makes a server; nothing happens before ``run(isReady:)``.
    ///
    /// - Parameters:
    ///   - application: The application, which is running.
    ///   - settings: Where it serves, whom, and how much.
    public init(_ application: Application, _ settings: LiveSettings) {
      self.application = application
      self.settings = settings.inRange
    }

    /// Serves until the task is cancelled, and returns when every connection is closed.
    ///
    /// - Parameter isReady: Is called once the server listens, with the address of the pages.
    /// - Throws: A ``LiveError`` if it cannot listen; what the provider of the keys throws.
    public func run(isReady: @escaping @Sendable (_ url: String) -> Void = { _ in }) async throws {
      try await run { listener, channel in isReady(listener.url(of: channel)) }
    }

    /// As ``run(isReady:)``; a test is given what listens.
    func run(isListening: (LiveListener, any Channel) -> Void) async throws {
      let isFirst = isBegun.withLock { isBegun in
        defer { isBegun = true }
        return !isBegun
      }
      guard isFirst else { throw LiveError(.alreadyRun, "a server runs once; make another one") }
      let (jobs, jobSink) = AsyncStream.makeStream(of: LiveJob.self)
      let tokens = try LiveTokens(settings.keys, wallClock: settings.wallClock)
      let listener = LiveListener(tokens, settings, application, jobSink)
      let channel = try await listener.listen()
      isListening(listener, channel)
      await withDiscardingTaskGroup { group in
        // Ends what takes too long, until it is cancelled.
        group.addTask { await listener.patrol() }
        await withTaskCancellationHandler {
          for await job in jobs {
            // A request, or what is due of a line.
            group.addTask { await job.run(listener.site) }
          }
        } onCancel: {
          jobSink.finish()
        }
        group.cancelAll()
      }
      await listener.close(channel)
    }
  }

  /// What a task does for a connection.
  enum LiveJob: Sendable {
    case answer(LiveRequest, LiveConnection, keepsOpen: Bool)
    case line(LiveConnection)

    func run(_ site: LiveSite) async {
      switch self {
      case .answer(let request, let connection, let keepsOpen):
        let response = await site.respond(to: request)
        connection.channel.answer(
          response, keepsOpen: keepsOpen, isHead: request.method == "HEAD")
      case .line(let connection):
        await TabLine(connection: connection, lineOfNode: site.settings.lineOfNode).run()
      }
    }
  }
#endif
