// SPDX-License-Identifier: Apache-2.0

/// Bugs that a test can plant in the runtime, to see that the tests find them.
///
/// They exist in debug builds only.
#if DEBUG
  package enum PlantedFault: String, Sendable, CaseIterable {
    /// A scene that leaves the foreground does not resign before.
    case skipResign
    /// A callback comes after the disconnect.
    case deliverAfterDisconnect
    /// An archived session is connected twice.
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
#endif
