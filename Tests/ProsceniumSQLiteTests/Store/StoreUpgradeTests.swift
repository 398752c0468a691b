// SPDX-License-Identifier: Apache-2.0

import Foundation
import Proscenium
@testable import ProsceniumSQLite
import Testing

/// Stores of version 4, which an earlier program made: six sessions, two openings and two keys.
@Suite struct StoreUpgradeTests {
  private static let key = [UInt8](repeating: 9, count: 32)

  private static var provider: CallbackKeyProvider {
    .callback { try ApplicationKeys(primary: key) }
  }

  private func oldStore(_ more: String = "") throws -> TemporaryFolder {
    try .store(version: 4, more)
  }

  @Test func `an old store is refused with the command that upgrades it`() throws {
    let folder = try oldStore()
    for open in [
      { _ = try TestStore(folder, key: Self.key) },
      { _ = try StoreInspection(folder.path("store")) },
    ] {
      let error = #expect(throws: StoreError.self) { try open() }
      #expect(error?.code == .unusable)
      #expect(error?.message.contains("proscenium store upgrade") == true)
    }
  }

  @Test func `everything of an old store is in the new one, and the old one is kept`()
    async throws
  {
    let folder = try oldStore()
    let before = try Data(contentsOf: URL(fileURLWithPath: folder.path("store")))
    let (count, kept) = try await StoreUpgrade.run(folder.path("store"), key: Self.provider)
    #expect(count == 6)
    #expect(try Data(contentsOf: URL(fileURLWithPath: try #require(kept))) == before)
    #expect(folder.names == ["store", "store.lock", "store.version4"])
    var store = try TestStore(folder, key: Self.key)
    let (load, rows) = try await store.loadAll()
    #expect(load.damage.isEmpty)
    #expect(rows.count == 6)
    let sorted = (0..<6).map { rows[.test($0)] }
    #expect(sorted.map { $0?.title } == [nil] + (1..<6).map { "title \($0)" })
    #expect(sorted.map { $0?.lastActivated } == [0, 7, 9, 0, 0, 0])
    #expect(sorted.map { $0?.isDiscarded } == [false, false, false, false, true, false])
    #expect(sorted.map { $0?.configuration.name } == ["C0", "C1", "C0", "C1", "C0", "C1"])
    #expect(sorted[2]?.nextWake == 1234)
    #expect(sorted[3]?.group == "g")
    #expect(sorted[4]?.destructionConditions == [.systemDisconnection])
    #expect(sorted[4].map { "\($0.activationConditions.can)" } == #"SELF BEGINSWITH "a""#)
    let states = try (0..<6).map { try store.state(of: .test($0)) }
    #expect(
      states == [
        [], Array("second 1".utf8), Array("third 2".utf8), Array("first 3".utf8), nil, nil,
      ]
    )
  }

  @Test func `what cannot be brought over leaves the old store as it was`() async throws {
    let folder = try oldStore(
      """
      UPDATE session_key SET wrapped = zeroblob(40)
        WHERE sid = (SELECT sid FROM session WHERE title = 'title 3');
      """)
    let before = try Data(contentsOf: URL(fileURLWithPath: folder.path("store")))
    let error = await #expect(throws: StoreError.self) {
      try await StoreUpgrade.run(folder.path("store"), key: Self.provider)
    }
    #expect(error?.code == .damaged)
    #expect(error?.session == .test(3))
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path("store"))) == before)
    let wrong = await #expect(throws: StoreError.self) {
      try await StoreUpgrade.run(
        folder.path("store"), key: .callback { try ApplicationKeys(primary: TestStore.key) })
    }
    #expect(wrong?.code == .wrongKey)
  }

  @Test func `a store that is missing is named, and nothing is made`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("store")
    let error = await #expect(throws: StoreError.self) {
      try await StoreUpgrade.run(
        path, key: FileKeyProvider(path: path + ".key", createsIfMissing: false))
    }
    #expect(error?.code == .unusable)
    #expect(error?.message.hasSuffix("/store: expected a store, found no file.") == true)
    #expect(folder.names.isEmpty)
  }

  @Test func `a store of this version is not upgraded again`() async throws {
    let test = try TestStore()
    try await test.store.close()
    let error = await #expect(throws: StoreError.self) {
      try await StoreUpgrade.run(test.folder.path("store"), key: FilledStore.key)
    }
    #expect(error?.code == .unusable)
  }
}
