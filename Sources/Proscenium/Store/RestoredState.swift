// SPDX-License-Identifier: Apache-2.0

/// A saved state as it comes from its store: checked, and of this version of the program.
///
/// Its activity stays encoded as long as nothing asks for it.
struct RestoredState: Sendable {
  let activity: SavedActivity
  /// The state without the activity.
  let rest: SavedState

  init() {
    self.init(.none, SavedState())
  }

  init(_ activity: SavedActivity, _ rest: SavedState) {
    (self.activity, self.rest) = (activity, rest)
  }

  /// Checks an encoded state, and leaves its activity encoded unless a migration is to change it.
  ///
  /// - Throws: As ``StateMigrations/restore(_:)``.
  init(_ bytes: [UInt8], _ migrations: StateMigrations) throws(SavedStateError) {
    var reader = SavedStateReader(bytes)
    let (rest, version, hasActivity) = try reader.stateBesideActivity()
    if version == migrations.current {
      self.init(hasActivity ? .encoded(bytes) : .none, rest)
      return
    }
    var state = try SavedState(decoding: bytes)
    try migrations.migrate(&state, from: version)
    let activity = state.activity
    state.activity = nil
    self.init(activity.map { .value($0) } ?? .none, state)
  }

  /// All of it.
  var state: SavedState {
    var state = rest
    state.activity = activity.value
    return state
  }
}
