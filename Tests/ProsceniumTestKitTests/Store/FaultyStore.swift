// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Proscenium
import ProsceniumPredicate
import ProsceniumTestKit

/// A store with one fault, which the suite has to find.
final class FaultyStore: SessionStore {
  fileprivate struct State: Sendable {
    var firstStates: [SessionIdentifier: [UInt8]] = [:]
    var previousStates: [SessionIdentifier: [UInt8]] = [:]
    var sealed: [SessionIdentifier: [UInt8]] = [:]
    var lastSealed: [UInt8] = []
    var inserted: Set<SessionIdentifier> = []
    var readCount = 0
    var beforeLastCommit = InMemorySessionStore()
    var titles: [SessionIdentifier: String?] = [:]
  }

  let fault: Fault?
  fileprivate let kept: InMemorySessionStore
  fileprivate let state = Guarded(State())

  init(_ fault: Fault?, kept: InMemorySessionStore = InMemorySessionStore()) {
    self.fault = fault
    self.kept = kept
  }

  func reopened() async throws -> FaultyStore {
    let copy = kept.copy()
    switch fault {
    case .epochsOfOneProcess:
      let new = InMemorySessionStore(kept.sessions)
      return FaultyStore(fault, kept: new)
    case .losesStatesAtReopening:
      for session in kept.sessions { _ = copy.apply([session.change(.save([]))]) }
      return FaultyStore(fault, kept: copy)
    case .losesLastStateAtReopening:
      for (session, bytes) in state.withLock({ $0.previousStates }) {
        _ = copy.apply([StoreChange(session: session, epoch: .max, kind: .save(bytes))])
      }
      return FaultyStore(fault, kept: copy)
    case .stopsAfterThousands:
      for session in kept.sessions.dropFirst(9_000) {
        _ = copy.apply([session.change(.remove)])
      }
      return FaultyStore(fault, kept: copy)
    case .forgetsRestoring: copy.applyRestoring(false)
    default: break
    }
    return FaultyStore(fault, kept: copy)
  }

  func crashed() async throws -> FaultyStore {
    guard fault == .losesLastCommitInCrash else { return try await reopened() }
    return FaultyStore(fault, kept: state.withLock { $0.beforeLastCommit })
  }

  func load(
    _ receive: @escaping @Sendable ([SessionRow]) throws -> Void
  ) async throws -> StoreLoad {
    let rows = Guarded<[SessionRow]>([])
    var load = try await kept.load { batch in rows.withLock { $0 += batch } }
    var given = rows.withLock { $0 }.map(changed)
    switch fault {
    case .noEpochs: load.epoch = 1
    case .keepsRestoring: load.isRestoring = load.isRestoring || load.epoch > 4
    case .reportsDamage: load.damage = [StoreError(.damaged, "planted")]
    case .isNotEmpty: given.append(SessionRow(persistentIdentifier: .number(999_999)))
    case .givesSomeTwice where given.count > 3: given.append(given[2])
    case .forgetsRows where given.count > 3: given.removeLast()
    case .givesAllAtOnce:
      try receive(given)
      return load
    default: break
    }
    for start in stride(from: 0, to: given.count, by: 1_024) {
      let batch = Array(given[start..<min(start + 1_024, given.count)])
      if fault == .goesOnAfterErrors { try? receive(batch) } else { try receive(batch) }
    }
    return load
  }

  private func changed(_ row: SessionRow) -> SessionRow {
    var row = row
    switch fault {
    case .hidesStates: row.hasSavedState = false
    case .claimsStates: row.hasSavedState = true
    case .claimsDiscards: row.isDiscarded = row.title == nil
    case .losesSubtitle: row.subtitle = nil
    case .losesPrefers: row.activationConditions.prefers = .false
    case .losesGroup: row.group = nil
    case .losesDestruction: row.destructionConditions = []
    case .cutsTextsAtZero: row.title = row.title.map { String($0.prefix { $0 != "\0" }) }
    case .composesTexts where row.title == "\u{E9}":
      // A row does not change for an equal text.
      row.title = nil
      row.title = "\u{E9}"
    case .keepsReplacedTitle:
      let title = state.withLock { $0.titles[row.persistentIdentifier] }
      if let title { row.title = title }
    case .takesHasSavedState:
      row.hasSavedState = row.hasSavedState || row.lastActivated == 0 && row.title == nil
    default: break
    }
    return row
  }

  func seal(
    _ state: RawSpan, of session: SessionIdentifier, epoch: UInt32
  ) throws(StoreError) -> [UInt8] {
    let sealed = try kept.seal(state, of: session, epoch: epoch)
    let error = StoreError(.failed, session: session, "planted")
    switch fault {
    case .refusesEmptyStates where sealed.count < 10: throw error
    case .needsInsertionBeforeSealing:
      guard self.state.withLock({ $0.inserted.contains(session) }) else { throw error }
    case .savesWhatWasSealedLast: self.state.withLock { $0.sealed[session] = sealed }
    case .mixesUpSealers:
      return self.state.withLock { state in
        defer { state.lastSealed = sealed }
        return session.low % 60 == 59 && !state.lastSealed.isEmpty ? state.lastSealed : sealed
      }
    default: break
    }
    return sealed
  }

  func savedStates(
    of sessions: [SessionIdentifier]
  ) async -> [SessionIdentifier: Result<[UInt8]?, StoreError>] {
    answers(of: sessions) { (session) throws(StoreError) in try savedState(of: session) }
  }

  private func savedState(of session: SessionIdentifier) throws(StoreError) -> [UInt8]? {
    let bytes = kept.savedState(of: folded(session))
    return state.withLock { state in
      state.readCount += 1
      switch fault {
      case .keepsFirstState: return state.firstStates[session] ?? bytes
      case .givesAnotherState: return state.firstStates.values.first ?? bytes
      case .statesAreCutOff: return bytes.map { Array($0.prefix(65_536)) }
      case .keepsStateOfRemoved: return bytes ?? state.firstStates[session]
      case .readsLate where state.readCount.isMultiple(of: 40):
        return state.previousStates[session] ?? bytes
      default: return bytes
      }
    }
  }

  func setRestoring(_ isRestoring: Bool) async throws(StoreError) {
    kept.applyRestoring(isRestoring)
  }

  func setRunningTime(_ milliseconds: Int64, epoch: UInt32) async throws(StoreError) {
    if fault == .losesRunningTime { return }
    kept.applyRunningTime(milliseconds, epoch: fault == .anyRunningTime ? .max : epoch)
  }
}

extension FaultyStore {
  func commit(
    _ changes: [StoreChange]
  ) async throws(StoreError) -> [SessionIdentifier: StoreError] {
    if fault == .losesLastCommitInCrash { state.withLock { $0.beforeLastCommit = kept.copy() } }
    let known = Set(kept.sessions.map(\.persistentIdentifier))
    state.withLock { state in
      for change in changes {
        state.note(change, previous: kept.savedState(of: change.session))
      }
    }
    switch fault {
    case .refusesEmptyGroups where changes.isEmpty: throw StoreError(.failed, "planted")
    case .refusesUnknown
    where changes.contains(where: { !$0.isInsertion && !known.contains($0.session) }):
      throw StoreError(.failed, "planted")
    case .noFencing: return kept.apply(changes.map { $0.with(epoch: .max) })
    case .fencesWithoutSession:
      return kept.apply(changes).mapValues { StoreError($0.code, $0.message) }
    case .appliesPartOfGroup:
      var refusals: [SessionIdentifier: StoreError] = [:]
      for change in changes { refusals.merge(kept.apply([change])) { $1 } }
      return refusals
    case .losesLastChange: return kept.apply(changes.count > 1 ? changes.dropLast() : changes)
    case .appliesBackwards: return kept.apply(changes.reversed())
    default: return kept.apply(changes.flatMap { applied($0, changes, known) })
    }
  }

  /// What the store makes of a change.
  private func applied(
    _ change: StoreChange, _ all: [StoreChange], _ known: Set<SessionIdentifier>
  ) -> [StoreChange] {
    let isKnown = known.contains(change.session)
    switch (fault, change.kind) {
    case (.updatesMakeSessions, .update(let row)) where !isKnown: return [change.with(.insert(row))]
    case (.statesMakeSessions, .save) where !isKnown:
      let row = SessionRow(persistentIdentifier: change.session)
      return [change.with(.insert(row)), change]
    case (.updatesActivation, .update(let row)):
      return [change, change.with(.activate(lastActivated: row.lastActivated))]
    case (.countsFirstState, .save):
      let first = all.first { $0.session == change.session && $0.isSaving }
      return first.map { [$0] } ?? [change]
    case (.staysOutsideOfGroups, .remove) where !isKnown: return []
    case (.savesWhatWasSealedLast, .save):
      let sealed = state.withLock { $0.sealed[change.session] }
      return [sealed.map { change.with(.save($0)) } ?? change]
    case (.mixesUpBits, _), (.losesHighHalf, _): return [folded(change)]
    default: return [change]
    }
  }

  private func folded(_ session: SessionIdentifier) -> SessionIdentifier {
    switch fault {
    case .losesHighHalf: SessionIdentifier(high: 0, low: session.low)
    case .mixesUpBits: SessionIdentifier(high: session.high & ~(1 << 40), low: session.low)
    default: session
    }
  }

  private func folded(_ change: StoreChange) -> StoreChange {
    guard case .insert(let row) = change.kind else {
      return StoreChange(session: folded(change.session), epoch: change.epoch, kind: change.kind)
    }
    let new = SessionRow(persistentIdentifier: folded(row.persistentIdentifier), title: row.title)
    return StoreChange(session: folded(change.session), epoch: change.epoch, kind: .insert(new))
  }
}

extension FaultyStore.State {
  /// Remembers what faults need to know of earlier changes.
  fileprivate mutating func note(_ change: StoreChange, previous: [UInt8]??) {
    switch change.kind {
    case .insert(let row):
      inserted.insert(change.session)
      if titles[change.session] == nil { titles[change.session] = row.title }
    case .save(let bytes):
      if let previous = previous ?? nil { previousStates[change.session] = previous }
      if firstStates[change.session] == nil { firstStates[change.session] = bytes }
    case .update, .activate, .remove: break
    }
  }
}

extension StoreChange {
  fileprivate var isInsertion: Bool {
    if case .insert = kind { true } else { false }
  }

  fileprivate var isSaving: Bool {
    if case .save = kind { true } else { false }
  }

  fileprivate func with(_ kind: Kind) -> StoreChange {
    StoreChange(session: session, epoch: epoch, kind: kind)
  }

  fileprivate func with(epoch: UInt32) -> StoreChange {
    StoreChange(session: session, epoch: epoch, kind: kind)
  }
}

extension StoredSession {
  fileprivate func change(_ kind: StoreChange.Kind) -> StoreChange {
    StoreChange(session: persistentIdentifier, epoch: .max, kind: kind)
  }
}
