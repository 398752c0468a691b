// SPDX-License-Identifier: Apache-2.0

import FlyingFox
import Proscenium

/// What the server serves: it answers requests, and draws the updates.
final class DashboardSite: Sendable {
  let pages: PageHub
  private let application: Application?
  private let cluster: DashboardCluster?
  private let settings: DashboardSettings
  private let events: DashboardEvents?
  private let charts: @Sendable () -> [DashboardFragment]

  /// Creates a site with settings that are inside their ranges.
  init(
    _ application: Application?, _ cluster: DashboardCluster?, _ settings: DashboardSettings,
    _ events: DashboardEvents?, charts: @escaping @Sendable () -> [DashboardFragment]
  ) {
    self.application = application
    self.cluster = cluster
    self.settings = settings
    self.events = events
    self.charts = charts
    pages = PageHub(limit: settings.pageLimit)
  }

  // MARK: - Requests

  /// Answers a request, which has to name the port that the server listens on.
  func answer(_ request: HTTPRequest, port: UInt16) async -> HTTPResponse {
    let asked = DashboardRequest(request)
    do throws(DashboardError) {
      switch try asked.route(port: port, expecting: settings.token) {
      case .page: return DashboardAnswer(page, type: "text/html").response
      case .style: return DashboardAnswer(style, type: "text/css").response
      case .script: return DashboardAnswer(DashboardScript.text, type: "text/javascript").response
      case .updates: return DashboardAnswer.updates(try openPage())
      case .action(let name): return try await act(name, request).response
      }
    } catch {
      return DashboardAnswer(error, endsConnection: asked.isBodyUnread).response
    }
  }

  private var page: String {
    DashboardPage(
      title: settings.title, canAct: settings.token != nil, actionLimit: settings.actionLimit,
      hasScenes: application != nil, hasNodes: cluster != nil
    ).html
  }

  private var style: String { DashboardStyle.text + settings.additionalStyle }

  private func openPage() throws(DashboardError) -> PageStream {
    if let page = pages.open() { return page }
    throw DashboardError(
      .tooManyPages,
      "expected at most \(settings.pageLimit) open pages; close one and load this one again")
  }

  private func act(
    _ name: DashboardAction.Name, _ request: HTTPRequest
  ) async throws(DashboardError) -> DashboardAnswer {
    guard let body = try? await request.bodyData else {
      throw DashboardError(.badParameter, "the connection broke while the body was read")
    }
    let action = try DashboardAction(name, body: body, limit: settings.actionLimit)
    if case .drain(let node) = action { return try await drain(node) }
    guard let application else {
      throw DashboardError(.badParameter, "expected the action drain: this page shows no sessions")
    }
    let message = try action.perform(on: application, limit: settings.actionLimit)
    return DashboardAnswer(accepted: message)
  }

  private func drain(_ node: Int32) async throws(DashboardError) -> DashboardAnswer {
    guard let cluster else {
      throw DashboardError(.badParameter, "expected another action: this page shows no nodes")
    }
    do {
      try await cluster.drain(node)
    } catch {
      throw DashboardError(.requestRefused, "node \(node) cannot be drained: \(error)")
    }
    return DashboardAnswer(
      accepted: "Node \(node) gives its slices to the others, and ends when it has none left.")
  }

  // MARK: - Updates

  /// The memory of an update for the next one; the update loop keeps it.
  func makeReader() -> CardReader {
    CardReader(limit: settings.cardLimit, variant: settings.snapshotVariant)
  }

  /// Sends the changes to every page; draws nothing while no page is open.
  func update(_ reader: inout CardReader) {
    guard pages.isWatched else { return }
    pages.send(fragments(&reader))
  }

  /// Draws everything that changes.
  func fragments(_ reader: inout CardReader) -> [DashboardFragment] {
    let canAct = settings.token != nil
    let nodes = cluster.map {
      DashboardFragment(unchecked: "nodes", html: PageDrawing.nodes($0.view(), canAct: canAct))
    }
    let drawn = DashboardFragment(unchecked: "charts", html: PageDrawing.charts(charts()))
    let scenes = application.map { self.scenes(of: $0, &reader) } ?? []
    return [nodes, drawn].compactMap { $0 } + scenes
  }

  private func scenes(
    of application: Application, _ reader: inout CardReader
  ) -> [DashboardFragment] {
    let census = application.census
    let lines = events?.newestFirst ?? []
    let shown = reader.cards(of: application, census, recent: lines.compactMap(\.session))
    let canAct = settings.token != nil
    return [
      DashboardFragment(
        unchecked: "counts", html: PageDrawing.counts(census, application.pressureReport)),
      DashboardFragment(
        unchecked: "scenes", html: PageDrawing.scenes(shown, census, canAct: canAct)),
      DashboardFragment(
        unchecked: "events", html: PageDrawing.events(lines, unlisted: events?.unlisted)),
    ]
  }
}
