// SPDX-License-Identifier: Apache-2.0

import FlyingFox
import Proscenium

/// What the server serves: it answers requests, and draws the updates.
final class DashboardSite: Sendable {
  let pages: PageHub
  private let application: Application
  private let settings: DashboardSettings
  private let events: DashboardEvents?
  private let charts: @Sendable () -> [DashboardFragment]

  /// Creates a site with settings that are inside their ranges.
  init(
    _ application: Application, _ settings: DashboardSettings, _ events: DashboardEvents?,
    charts: @escaping @Sendable () -> [DashboardFragment]
  ) {
    self.application = application
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
    DashboardPage.html(
      title: settings.title, canAct: settings.token != nil, actionLimit: settings.actionLimit)
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
    let message = try action.perform(on: application, limit: settings.actionLimit)
    return DashboardAnswer(accepted: message)
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
    let census = application.census
    let lines = events?.newestFirst ?? []
    let shown = reader.cards(of: application, census, recent: lines.compactMap(\.session))
    let canAct = settings.token != nil
    return [
      DashboardFragment(
        unchecked: "counts", html: PageDrawing.counts(census, application.pressureReport)),
      DashboardFragment(unchecked: "charts", html: PageDrawing.charts(charts())),
      DashboardFragment(
        unchecked: "scenes", html: PageDrawing.scenes(shown, census, canAct: canAct)),
      DashboardFragment(
        unchecked: "events", html: PageDrawing.events(lines, unlisted: events?.unlisted)),
    ]
  }
}
