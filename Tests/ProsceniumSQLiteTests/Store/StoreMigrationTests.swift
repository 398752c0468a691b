// SPDX-License-Identifier: Apache-2.0

@testable import Proscenium
@testable import ProsceniumSQLite
import Testing

/// A store of version 5, which the program before made: six sessions, the fifth of them discarded,
/// and three saved states, one of them with a wake.
@Suite struct StoreMigrationTests {
  /// A delegate without callbacks.
  private final class Quiet: SceneDelegate {}

  private static let key = [UInt8](repeating: 9, count: 32)

  private static var provider: CallbackKeyProvider {
    .callback { try ApplicationKeys(primary: key) }
  }

  @Test func `everything of a store of version 5 is there`() async throws {
    var store = try TestStore(.store(version: 5), key: Self.key)
    let (load, rows) = try await store.loadAll()
    #expect(load.damage.isEmpty)
    #expect(load.epoch == 2)
    let sorted = try (0..<6).map { try #require(rows[.test($0)]) }
    #expect(sorted.map(\.title) == [nil] + (1..<6).map { "title \($0)" })
    #expect(sorted.map(\.lastActivated) == [0, 7, 9, 0, 0, 0])
    #expect(sorted.map(\.isDiscarded) == [false, false, false, false, true, false])
    #expect(sorted.map(\.hasSavedState) == [false, true, true, true, false, false])
    #expect(
      sorted.map(\.configuration.name) == ["Main", "Main", "Main", "Other", "Main", "Main"])
    #expect(sorted[2].nextWake == 4_000_000_000_000)
    #expect(sorted[3].group == "g")
    #expect("\(sorted[3].activationConditions.can)" == #"SELF BEGINSWITH "a""#)
    let states = try (1...3).map { try SavedState(decoding: store.state(of: .test($0)) ?? []) }
    #expect(states.map(\.activity?.title) == ["state 1", "state 2", "state 3"])
    #expect(states.map(\.userInfo) == Array(repeating: ["number": 7], count: 3))
    #expect(states.map(\.wakes.count) == [0, 1, 0])
  }

  @Test func `a store of version 5 is upgraded where it is`() async throws {
    let folder = try TemporaryFolder.store(version: 5)
    let inspection = #expect(throws: StoreError.self) { try StoreInspection(folder.path("store")) }
    #expect(inspection?.code == .unusable)
    #expect(inspection?.message.contains("proscenium store upgrade") == true)
    let (count, kept) = try await StoreUpgrade.run(folder.path("store"), key: Self.provider)
    #expect(count == 6)
    #expect(kept == nil)
    #expect(folder.names == ["store", "store.lock"])
    let report = try StoreVerification.run(folder.path("store"), key: Self.provider)
    #expect(report.damage.isEmpty)
    #expect(try StoreInspection(folder.path("store")).totals().version == 6)
  }

  @Test func `a store of a later version is refused in one line`() throws {
    let folder = try TemporaryFolder.store(version: 5, "PRAGMA user_version = 7;")
    let error = #expect(throws: StoreError.self) { try TestStore(folder, key: Self.key) }
    #expect(error?.code == .newerVersion)
    #expect(
      error?.message.hasSuffix(
        "expected a store of version 6, found version 7: a newer program wrote it.") == true)
  }

  @Test func `an application goes on with a store of version 5, and the store stays whole`()
    async throws
  {
    let folder = try TemporaryFolder.store(version: 5)
    let test = try TestStore(folder, key: Self.key)
    let manifest: SceneManifest = [
      SceneConfiguration("Main", Quiet.init), SceneConfiguration("Other", Quiet.init),
    ]
    let sessions = try await Application.withRunning(manifest: manifest, store: test.store) {
      application in
      try await application.updateSession(.test(1)) { $0.title = "changed" }
      try await application.requestSceneSessionDestruction(.test(5))
      return application.openSessions.map(\.id)
    }
    #expect(Set(sessions) == Set([0, 1, 2, 3].map(SessionIdentifier.test)))
    try await test.store.close()
    #expect(try StoreVerification.run(folder.path("store"), key: Self.provider).damage.isEmpty)
    var again = try TestStore(folder, key: Self.key)
    let rows = try await again.load()
    #expect(rows.count == 4)
    #expect(rows[.test(1)]?.title == "changed")
    #expect(rows[.test(2)]?.title == "title 2")
  }
}
