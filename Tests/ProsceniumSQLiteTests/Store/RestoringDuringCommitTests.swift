// SPDX-License-Identifier: Apache-2.0

import Dispatch
import ProsceniumPrimitives
import Foundation
import Proscenium
import Testing

@testable import ProsceniumSQLite

/// States that are restored while the writer's thread is in the middle of a commit.
@Suite struct RestoringDuringCommitTests {
  @Test func `a state that a commit is moving is read, and not taken for damaged`() async throws {
    let reading = ReadingBesideCommit()
    var options = SQLiteSessionStore.Options()
    options.reached = { point in
      switch point {
      case .insideCompaction: reading.arm()
      case .afterCommit: reading.runIfArmed()
      default: break
      }
    }
    var store = try TestStore(TemporaryFolder(), options)
    try await store.load()
    let large = SessionIdentifier.test(0)
    let small = (1...32).map { SessionIdentifier.test($0) }
    try await store.insert([large] + small)
    // Each segment soon has one record that counts, so that whatever is compacted moves one.
    let body = [UInt8](repeating: 1, count: 1 << 20)
    for (index, session) in small.enumerated() where !reading.isDone {
      let saved = small[..<index]
      reading.setWork { [store] in saved.map { session in Result { try store.state(of: session) } }
      }
      try await store.commit([
        (session, .save(try store.seal([7], of: session))),
        (large, .save(try store.seal(body, of: large))),
      ])
    }
    let found = try #require(await reading.result())
    for state in found { #expect(try state.get() == [7]) }
    #expect(store.store.statistics.movedRecords > 0)
    // Nor is one refused later.
    for session in small[..<found.count] { #expect(try store.state(of: session) == [7]) }
    // The store would be kept by what it tells of its commits.
    reading.setWork { [] }
  }
}

/// Reads on a thread of its own while a commit stands between the disk and the index.
private final class ReadingBesideCommit: Sendable {
  typealias Found = [Result<[UInt8]?, any Error>]

  private struct State: Sendable {
    var work: (@Sendable () -> Found)?
    var isArmed = false
    var isDone = false
  }

  private let state = Guarded(State())
  private let (results, continuation) = AsyncStream.makeStream(of: Found.self)

  /// How long the commit waits for whoever reads: who has to wait for the commit does not answer.
  private static let patience = DispatchTimeInterval.milliseconds(200)

  var isDone: Bool { state.withLock { $0.isDone } }

  func setWork(_ work: @escaping @Sendable () -> Found) {
    state.withLock { $0.work = work }
  }

  func arm() {
    state.withLock { $0.isArmed = true }
  }

  /// Starts to read, and lets the reader try before the commit goes on.
  func runIfArmed() {
    let work = state.withLock { state -> (@Sendable () -> Found)? in
      guard state.isArmed, !state.isDone else { return nil }
      state.isDone = true
      return state.work
    }
    guard let work else { return }
    let answered = DispatchSemaphore(value: 0)
    Thread { [continuation] in
      continuation.yield(work())
      continuation.finish()
      answered.signal()
    }.start()
    _ = answered.wait(timeout: .now() + Self.patience)
  }

  /// What was read, or `nil` if no commit moved anything.
  func result() async -> Found? {
    guard isDone else { return nil }
    return await results.first { _ in true }
  }
}
