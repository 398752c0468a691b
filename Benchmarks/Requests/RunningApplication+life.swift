// SPDX-License-Identifier: Apache-2.0

import Measuring
import Proscenium

extension RunningApplication {
  /// Lets a session live from its creation to its end; each step is awaited.
  func liveOnce(durably: Bool = false) async throws {
    let session = try await application.activateSceneSession().id
    try await application.host.perform(.background(session))
    if durably { try await application.sendDurably("", to: session) }
    try await application.host.perform(.disconnect(session))
    _ = try await application.activateSceneSession(for: .init(session: session))
    try await application.requestSceneSessionDestruction(session)
  }
}
