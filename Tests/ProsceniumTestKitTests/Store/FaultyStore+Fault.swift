// SPDX-License-Identifier: Apache-2.0

extension FaultyStore {
  /// What a store does wrong.
  enum Fault: String, CaseIterable {
    case losesLastChange, losesSubtitle, losesPrefers, losesGroup, losesDestruction, reportsDamage,
      isNotEmpty
    case updatesActivation
    case keepsReplacedTitle
    case losesHighHalf, mixesUpBits
    case cutsTextsAtZero, composesTexts
    case givesAnotherState, keepsStateOfRemoved
    case updatesMakeSessions, statesMakeSessions, refusesUnknown
    case hidesStates, claimsStates, claimsDiscards, takesHasSavedState
    case keepsFirstState, losesStatesAtReopening, losesLastStateAtReopening
    case statesAreCutOff, refusesEmptyStates
    case needsInsertionBeforeSealing
    case savesWhatWasSealedLast
    case mixesUpSealers
    case readsLate
    case losesLastCommitInCrash
    case appliesBackwards, countsFirstState, staysOutsideOfGroups
    case refusesEmptyGroups
    case appliesPartOfGroup
    case noEpochs, epochsOfOneProcess
    case noFencing, fencesWithoutSession
    case goesOnAfterErrors
    case forgetsRestoring, keepsRestoring, losesRunningTime, anyRunningTime
    case givesAllAtOnce, givesSomeTwice, stopsAfterThousands
    case forgetsRows

    /// How the name begins of the check that has to find it.
    var check: String {
      switch self {
      case .losesLastChange, .losesSubtitle, .losesPrefers, .losesGroup, .losesDestruction,
        .reportsDamage, .isNotEmpty:
        "every field of a session"
      case .updatesActivation: "an update changes"
      case .keepsReplacedTitle: "an insertion replaces"
      case .losesHighHalf, .mixesUpBits: "identifiers are told apart"
      case .cutsTextsAtZero, .composesTexts: "texts of any characters"
      case .givesAnotherState, .keepsStateOfRemoved: "a removed session"
      case .updatesMakeSessions, .statesMakeSessions, .refusesUnknown:
        "changes of sessions that are not kept"
      case .hidesStates, .claimsStates, .claimsDiscards, .takesHasSavedState: "what the store knows"
      case .keepsFirstState, .losesStatesAtReopening, .losesLastStateAtReopening:
        "the saved state is the last"
      case .statesAreCutOff, .refusesEmptyStates: "states of any size"
      case .needsInsertionBeforeSealing: "a state can be sealed before"
      case .savesWhatWasSealedLast: "of states that were sealed"
      case .mixesUpSealers: "many shards"
      case .readsLate: "a state that is read"
      case .losesLastCommitInCrash: "what was committed survives"
      case .appliesBackwards, .countsFirstState, .staysOutsideOfGroups: "changes of a group"
      case .refusesEmptyGroups: "a group without"
      case .appliesPartOfGroup: "of a session that is refused"
      case .noEpochs, .epochsOfOneProcess: "each load begins"
      case .noFencing, .fencesWithoutSession: "what an application"
      case .goesOnAfterErrors: "an error of the one"
      case .forgetsRestoring, .keepsRestoring: "the note that"
      case .losesRunningTime, .anyRunningTime: "the time that applications"
      case .givesAllAtOnce, .givesSomeTwice, .stopsAfterThousands: "ten thousand"
      case .forgetsRows: "sessions that come"
      }
    }
  }
}
