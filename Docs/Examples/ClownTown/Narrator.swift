// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumTestKit

/// Prints what happened since it last did, and what there is now.
struct Narrator {
  let device: TestDevice
  let town: Town

  func callAsFunction(_ event: String) async throws {
    await device.settle()
    print(event)
    for line in device.takeTimeline().lines { print("    \(line)") }
    for session in device.sessions { print("  \(try await window(session))") }
    let documents = town.clowns.names.compactMap { town.clowns[$0] }.joined(separator: " | ")
    print("  kept: \(documents) (drafts: \(town.drafts.names.count))")
  }

  private func window(_ session: SceneSession) async throws -> String {
    let name = "\(session.id.label), \(session.title ?? "")"
    let application = try device.application
    guard let scene = application.scene(for: session.id) else { return "\(name): no scene" }
    // Asked by itself, so that the question is no part of the timeline.
    let content = await scene.content
    return "\(name), \(scene.activationState): \(content)"
  }
}

extension Scene {
  /// What the user sees in the window.
  fileprivate var content: String {
    delegate?.scene(self, replyTo: "content").string ?? ""
  }
}
