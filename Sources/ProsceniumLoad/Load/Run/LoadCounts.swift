// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// How often each of a few things has happened, counted by many threads.
final class LoadCounts: Sendable {
  /// What is counted.
  enum Kind: Int, CaseIterable, Sendable {
    /// Scenes that were made for new sessions, and for old ones.
    case newScene, connect
    /// Scenes and sessions that are gone.
    case disconnect, discard
    /// Saved states that had changed when they were captured.
    case capture
    /// Events and requests that were refused because the runtime was busy.
    case busy
  }

  private let newScenes = Atomic<Int>(0)
  private let connects = Atomic<Int>(0)
  private let disconnects = Atomic<Int>(0)
  private let discards = Atomic<Int>(0)
  private let captures = Atomic<Int>(0)
  private let busy = Atomic<Int>(0)

  /// Counts one more.
  func add(_ kind: Kind) {
    withCount(kind) { count in _ = count.wrappingAdd(1, ordering: .relaxed) }
  }

  subscript(_ kind: Kind) -> Int {
    withCount(kind) { count in count.load(ordering: .relaxed) }
  }

  private func withCount<Result>(_ kind: Kind, _ body: (borrowing Atomic<Int>) -> Result) -> Result
  {
    switch kind {
    case .newScene: body(newScenes)
    case .connect: body(connects)
    case .disconnect: body(disconnects)
    case .discard: body(discards)
    case .capture: body(captures)
    case .busy: body(busy)
    }
  }
}
