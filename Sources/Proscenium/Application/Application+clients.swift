// SPDX-License-Identifier: Apache-2.0

// Clients come to sessions.
extension Application {
  /// Attaches a client to a session.
  ///
  /// A session without a scene gets one in the background first. A client that comes back within
  /// the bounds of ``ClientRules`` goes on with the frame after the last one that it has seen; any
  /// other gets everything again: the scene's delegate is asked for it (`scene(_:renderAfter:)`). A
  /// client that sees the scene brings it to the foreground.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - client: The client, by the identifier that it has kept.
  ///   - user: The user in whose name the client comes, as the host knows it; `nil` if it is
  ///     unknown.
  ///   - lastSeen: The last frame that the client shows, or `nil` if it shows nothing.
  ///   - nextInput: The number that the client's next new input will have: 1 for a new client, and
  ///     greater than any that it has used. What it has sent and has no acknowledgement for, it
  ///     sends again: what follows ``SceneClient/lastInput``.
  ///   - isVisible: Whether the client sees the scene.
  ///   - watches: Whether the client only watches.
  /// - Returns: The client's end of the line.
  /// - Throws: `clientRefused` by the session's owner or ``ApplicationSettings/allowsClient``, by
  ///   the role's ``ClientRules/secondClient``, or if `nextInput` was used before; `limitExceeded`
  ///   if it is out of range; `lost` if the session ended before the client reached its scene,
  ///   `notDurable` if what its input has led to cannot be committed, `stateUnavailable` while the
  ///   saved state cannot be read (R-SR-6), `sessionNotOpen`, or `notRunning`. In a cluster also
  ///   `servedElsewhere`, and `systemBusy` while no process may serve the session.
  public nonisolated func attach(
    to session: SessionIdentifier, as client: ClientIdentifier, of user: String? = nil,
    lastSeen: FrameNumber? = nil, nextInput: UInt64 = 1, isVisible: Bool = true,
    watches: Bool = false
  ) async throws(SceneError) -> SceneClient {
    guard nextInput > 0, nextInput <= ClientMemory.lastNumber else {
      throw SceneError(
        .limitExceeded, session: session,
        "expected a next input with a number from 1 to \(ClientMemory.lastNumber), found "
          + "\(nextInput)")
    }
    let request = LineRequest(
      LineLedger.Request(
        client: client, lastSeen: lastSeen, watches: watches, isVisible: isVisible),
      nextInput: nextInput)
    return try await commands.attach(request, of: user, to: session)
  }
}
