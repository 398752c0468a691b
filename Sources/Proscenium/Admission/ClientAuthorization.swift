// SPDX-License-Identifier: Apache-2.0

/// Which clients may attach to a session: those that the host allows, or those of its owner.
struct ClientAuthorization: Sendable {
  let core: ApplicationCore

  /// Refuses a client that may not attach.
  ///
  /// - Parameters:
  ///   - client: The client.
  ///   - user: The user in whose name it comes, if it is known.
  ///   - identifier: The session.
  /// - Throws: `clientRefused`, or `sessionNotOpen`.
  func check(
    _ client: ClientIdentifier, of user: String?, for identifier: SessionIdentifier
  ) throws(SceneError) {
    let session = core.directory.session(try core.directory.require(identifier))
    let isAllowed =
      if let allows = core.settings.allowsClient {
        allows(session, client, user)
      } else {
        session.owner == nil || session.owner == user
      }
    if !isAllowed {
      throw SceneError(
        .clientRefused, session: identifier, "the client may not attach to the session")
    }
  }
}
