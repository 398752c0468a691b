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
