// SPDX-License-Identifier: Apache-2.0

/// What an application asks that serves some slices of a store, while other processes serve the
/// rest.
package struct SliceDuties: Sendable {
  /// Until when the application may serve its sessions.
  package var permit: ServingPermit
  /// Tells why a session is not open here if another process has it, or nil.
  package var elsewhere: @Sendable (SessionIdentifier) -> SceneError?
  /// What takes messages for sessions that other processes serve, if anything does.
  package var neighbours: Neighbours?
  /// Brings the identifier of a new session to a slice that is served here.
  ///
  /// It is called with the application's gate held.
  package var place: Placing

  /// What brings an identifier to a slice, by what decides where the session is made.
  ///
  /// It throws `servedElsewhere` if another process makes such sessions.
  package typealias Placing =
    @Sendable (SessionIdentifier, SessionPlacement) throws(SceneError) -> SessionIdentifier

  /// Joins what an application asks.
  package init(
    permit: ServingPermit, elsewhere: @escaping @Sendable (SessionIdentifier) -> SceneError?,
    place: @escaping Placing
  ) {
    self.permit = permit
    self.elsewhere = elsewhere
    self.place = place
  }
}
