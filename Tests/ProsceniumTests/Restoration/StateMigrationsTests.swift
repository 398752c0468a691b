// SPDX-License-Identifier: Apache-2.0

import Proscenium
import Testing

@Suite struct StateMigrationsTests {
  typealias Step = StateMigrations.Step

  struct Planted: Error, CustomStringConvertible {
    let description = "no text"
  }

  private static let steps = [
    // They are in any order.
    Step(from: 2, to: 4) { $0.activity?.userInfo["path"]? = "/2" },
    Step(from: 0, to: 1) { $0.activity?.userInfo["path"] = "0" },
    Step(from: 1, to: 2) { state in
      guard let path = state.activity?.userInfo["path"]?.string else { throw Planted() }
      state.activity?.userInfo["path"] = .string(path + "/1")
      state.activity?.title = "of 1"
    },
    Step(from: 4, to: 5) { state in
      let path = state.activity?.userInfo.removeValue(forKey: "path")
      state.activity?.userInfo["place"] = path
    },
  ]

  private static func state(_ path: String? = nil) -> SavedState {
    SavedState(
      activity: UserActivity("a", userInfo: path.map { ["path": .string($0)] } ?? [:]),
      userInfo: ["zoom": 1])
  }

  @Test(
    arguments: [
      (0, "/2", "of 1"), (1, "/2", "of 1"), (2, "/2", nil), (4, "x", nil), (5, nil, nil),
    ] as [(StateVersion, String?, String?)])
  func `the migrations from a state's version on run in order`(
    version: StateVersion, place: String?, title: String?
  ) throws {
    let migrations = try StateMigrations(current: 5, steps: Self.steps)
    let bytes = try Self.state("x").encoded(version: version)
    let found = try SavedState.version(of: bytes)
    #expect(found == version)
    let restored = try migrations.restore(bytes)
    #expect(restored.activity?.userInfo["place"]?.string == place)
    #expect(restored.activity?.title == title)
    #expect(restored.userInfo == ["zoom": 1])
    let again = try restored.encoded(version: migrations.current)
    let same = try migrations.restore(again)
    #expect(same == restored)
  }

  @Test func `a newer state is refused`() throws {
    let migrations = try StateMigrations(current: 5, steps: Self.steps)
    let error = try refusal(migrations, Self.state(), version: 6)
    #expect(error?.code == .newerState)
    #expect(error?.version == 6)
    #expect(error?.description == "expected a state of version 5 at most, found 6.")
  }

  @Test func `a state from whose version no migration begins is refused`() throws {
    let migrations = try StateMigrations(current: 5, steps: Self.steps)
    let error = try refusal(migrations, Self.state(), version: 3)
    #expect(error?.code == .missingMigration)
    #expect(error?.version == 3)
  }

  @Test func `an error of a migration says from where to where`() throws {
    let migrations = try StateMigrations(current: 5, steps: Self.steps)
    let error = try refusal(migrations, Self.state(), version: 1)
    #expect(error?.code == .failedMigration)
    #expect(error?.version == 1)
    #expect(
      error?.description
        == "expected a migration from version 1 to 2, found the error no text.")
  }

  @Test func `without migrations a state without a stamp is restored, and no other`() throws {
    let migrations = StateMigrations()
    let restored = try migrations.restore(try Self.state("x").encoded())
    #expect(restored == Self.state("x"))
    let error = try refusal(migrations, Self.state(), version: 1)
    #expect(error?.code == .newerState)
  }

  @Test func `bytes that are no state are refused before anything runs`() throws {
    let migrations = try StateMigrations(
      current: 1, steps: [Step(from: 0, to: 1) { _ in Issue.record("A migration ran.") }])
    for bytes in [[], [0], [2], [1, 3, 1, 65]] as [[UInt8]] {
      #expect(throws: SavedStateError.self) { try migrations.restore(bytes) }
    }
  }

  @Test(
    arguments: [
      (5, [(1, 2), (1, 5), (2, 5)], "one migration from version 1, found two"),
      (5, [(2, 2)], "a migration to a later version, found from 2 to 2"),
      (5, [(3, 1), (1, 5)], "a migration to a later version, found from 3 to 1"),
      (
        5, [(1, 2), (3, 5)],
        "from version 2, or 2 as the current version, found none from there, and 5"
      ),
      (5, [(5, 6)], "from version 6"),
      (5, [(1, 7)], "from version 7"),
    ] as [(StateVersion, [(StateVersion, StateVersion)], String)])
  func `what is no chain is refused`(
    current: StateVersion, steps: [(StateVersion, StateVersion)], sentence: String
  ) {
    do throws(SavedStateError) {
      _ = try StateMigrations(
        current: current, steps: steps.map { Step(from: $0.0, to: $0.1) { _ in } })
      Issue.record("It was taken.")
    } catch {
      #expect(error.code == .invalidMigrations)
      #expect(error.description.contains(sentence), "\(error)")
    }
  }

  private func refusal(
    _ migrations: StateMigrations, _ state: SavedState, version: StateVersion
  ) throws -> SavedStateError? {
    let bytes = try state.encoded(version: version)
    do throws(SavedStateError) {
      _ = try migrations.restore(bytes)
      return nil
    } catch {
      return error
    }
  }
}
