// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Foundation
import Proscenium
import ProsceniumPredicate
@testable import ProsceniumSQLite
import Testing

/// A closed store with sessions of all kinds, and what it has to give.
struct FilledStore {
  /// What the store keeps of a session.
  struct Kept: Equatable {
    var title: String?
    var configuration: StoredConfiguration
    var conditions: String
    var state: Bytes?

    init(_ row: SessionRow, state: Bytes?) {
      title = row.title
      configuration = row.configuration
      conditions =
        "\(row.activationConditions.can), \(row.activationConditions.prefers),"
        + " \(row.lastActivated), \(row.group?.rawValue ?? "-"), \(row.subtitle ?? "-"),"
        + " \(row.destructionConditions.count), \(row.isDiscarded)"
      self.state = state
    }
  }

  let folder: TemporaryFolder
  /// The store, if it was left open: its log is not in the database then.
  private let running: SQLiteSessionStore?
  var path: String { folder.path("store") }

  /// What is kept, by session.
  private(set) var kept: [SessionIdentifier: Kept] = [:]

  /// The sessions that were removed.
  private(set) var removed: Set<SessionIdentifier> = []

  /// Fills a store.
  ///
  /// - Parameters:
  ///   - sessions: How many sessions there are; every tenth has no state, and of a
  ///     closed store every twelfth was removed.
  ///   - rounds: How often the states are saved.
  ///   - seed: What states are drawn from.
  ///   - isClosed: Whether the log is brought into the database.
  /// - Throws: What the store throws.
  init(sessions: Int = 60, rounds: Int = 4, seed: UInt64 = 1, isClosed: Bool = true) async throws {
    folder = try TemporaryFolder()
    var generator = SplitMix64(seed: seed)
    var test = try TestStore(folder)
    try await test.load()
    var rows: [SessionIdentifier: SessionRow] = [:]
    for number in 0..<sessions {
      let row = try Self.row(number)
      rows[.test(number)] = row
      try await test.commit([(.test(number), .insert(row))])
    }
    var states: [SessionIdentifier: Bytes] = [:]
    for round in 0..<rounds {
      // Several states in one segment, in another order each time.
      for start in stride(from: 0, to: sessions, by: 8) {
        var changes: [(SessionIdentifier, StoreChange.Kind)] = []
        for number in start..<min(start + 8, sessions) where number % 10 != 9 {
          let session = SessionIdentifier.test((number * 7 + round) % sessions)
          guard rows[session] != nil, Self.hasState(session, sessions) else { continue }
          let state = Bytes.drawn(Int.random(in: 200...700, using: &generator), &generator)
          states[session] = state
          changes.append((session, .save(try test.seal(state, of: session))))
        }
        try await test.commit(changes)
      }
    }
    // A log with destroyed keys would be brought into the database at once.
    for number in stride(from: 0, to: isClosed ? sessions : 0, by: 12) {
      try await test.commit([(.test(number), .remove)])
      removed.insert(.test(number))
      rows[.test(number)] = nil
    }
    for (session, row) in rows { kept[session] = Kept(row, state: states[session]) }
    running = isClosed ? nil : test.store
    if isClosed { try await test.store.close() }
  }

  /// Opens the store again, saves new states of some sessions, and closes it.
  mutating func openAgain() async throws {
    var generator = SplitMix64(seed: 99)
    var test = try TestStore(folder)
    try await test.load()
    for (session, value) in kept.sorted(by: { $0.key < $1.key }).prefix(kept.count / 2)
    where value.state != nil {
      let state = Bytes.drawn(400, &generator)
      try await test.save(state, of: session)
      kept[session]?.state = state
    }
    try await test.store.close()
  }

  private static func hasState(_ session: SessionIdentifier, _ sessions: Int) -> Bool {
    !stride(from: 9, to: sessions, by: 10).contains { SessionIdentifier.test($0) == session }
  }

  private static func row(_ number: Int) throws -> SessionRow {
    var row = SessionRow(
      persistentIdentifier: .test(number),
      configuration: StoredConfiguration(
        name: "editor \(number % 3)", delegateClass: "Editor", manifestRevision: "r\(number % 2)"),
      lastActivated: UInt64(number), group: number % 4 == 0 ? SceneGroup(rawValue: "g") : nil,
      title: "title \(number)", subtitle: number % 2 == 0 ? nil : "subtitle")
    row.activationConditions.can = try ContentPredicate(format: "SELF BEGINSWITH 'a\(number)'")
    if number % 5 == 0 { row.destructionConditions = [.systemDisconnection] }
    return row
  }

  /// Copies the store's files into a folder of their own.
  func copied() throws -> TemporaryFolder {
    let copy = try TemporaryFolder()
    for name in folder.names where name != "store.lock" {
      try FileManager.default.copyItem(atPath: folder.path(name), toPath: copy.path(name))
    }
    return copy
  }

  static var key: any KeyProvider {
    .callback { try ApplicationKeys(primary: TestStore.key) }
  }
}
