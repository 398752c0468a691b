// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Proscenium
import Testing

@testable import ProsceniumSQLite

@Suite struct StoreCrashTests {
  /// Commits that fill the log often enough for each place to be reached three times.
  private static let mostRounds = 2_000

  /// The files are copied at a place where a process could be killed, and opened as a new process
  /// would open them.
  @Test(arguments: CrashPoint.allCases)
  func `what was acknowledged is there after a kill`(point: CrashPoint) async throws {
    let folder = try TemporaryFolder()
    let copy = try TemporaryFolder()
    let isArmed = Guarded(0)
    let hasCopy = Guarded(false)
    var options = SQLiteSessionStore.Options()
    options.reached = { reached in
      guard reached == point else { return }
      let isNow = isArmed.withLock { count in
        count -= 1
        return count == 0
      }
      if isNow {
        try? folder.copyStore(to: copy)
        hasCopy.withLock { $0 = true }
      }
    }
    // The second time the place is reached, where there is one.
    let early: [CrashPoint] = [.insideCreation, .insideRotation]
    isArmed.withLock { $0 = early.contains(point) ? 1 : 3 }
    var acknowledged: [SessionIdentifier: UInt8] = [:]
    var store = try TestStore(folder, options)
    try await store.load()
    if point == .insideRotation {
      store = try await store.reopened(
        key: [UInt8](repeating: 8, count: 32), previous: TestStore.key, options)
      try await store.load()
    }
    let sessions = (0..<50).map { SessionIdentifier.test($0) }
    // The log is brought over beside the writer, and by the writer itself once it is full: on a
    // busy machine that is later, but it comes.
    for number in 0..<Self.mostRounds where !hasCopy.withLock({ $0 }) {
      let round = UInt8(truncatingIfNeeded: number)
      let change = try sessions.map {
        (
          $0,
          StoreChange.Kind.save(
            try store.seal([round] + [UInt8](repeating: 0, count: 6_000), of: $0))
        )
      }
      if number == 0 {
        try await store.insert(sessions)
      }
      let before = hasCopy.withLock { $0 }
      try await store.commit(change)
      // What was committed while the copy was made was not acknowledged before.
      if !before, !hasCopy.withLock({ $0 }) {
        for session in sessions { acknowledged[session] = round }
      }
    }
    #expect(hasCopy.withLock { $0 })
    try await check(copy, acknowledged, isRotated: point == .insideRotation)
  }

  private func check(
    _ copy: TemporaryFolder, _ acknowledged: [SessionIdentifier: UInt8], isRotated: Bool
  ) async throws {
    var store =
      isRotated
      ? try TestStore(copy, key: [UInt8](repeating: 8, count: 32), previous: TestStore.key)
      : try TestStore(copy)
    let (load, rows) = try await store.loadAll()
    #expect(load.damage.isEmpty)
    for (session, round) in acknowledged {
      let state = try store.state(of: session)
      let found = try #require(state?.first)
      #expect(found == round || found == round &+ 1)
    }
    #expect(rows.values.allSatisfy { $0.damage == nil })
    // It goes on.
    try await store.insert([.test(999)])
    try await store.save([5], of: .test(999))
    let state = try store.state(of: .test(999))
    #expect(state == [5])
  }
}
