// SPDX-License-Identifier: Apache-2.0

/// Bugs that a test can plant in the runtime, to see that the tests find them.
///
/// They are looked at in debug builds only; in a release nothing of them is left.
package enum PlantedFault: String, Sendable, CaseIterable {
  /// A scene that leaves the foreground does not resign before.
  case skipResign
  /// A callback comes after the disconnect.
  case deliverAfterDisconnect
  /// A session of an earlier connection is connected twice.
  case connectTwice
  /// A discard names an open session as well.
  case discardOpenSession
  /// The application delegate is asked for the configuration of a session that is not new.
  case askOnRestore
  /// An event is delivered twice.
  case deliverTwice
  /// A pending discard is forgotten.
  case losePendingDiscard
  /// In a hand-over the newcomer comes before the victim resigns.
  case handOverInWrongOrder

  /// What it does, in a few words.
  package var meaning: String {
    switch self {
    case .skipResign: "a scene that leaves the foreground does not resign before"
    case .deliverAfterDisconnect: "a callback comes after the disconnect"
    case .connectTwice: "a session of an earlier connection is connected twice"
    case .discardOpenSession: "a discard names an open session as well"
    case .askOnRestore: "the configuration of a session is asked for that is not new"
    case .deliverTwice: "an event is delivered twice"
    case .losePendingDiscard: "a pending discard is forgotten"
    case .handOverInWrongOrder: "in a hand-over the newcomer comes before the victim resigns"
    }
  }
}

extension ApplicationCore {
  /// Whether a bug was planted.
  @inline(__always)
  func hasFault(_ fault: PlantedFault) -> Bool {
    #if DEBUG
      settings.plantedFault == fault
    #else
      false
    #endif
  }
}
