// SPDX-License-Identifier: Apache-2.0

import FlyingFox
public import Proscenium
import ProsceniumPrimitives

/// A live page over a running application, on 127.0.0.1.
///
/// The page shows how many sessions there are in each state, some of them as cards, the last events
/// and the program's own charts, and can act with a token. Everything is drawn by the server, once
/// for all pages, and only while a page is open.
///
/// ```swift
/// let server = DashboardServer(of: application, clock: ContinuousClock(), settings: settings)
/// group.addTask { try await server.run() }
/// ```
public final class DashboardServer: Sendable {
  private let clock: any Clock<Duration>
  private let settings: DashboardSettings
  private let site: DashboardSite
  private let address = Announcement<String>()
  private let isBegun = Guarded(false)

  /// Creates a server; nothing happens before ``run()``.
  ///
  /// - Parameters:
  ///   - application: The application that is shown.
  ///   - clock: Decides when an update is due.
  ///   - settings: The port, who may act, and limits.
  ///   - events: The events that are listed, or `nil` for none; the program has to give them to it.
  ///   - charts: Draws the charts of an update; called from any thread, one call at a time. It must
  ///     be quick: the update waits for it. At most 32 are shown.
  public init(
    of application: Application, clock: any Clock<Duration>,
    settings: DashboardSettings = .init(), events: DashboardEvents? = nil,
    charts: @escaping @Sendable () -> [DashboardFragment] = { [] }
  ) {
    self.clock = clock
    self.settings = settings.bounded
    site = DashboardSite(application, settings.bounded, events, charts: charts)
  }

  /// The address of the page, such as `http://127.0.0.1:8080/`, once the server listens.
  ///
  /// - Throws: `portInUse`, `portRefused` or `serverFailed` if it will not listen; `serverFailed`
  ///   if it has ended before, or if the waiting task is cancelled.
  public var url: String {
    get async throws(DashboardError) {
      if let url = try await address.value() { return url }
      throw DashboardError(.serverFailed, "the task that waited for the address was cancelled")
    }
  }

  /// Serves until the task is cancelled, and returns when every connection is closed.
  ///
  /// - Throws: `portInUse` or `portRefused`, before anything else has happened; `alreadyRun` if it
  ///   was run before; `serverFailed` if the system's sockets fail.
  public func run() async throws(DashboardError) {
    let isFirst = isBegun.withLock { isBegun in
      defer { isBegun = true }
      return !isBegun
    }
    guard isFirst else {
      throw DashboardError(.alreadyRun, "a server runs once; make another one")
    }
    do {
      defer { site.pages.end() }
      try await serve()
    } catch {
      let error = DashboardError(error, port: settings.port)
      address.give(.failure(error))
      if !Task.isCancelled { throw error }
    }
    address.give(.failure(DashboardError(.serverFailed, "the server has ended")))
  }

  private func serve() async throws {
    let server = try HTTPServer.local(port: settings.port) { [site] request in
      await site.answer(request)
    }
    try await withThrowingTaskGroup { group in
      // It runs concurrently with the updates, and its end ends them.
      group.addTask { try await server.run() }
      // They run concurrently with the server, which suspends until its task is cancelled.
      group.addTask { try await self.serveUpdates(of: server) }
      defer { group.cancelAll() }
      try await group.next()
    }
  }

  private func serveUpdates(of server: HTTPServer) async throws {
    let port = try await server.listeningPort()
    site.open(port: port)
    address.give(.success("http://127.0.0.1:\(port)/"))
    var reader = site.makeReader()
    while true {
      try await clock.sleep(for: settings.period)
      site.update(&reader)
    }
  }
}
