// SPDX-License-Identifier: Apache-2.0

/// Reads saved states that are in the store only: those of sessions without a scene.
final class StoredStates: Sendable {
  private let store: any SessionStore
  private let migrations: StateMigrations

  init(_ store: any SessionStore, _ migrations: StateMigrations) {
    self.store = store
    self.migrations = migrations
  }

  /// Reads a saved state and brings it up to this version of the program.
  ///
  /// - Throws: `stateUnreadable`, or `stateUnavailable` if there is no key now. What is kept stays
  ///   as it is.
  func read(_ session: SessionIdentifier) throws(SceneError) -> SavedState {
    var note: SealingNote?
    return try read(session, note: &note)
  }

  /// Reads the saved state of a session that gets a scene.
  ///
  /// - Throws: As ``read(_:)``.
  func read(
    _ session: SessionIdentifier, note: inout SealingNote?
  ) throws(SceneError) -> SavedState {
    let bytes: [UInt8]?
    do throws(StoreError) {
      bytes = try store.savedState(of: session, note: &note)
    } catch {
      let code: SceneError.Code =
        error.code == .keyUnavailable ? .stateUnavailable : .stateUnreadable
      throw SceneError(code, session: session, "\(error.code.rawValue): \(error.message)")
    }
    guard let bytes else { return SavedState() }
    do throws(SavedStateError) {
      return try migrations.restore(bytes)
    } catch {
      throw SceneError(.stateUnreadable, session: session, "\(error)")
    }
  }
}
