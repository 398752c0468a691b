// SPDX-License-Identifier: Apache-2.0

/// The saved activity of a session as it is in memory.
enum SavedActivity: Sendable {
  case none
  case value(UserActivity)
  /// It is in the encoding of the whole saved state.
  case encoded([UInt8])

  /// The activity.
  var value: UserActivity? {
    switch self {
    case .none: return nil
    case .value(let activity): return activity
    // This process has encoded or checked it.
    case .encoded(let bytes):
      var reader = SavedStateReader(bytes)
      return reader.checkedActivity()
    }
  }

  /// Whether there is an activity.
  var isThere: Bool {
    switch self {
    case .none: false
    case .value: true
    case .encoded(let bytes): StateReader.hasActivity(bytes)
    }
  }

  /// The type of the activity.
  var activityType: String? {
    if case .value(let activity) = self { activity.activityType } else { reader()?.activityType }
  }

  /// What reads the fields of the activity.
  func reader() -> StateReader? {
    switch self {
    case .none: nil
    case .value(let activity): StateReader(activity)
    case .encoded(let bytes): StateReader(bytes)
    }
  }

  var isNone: Bool {
    if case .none = self { true } else { false }
  }

  /// The same without an encoding.
  var decoded: SavedActivity {
    guard case .encoded = self else { return self }
    return value.map { .value($0) } ?? .none
  }

  /// The encoding, if it is that.
  var encoded: [UInt8]? {
    if case .encoded(let bytes) = self { bytes } else { nil }
  }

  /// Tells whether two are the same object; false does not mean that they differ.
  func isIdentical(to other: SavedActivity) -> Bool {
    switch (self, other) {
    case (.none, .none): true
    case (.value(let activity), .value(let other)): activity.isIdentical(to: other)
    case (.encoded(let bytes), .encoded(let others)): bytes.isIdentical(to: others)
    default: false
    }
  }
}

extension SavedActivity: Equatable {
  static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.none, .none): true
    case (.value(let left), .value(let right)): left == right
    // Equal states have equal encodings.
    case (.encoded(let left), .encoded(let right)): left == right
    case (.value, .encoded), (.encoded, .value): left.value == right.value
    case (.none, _), (_, .none): false
    }
  }
}
