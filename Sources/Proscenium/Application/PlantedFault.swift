// SPDX-License-Identifier: Apache-2.0

import Synchronization

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

  // Deliveries.
  /// An event or a message is not delivered.
  case drop
  /// An event or a message is delivered twice.
  case double
  /// An event or a message is delivered after the next one.
  case swap
  /// A scene that connects is not told what it is to show.
  case loseOption

  // States.
  /// A message is acknowledged as durable before it is.
  case acknowledgeEarly
  /// A mark of a changed state is forgotten.
  case forgetMark
  /// A captured state does not reach the store.
  case loseState
  /// A state that is in memory is taken for stored although it changed since.
  case restoreOldState
  /// A discarded session stays in the store.
  case keepRow

  // Decisions.
  /// The most recently active scene gives way.
  case wrongVictim
  /// Nobody gives way.
  case exceedCapacity
  /// A refresh that was dropped is fulfilled all the same.
  case refreshLate
  /// A finished request goes on counting against the bound.
  case leakRequest
  /// An extended restoration holds nothing up.
  case ignoreExtension
  /// A discard is not reported.
  case forgetDiscard
  /// A session is not woken.
  case loseWake
  /// A policy takes scenes that are to be spared.
  case takeProtected

  /// What it does, in a few words.
  package var meaning: String {
    switch self {
    case .skipResign: "a scene that leaves the foreground does not resign before"
    case .deliverAfterDisconnect: "a callback comes after the disconnect"
    case .connectTwice: "a session of an earlier connection is connected twice"
    case .discardOpenSession: "a discard names an open session as well"
    case .askOnRestore: "the configuration of a session is asked for that is not new"
    case .deliverTwice: "every event is delivered twice"
    case .losePendingDiscard: "a pending discard is forgotten"
    case .handOverInWrongOrder: "in a hand-over the newcomer comes before the victim resigns"
    case .drop: "now and then an event or a message is not delivered"
    case .double: "now and then an event or a message is delivered twice"
    case .swap: "now and then an event or a message is delivered after the next one"
    case .loseOption: "now and then a scene that connects is not told what it is to show"
    case .acknowledgeEarly: "a message is acknowledged as durable before it is"
    case .forgetMark: "a mark of a changed state is forgotten"
    case .loseState: "now and then a captured state does not reach the store"
    case .restoreOldState: "a state is taken for stored although it changed since"
    case .keepRow: "a discarded session stays in the store"
    case .wrongVictim: "the most recently active scene gives way"
    case .exceedCapacity: "nobody gives way, however many scenes are in the foreground"
    case .refreshLate: "a refresh that was dropped is fulfilled all the same"
    case .leakRequest: "now and then a finished request goes on counting against the bound"
    case .ignoreExtension: "an extended restoration holds nothing up"
    case .forgetDiscard: "now and then a discard is not reported"
    case .loseWake: "now and then a session is not woken"
    case .takeProtected: "a policy takes scenes that are to be spared"
    }
  }

  /// Those that any order of commands shows, without a clock, a store or a policy.
  package static let visibleInAnyOrder: [PlantedFault] = [
    .skipResign, .deliverAfterDisconnect, .connectTwice, .discardOpenSession, .askOnRestore,
    .deliverTwice, .losePendingDiscard, .handOverInWrongOrder,
  ]
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

  /// Whether a planted bug strikes, as it does at every eighth chance.
  @inline(__always)
  func strikes(_ fault: PlantedFault) -> Bool {
    #if DEBUG
      guard settings.plantedFault == fault else { return false }
      return plantedChances.wrappingAdd(1, ordering: .relaxed).newValue % 8 == 0
    #else
      false
    #endif
  }
}
