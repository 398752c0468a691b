// SPDX-License-Identifier: Apache-2.0

import Measuring
import Proscenium
import ProsceniumPredicate
import ProsceniumSimulation

/// What is asked of sessions one after another, on one thread in the order of a seed.
enum LifePath {
  typealias Step =
    @Sendable (Application, SessionIdentifier) async throws -> Void

  private static let sessions = 500

  /// The paths by their names.
  static var all: [String: CountedPath] {
    let background: Step = { try await $0.host.perform(.background($1)) }
    let leave: Step = {
      try await $0.host.perform(.background($1))
      try await $0.host.perform(.disconnect($1))
    }
    let activate: Step = { _ = try await $0.activateSceneSession(for: .init(session: $1)) }
    let counted = { @Sendable in CountingDelegate() }
    return [
      "message": path(counted, times: 16) {
        let message = NumberedMessage(sender: 0, number: 1, payload: 1).message
        try $0.send(message, to: $1)
      },
      "call": path(counted) { _ = try await $0.call("question", to: $1) },
      "event": path({ PageDelegate() }) {
        let session = try await $0.deliver(.url(OpenURLContext($1.description)))
        guard session.id == $1 else { throw BenchmarkFailure("an event went astray") }
      },
      "activate": path(counted, from: background, activate),
      "refresh": path(counted, from: background) {
        try await $0.requestSceneSessionRefresh($1)
      },
      "destroy": path(counted) { try await $0.requestSceneSessionDestruction($1) },
      "capture": path(drafts, background),
      "restore": path(drafts, from: leave, activate),
      "life": path(drafts) { application, _ in
        let session = try await application.activateSceneSession().id
        try await leave(application, session)
        try await activate(application, session)
        try await application.requestSceneSessionDestruction(session)
      },
    ]
  }

  private static var drafts: @Sendable () -> DraftDelegate {
    let census = DraftCensus()
    return { DraftDelegate(census) }
  }

  /// A path on which each session makes a step, from the state to which another one leads.
  static func path(
    _ makeDelegate: @escaping @Sendable () -> some SceneDelegate & SendableMetatype,
    times: Int = 1, from begin: @escaping Step = { _, _ in }, _ step: @escaping Step
  ) -> CountedPath {
    {
      let executor = SeededExecutor(seed: 1)
      var settings = ApplicationSettings()
      settings.taskExecutor = executor
      settings.clock = executor.clock
      settings.identifiers = .counted()
      return try executor.run { [settings] in
        try await Application.withMeasured(settings: settings, makeDelegate) { application in
          var groups: [[SessionIdentifier]] = [[], []]
          for number in 0..<2 * sessions {
            let session = try await application.activateSceneSession().id
            try await begin(application, session)
            groups[number % 2].append(session)
          }
          await application.settle()
          return try await counting {
            for session in groups.removeLast() {
              for _ in 0..<times { try await step(application, session) }
            }
            await application.settle()
            return sessions * times
          }
        }
      }
    }
  }
}

/// The delegate of a scene that shows the page of its session's identifier.
private final class PageDelegate: SceneDelegate {
  func scene(
    _ scene: isolated Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions
  ) {
    guard let page = try? ContentPredicate.equals(session.id.description) else { return }
    scene.activationConditions = SceneActivationConditions(prefers: page)
  }
}
