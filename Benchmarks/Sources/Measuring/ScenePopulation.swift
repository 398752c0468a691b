// SPDX-License-Identifier: Apache-2.0

package import Proscenium

/// An application whose scenes are connected and in the foreground, ready to be measured.
package struct ScenePopulation: Sendable {
  /// The sessions, in no order.
  package let sessions: [SessionIdentifier]
  private let running: RunningApplication

  /// The application, which runs as long as the population is there.
  package var application: Application { running.application }

  /// Opens so many scenes.
  ///
  /// - Parameters:
  ///   - count: How many: 8 or more.
  ///   - makeDelegate: Makes the delegate of each.
  /// - Throws: What the runtime throws; nothing is expected.
  package init(
    _ count: Int, _ makeDelegate: @escaping @Sendable () -> some SceneDelegate & SendableMetatype
  ) async throws {
    running = try await RunningApplication(makeDelegate)
    let application = running.application
    sessions = try await withThrowingTaskGroup { group in
      for _ in 0..<8 {
        // Each opens an eighth.
        group.addTask {
          var opened: [SessionIdentifier] = []
          for _ in 0..<count / 8 {
            opened.append(try await application.activateSceneSession().id)
          }
          return opened
        }
      }
      return try await group.reduce(into: [SessionIdentifier]()) { $0 += $1 }
    }
  }
}
