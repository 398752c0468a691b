// SPDX-License-Identifier: Apache-2.0

// Clients.
extension CommandRunner {
  /// Attaches a client to a session that is served here.
  func attach(
    _ request: LineRequest, of user: String?, to session: SessionIdentifier
  ) async throws(SceneError) -> SceneClient {
    await core.launched(for: session)
    guard core.mayServe else {
      throw SceneError(
        .systemBusy, session: session, "the process may not serve its sessions now",
        retryAfter: .milliseconds(200))
    }
    try ClientAuthorization(core: core).check(request.client, of: user, for: session)
    do throws(SceneError) {
      let shard = try await accept(.attach(request), to: session, size: 0)
      await drain(shard)
      let attached = SceneClient(
        try await answer(request.ticket), request.client, application)
      try await request.durable.value()
      if !attached.watches { attached.follow() }
      return attached
    } catch {
      // It can have gone to another process on the way.
      guard error.code == .lost, let elsewhere = core.directory.elsewhere?(session) else {
        throw error
      }
      throw elsewhere
    }
  }
}
