// SPDX-License-Identifier: Apache-2.0

public import Proscenium
import ProsceniumPrimitives
import ProsceniumSealing

/// Copies all sessions of a store into another one, of whatever kind, and compares the two.
///
/// No application uses either of them. States are opened with the one store's key and sealed with
/// the other's. What is in the open, the owner, the time of the last use and what clients have been
/// told are copied as they are.
public struct StoreCopy: Sendable {
  private let source: any SessionStore
  private let target: any SessionStore

  /// How far a copy is.
  public enum Step: Sendable {
    /// So many sessions of so many were written.
    case copied(Int, of: Int)
    /// So many sessions of so many were compared.
    case compared(Int, of: Int)
  }

  /// How many sessions are written at once.
  private static let batch = 256

  /// Names the stores.
  ///
  /// - Parameters:
  ///   - source: The store that is read.
  ///   - target: A store without sessions, or one that has only sessions of an earlier copy of the
  ///     source, which was interrupted: they are written again.
  public init(from source: any SessionStore, to target: any SessionStore) {
    self.source = source
    self.target = target
  }

  /// What a copy has come to.
  public struct Result: Sendable {
    /// What was copied, and what of the source cannot be.
    public package(set) var report = StoreReport()

    /// The sessions that were discarded while no application was running: they are to be discarded
    /// in the target when it has been closed.
    public package(set) var discarded: [SessionIdentifier] = []
  }

  /// Copies everything, reads it again and compares it.
  ///
  /// - Parameter progress: Is told how far it is.
  /// - Returns: What was copied. What is damaged in the source is in the report, and was not
  ///   copied.
  /// - Throws: `unusable` if the target has other sessions; `damaged` if it does not give back what
  ///   was written; whatever the stores refuse. The copy can be begun again.
  public func run(_ progress: (Step) -> Void = { _ in }) async throws -> Result {
    let (load, rows) = try await Self.load(source)
    let (start, found) = try await Self.load(target)
    let known = Set(rows.map(\.persistentIdentifier))
    guard let other = found.first(where: { !known.contains($0.persistentIdentifier) }) else {
      return try await copy(rows, load, start.epoch, progress)
    }
    throw StoreError(
      .unusable, session: other.persistentIdentifier,
      "expected a store without sessions to copy to, found one that has others.")
  }

  private func copy(
    _ rows: [SessionRow], _ load: StoreLoad, _ epoch: UInt32, _ progress: (Step) -> Void
  ) async throws -> Result {
    var result = Result()
    for error in load.damage { result.report.add(error) }
    for start in stride(from: 0, to: rows.count, by: Self.batch) {
      let batch = rows[start..<min(start + Self.batch, rows.count)]
      try await copy(batch, epoch, &result)
      progress(.copied(batch.endIndex, of: rows.count))
    }
    try await target.setRestoring(load.isRestoring)
    try await target.setRunningTime(load.runningTime, epoch: epoch)
    try await compare(rows, load, progress)
    return result
  }

  /// Copies some sessions, their states with them.
  private func copy(
    _ rows: ArraySlice<SessionRow>, _ epoch: UInt32, _ result: inout Result
  ) async throws {
    let states = await Self.states(of: rows, in: source)
    var changes: [StoreChange] = []
    for row in rows {
      let session = row.persistentIdentifier
      result.report.sessions += 1
      if let damage = row.damage { result.report.add(damage) }
      if row.isDiscarded { result.discarded.append(session) }
      changes.append(StoreChange(session: session, epoch: epoch, kind: .insert(row)))
      switch states[session] {
      case .success(let state?):
        let sealed = try unsafe target.seal(state.span.bytes, of: session, epoch: epoch)
        changes.append(StoreChange(session: session, epoch: epoch, kind: .save(sealed)))
        result.report.states += 1
        result.report.stateBytes += state.count + RecordSealer.overhead
      case .failure(let error) where error.code == .damaged: result.report.add(error)
      case .failure(let error): throw error
      case .success(nil), nil: break
      }
    }
    let refusals = try await target.commit(changes)
    if let refusal = refusals.values.first { throw refusal }
  }

  // MARK: - Comparing

  /// Reads both stores again and compares them.
  private func compare(
    _ rows: [SessionRow], _ load: StoreLoad, _ progress: (Step) -> Void
  ) async throws {
    let (copied, found) = try await Self.load(target)
    let byIdentifier = Dictionary(uniqueKeysWithValues: found.map { ($0.persistentIdentifier, $0) })
    guard found.count == rows.count, copied.isRestoring == load.isRestoring,
      copied.runningTime == load.runningTime
    else {
      throw StoreError(
        .damaged, "expected \(rows.count) sessions in the copy, found \(found.count).")
    }
    for start in stride(from: 0, to: rows.count, by: Self.batch) {
      let batch = rows[start..<min(start + Self.batch, rows.count)]
      let originals = await Self.states(of: batch, in: source)
      let copies = await Self.states(of: batch, in: target)
      for row in batch {
        let session = row.persistentIdentifier
        guard let copy = byIdentifier[session], row.isCopied(as: copy),
          Self.isCopied(originals[session], as: copies[session])
        else {
          throw StoreError(
            .damaged, session: session, "expected the session in the copy as it was, found another."
          )
        }
      }
      progress(.compared(batch.endIndex, of: rows.count))
    }
  }

  /// What cannot be opened is not copied.
  private static func isCopied(
    _ state: Swift.Result<[UInt8]?, StoreError>?, as copy: Swift.Result<[UInt8]?, StoreError>?
  ) -> Bool {
    let (original, copied) = (try? state?.get(), try? copy?.get())
    return original == copied
  }

  // MARK: - Reading

  private static func load(
    _ store: any SessionStore
  ) async throws -> (StoreLoad, [SessionRow]) {
    let rows = Guarded<[SessionRow]>([])
    let load = try await store.load { batch in rows.withLock { $0 += batch } }
    return (load, rows.withLock { $0 })
  }

  /// The states of those of some sessions that have one.
  private static func states(
    of rows: ArraySlice<SessionRow>, in store: any SessionStore
  ) async -> [SessionIdentifier: Swift.Result<[UInt8]?, StoreError>] {
    var left = rows.filter(\.hasSavedState).map(\.persistentIdentifier)
    var states: [SessionIdentifier: Swift.Result<[UInt8]?, StoreError>] = [:]
    while !left.isEmpty {
      let answers = await store.savedStates(of: left)
      if answers.isEmpty { break }
      states.merge(answers) { first, _ in first }
      left.removeAll { answers[$0] != nil }
    }
    return states
  }
}

extension SessionRow {
  /// Whether another store has kept what this row says.
  fileprivate func isCopied(as copy: SessionRow) -> Bool {
    configuration == copy.configuration && lastActivated == copy.lastActivated
      && group == copy.group && activationConditions == copy.activationConditions
      && title == copy.title && subtitle == copy.subtitle && owner == copy.owner
      && destructionConditions == copy.destructionConditions && nextWake == copy.nextWake
      && lastUsed == copy.lastUsed
  }
}
