// SPDX-License-Identifier: Apache-2.0

public import Proscenium
import ProsceniumPrimitives

extension FaultInjector {
  /// Puts the faults of the plan before a store.
  ///
  /// Commits fail, wait, and are under way when the power is lost; what is written is written
  /// whole, so that the store keeps everything that it has acknowledged. After a loss of power the
  /// store that was returned fails whatever it is asked. The next launch takes another one, on the
  /// same file:
  /// ```swift
  /// let store = injector.store(try SQLiteSessionStore(path: path))
  /// ```
  ///
  /// - Parameter store: The store that keeps the sessions.
  /// - Returns: The store for the application.
  public func store(_ store: any SessionStore) -> any SessionStore {
    let (number, losses) = state.withLock { state in
      state.stores += 1
      return (state.stores, state.powerLosses)
    }
    let random = SplitMix64(seed: plan.seed, stream: 100 + number)
    return FaultySessionStore(store, self, losses: losses, random)
  }
}

/// A store that fails as a plan says.
private final class FaultySessionStore: SessionStore {
  /// What happens to one commit.
  private struct Fate: Sendable {
    let failure: FaultKind?
    let delay: Duration?
    /// Whether the write comes before what happens, rather than after it or never.
    let isWrittenFirst: Bool
  }

  private let base: any SessionStore
  private let injector: FaultInjector
  /// How often the power had been lost when the store was made.
  private let losses: Int
  private let random: Guarded<SplitMix64>

  init(
    _ base: any SessionStore, _ injector: FaultInjector, losses: Int, _ random: SplitMix64
  ) {
    self.base = base
    self.injector = injector
    self.losses = losses
    self.random = Guarded(random)
  }

  var executor: (any TaskExecutor)? { base.executor }

  func load(
    _ receive: @escaping @Sendable ([SessionRow]) throws -> Void
  ) async throws -> StoreLoad {
    try requirePower()
    let load = try await base.load(receive)
    try requirePower()
    return load
  }

  func seal(
    _ state: RawSpan, of session: SessionIdentifier, epoch: UInt32
  ) throws(StoreError) -> [UInt8] {
    try base.seal(state, of: session, epoch: epoch)
  }

  func savedStates(
    of sessions: [SessionIdentifier]
  ) async -> [SessionIdentifier: Result<[UInt8]?, StoreError>] {
    let answers = await base.savedStates(of: sessions)
    do throws(StoreError) {
      try requirePower()
      return answers
    } catch {
      return Dictionary(uniqueKeysWithValues: Set(sessions).map { ($0, .failure(error)) })
    }
  }

  func setRestoring(_ isRestoring: Bool) async throws(StoreError) {
    try requirePower()
    try await base.setRestoring(isRestoring)
    try requirePower()
  }

  func setRunningTime(_ milliseconds: Int64, epoch: UInt32) async throws(StoreError) {
    try requirePower()
    try await base.setRunningTime(milliseconds, epoch: epoch)
    try requirePower()
  }

  func commit(
    _ changes: [StoreChange]
  ) async throws(StoreError) -> [SessionIdentifier: StoreError] {
    try requirePower()
    let fate = drawFate()
    if fate.failure == .storeTorn { try await tear(changes, isWritten: fate.isWrittenFirst) }
    if !fate.isWrittenFirst { try await wait(fate.delay) }
    if let failure = fate.failure { throw fail(failure) }
    let refusals = try await base.commit(changes)
    if fate.isWrittenFirst { try await wait(fate.delay) }
    // The power may be lost since: then the commit is on the disk, unacknowledged.
    try requirePower()
    return refusals
  }

  // MARK: - Steps

  private func drawFate() -> Fate {
    let plan = injector.plan.store
    guard injector.isInjecting else {
      return Fate(failure: nil, delay: nil, isWrittenFirst: true)
    }
    return random.withLock { random in
      // All are drawn each time, so that one does not depend on the share of another.
      let isTorn = random.happens(perThousand: plan.tornPerThousand)
      let isFull = random.happens(perThousand: plan.fullPerThousand)
      let isFailed = random.happens(perThousand: plan.failedPerThousand)
      let delay = plan.delays.draw(&random)
      return Fate(
        failure: isTorn ? .storeTorn : isFull ? .storeFull : isFailed ? .storeFailed : nil,
        delay: delay, isWrittenFirst: random.happens(perThousand: 500))
    }
  }

  /// Loses the power during a commit, of which all or nothing is written.
  private func tear(_ changes: [StoreChange], isWritten: Bool) async throws(StoreError) -> Never {
    note(.storeTorn)
    if isWritten { _ = try await base.commit(changes) }
    injector.losePower()
    throw Self.noPower
  }

  private func wait(_ delay: Duration?) async throws(StoreError) {
    guard let delay else { return }
    note(.storeDelay, duration: delay)
    // A task that was cancelled waits no longer.
    try? await injector.clock.sleep(for: delay)
    try requirePower()
  }

  private func fail(_ kind: FaultKind) -> StoreError {
    note(kind)
    return kind == .storeFull
      ? StoreError(.full, "expected room for the commit, and the plan of faults leaves none")
      : StoreError(.failed, "expected the commit to be written, and the plan of faults fails it")
  }

  private func note(_ kind: FaultKind, duration: Duration? = nil) {
    guard let moment = injector.moment() else { return }
    injector.note(InjectedFault(kind, at: moment, duration: duration))
  }

  private func requirePower() throws(StoreError) {
    _ = injector.moment()
    if injector.state.withLock({ $0.powerLosses }) != losses { throw Self.noPower }
  }

  private static let noPower = StoreError(
    .failed, "expected power for the store, and the plan of faults has taken it")
}
