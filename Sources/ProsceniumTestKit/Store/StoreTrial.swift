// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Proscenium

/// A store in the course of one check, and what was found wrong about it.
struct StoreTrial<Store: SessionStore>: Sendable {
  private let suite: SessionStoreSuite<Store>
  /// The store as it was opened last.
  private(set) var store: Store
  /// The epoch of the last load.
  private(set) var load = StoreLoad(epoch: 0)
  private(set) var failures: [String] = []

  /// Makes a store and loads it.
  init(_ suite: SessionStoreSuite<Store>) async throws {
    self.suite = suite
    store = try await suite.make()
    let rows = try await reload()
    if !rows.isEmpty { fail("a new store has \(rows.count) sessions") }
    if load.isRestoring { fail("a new store is restoring") }
    if load.runningTime != 0 { fail("a new store has run") }
  }

  // MARK: - What happens to the store

  /// Loads the store, as the next application would.
  @discardableResult
  mutating func reload() async throws -> [SessionIdentifier: SessionRow] {
    let received = Received()
    let next = try await store.load { received.add($0) }
    let batches = received.batches
    if let largest = batches.map(\.count).max(), largest > 1_024 {
      fail("load gave \(largest) rows at once, at most 1,024 are allowed")
    }
    if next.epoch <= load.epoch {
      fail("epoch \(next.epoch) came after \(load.epoch)")
    }
    for damage in next.damage { fail("load reported \(damage)") }
    load = next
    var rows: [SessionIdentifier: SessionRow] = [:]
    for row in batches.joined() {
      if rows.updateValue(row, forKey: row.persistentIdentifier) != nil {
        fail("load gave \(row.persistentIdentifier) twice")
      }
    }
    return rows
  }

  /// Closes the store, opens it and loads it, as the next process would.
  @discardableResult
  mutating func reopen() async throws -> [SessionIdentifier: SessionRow] {
    store = try await suite.reopen(store)
    return try await reload()
  }

  /// Opens the store as after a crash, and loads it.
  @discardableResult
  mutating func crash() async throws -> [SessionIdentifier: SessionRow] {
    if let crash = suite.crash { store = try await crash(store) }
    return try await reload()
  }

  /// Commits changes of this epoch as one group.
  func commit(_ changes: [(session: SessionIdentifier, kind: StoreChange.Kind)]) async throws {
    let refusals = try await store.commit(
      changes.map { StoreChange(session: $0.session, epoch: load.epoch, kind: $0.kind) })
    if let refusal = refusals.values.first { throw refusal }
  }

  /// Seals a state and returns the change that saves it.
  func saving(
    _ state: [UInt8], of session: SessionIdentifier
  ) throws -> (session: SessionIdentifier, kind: StoreChange.Kind) {
    let sealed = try unsafe store.seal(state.span.bytes, of: session, epoch: load.epoch)
    return (session, .save(sealed))
  }

  /// The change that inserts a session.
  func inserting(
    _ row: SessionRow
  ) -> (session: SessionIdentifier, kind: StoreChange.Kind) {
    (row.persistentIdentifier, .insert(row))
  }

  // MARK: - What is expected

  mutating func fail(_ sentence: String) {
    if failures.count < SessionStoreCheck.failureLimit { failures.append(sentence) }
  }

  mutating func expect(_ condition: Bool, _ sentence: @autoclosure () -> String) {
    if !condition { fail(sentence()) }
  }

  /// Expects the saved state of a session to be these bytes, or nothing.
  mutating func expectState(
    of session: SessionIdentifier, _ expected: [UInt8]?, _ situation: String
  ) async {
    do {
      let found = try await store.readState(of: session)
      expect(
        found == expected,
        "\(situation), the state of \(session) is \(Self.shown(found)), not \(Self.shown(expected))"
      )
    } catch {
      fail("\(situation), the state of \(session) cannot be read: \(error)")
    }
  }

  /// Expects exactly these rows.
  mutating func expectRows(
    _ found: [SessionIdentifier: SessionRow], _ expected: [SessionRow], _ situation: String
  ) {
    expect(
      found.count == expected.count,
      "\(situation), there are \(found.count) sessions, not \(expected.count)")
    for row in expected {
      guard let other = found[row.persistentIdentifier] else {
        fail("\(situation), \(row.persistentIdentifier) is missing")
        continue
      }
      for difference in row.differences(of: other) {
        fail("\(situation), of \(row.persistentIdentifier) \(difference)")
      }
    }
  }

  /// Expects a commit to refuse a session, and no other, for a change of an earlier epoch.
  mutating func expectFenced(
    _ changes: [StoreChange], _ session: SessionIdentifier, _ situation: String
  ) async {
    do throws(StoreError) {
      let refusals = try await store.commit(changes)
      guard let error = refusals[session] else {
        return fail("\(situation), a change of an earlier epoch was taken")
      }
      expect(error.code == .fenced, "\(situation), the error is \(error), not fenced")
      expect(
        error.session == session,
        "\(situation), the error names \(error.session?.description ?? "no session")")
      expect(refusals.count == 1, "\(situation), \(refusals.count) sessions are refused, not one")
    } catch {
      fail("\(situation), the commit threw \(error) for a session of an earlier epoch")
    }
  }

  private static func shown(_ state: [UInt8]?) -> String {
    guard let state else { return "nothing" }
    guard let number = StoreSample.number(of: state) else { return "\(state.count) other bytes" }
    return "number \(number) of \(state.count) bytes"
  }
}

extension StoreTrial {
  /// The rows that a load gives.
  private final class Received: Sendable {
    private let all = Guarded<[[SessionRow]]>([])

    var batches: [[SessionRow]] { all.withLock { $0 } }

    func add(_ rows: [SessionRow]) {
      all.withLock { $0.append(rows) }
    }
  }
}
