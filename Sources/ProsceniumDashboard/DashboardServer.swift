// SPDX-License-Identifier: Apache-2.0

public import Proscenium
import ProsceniumPrimitives

/// A live page over a running application or a cluster, on 127.0.0.1.
///
/// The page of an application shows how many sessions there are in each state, some of them as
/// cards, the last events and the program's own charts, and can act with a token. Everything is
/// drawn by the server, once for all pages, and only while a page is open.
///
/// ```swift
/// let server = DashboardServer(of: application, clock: ContinuousClock(), settings: settings)
/// group.addTask { try await server.run() }
/// ```
public final class DashboardServer: Sendable {
  private let clock: any Clock<Duration>
  private let settings: DashboardSettings
  private let site: DashboardSite
  private let state = Guarded(State())

  private struct State: Sendable {
    var isBegun = false
    /// The address or why there is none, once that is known.
    var address: Result<String, DashboardError>?
    /// Those that wait for it.
    var waiting: [AsyncStream<Never>.Continuation] = []
  }

  /// Creates a server; nothing happens before ``run()``.
  ///
  /// - Parameters:
  ///   - application: The application that is shown.
  ///   - clock: Decides when an update is due.
  ///   - settings: The port, who may act, and limits.
  ///   - events: The events that are listed, or `nil` for none; the program has to give them to it.
  ///   - cluster: The nodes that are shown besides, or `nil` for none.
  ///   - charts: Draws the charts of an update; called from any thread, one call at a time. It must
  ///     be quick: the update waits for it. At most 32 are shown.
  public init(
    of application: Application, clock: any Clock<Duration>,
    settings: DashboardSettings = .init(), events: DashboardEvents? = nil,
    cluster: DashboardCluster? = nil,
    charts: @escaping @Sendable () -> [DashboardFragment] = { [] }
  ) {
    self.clock = clock
    self.settings = settings.bounded
    site = DashboardSite(application, cluster, settings.bounded, events, charts: charts)
  }

  /// Creates a server of a page that shows nodes and no sessions; nothing happens before ``run()``.
  ///
  /// - Parameters:
  ///   - cluster: The nodes.
  ///   - clock: Decides when an update is due.
  ///   - settings: The port, who may act, and limits.
  ///   - charts: Draws the charts, as those of an application.
  public init(
    of cluster: DashboardCluster, clock: any Clock<Duration>,
    settings: DashboardSettings = .init(),
    charts: @escaping @Sendable () -> [DashboardFragment] = { [] }
  ) {
    self.clock = clock
    self.settings = settings.bounded
    site = DashboardSite(nil, cluster, settings.bounded, nil, charts: charts)
  }

  /// The address of the page, such as `http://127.0.0.1:8080/`, once the server listens.
  ///
  /// - Throws: `portInUse`, `portRefused` or `serverFailed` if it will not listen; `serverFailed`
  ///   if it has ended before, or if the waiting task is cancelled.
  public var url: String {
    get async throws(DashboardError) {
      let (known, waiting) = AsyncStream.makeStream(of: Never.self)
      state.withLock { state in
        if state.address == nil { state.waiting.append(waiting) } else { waiting.finish() }
      }
      for await _ in known {}
      if let address = state.withLock({ $0.address }) { return try address.get() }
      throw DashboardError(.serverFailed, "the task that waited for the address was cancelled")
    }
  }

  /// Serves until the task is cancelled, and returns when every connection is closed.
  ///
  /// - Throws: `portInUse` or `portRefused`, before anything else has happened; `alreadyRun` if it
  ///   was run before; `serverFailed` if the system's sockets fail.
  public func run() async throws(DashboardError) {
    let isFirst = state.withLock { state in
      defer { state.isBegun = true }
      return !state.isBegun
    }
    guard isFirst else {
      throw DashboardError(.alreadyRun, "a server runs once; make another one")
    }
    defer { site.pages.end() }
    do throws(DashboardError) {
      try await LocalServer(port: settings.port).run { [site] in
        await site.answer($0, port: $1)
      } listening: { [self] port in
        give(.success("http://127.0.0.1:\(port)/"))
        var reader = site.makeReader()
        while true {
          try await clock.sleep(for: settings.period)
          site.update(&reader)
        }
      }
    } catch {
      give(.failure(error))
      throw error
    }
    give(.failure(DashboardError(.serverFailed, "the server has ended")))
  }

  /// Gives the address, or why there is none; what comes after the first is dropped.
  private func give(_ address: Result<String, DashboardError>) {
    let waiting = state.withLock { state in
      state.address = state.address ?? address
      defer { state.waiting = [] }
      return state.waiting
    }
    for one in waiting { one.finish() }
  }
}
