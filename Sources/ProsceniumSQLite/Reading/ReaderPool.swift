// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Proscenium

/// The connections that read for whoever restores a session.
final class ReaderPool: Sendable {
  private struct State: Sendable {
    var idle: [StateReader] = []
    /// Whether a reader may go on seeing the state of the database that it has seen.
    var holdsStates = true
    var isClosed = false
  }

  /// How many connections wait for work; more are made while more threads read, and closed again.
  private static let idleLimit = 8

  private let path: String
  private let state = Guarded(State())

  /// Creates a pool for a database that exists.
  init(_ path: String) {
    self.path = path
  }

  /// Calls a function with a reader of its own.
  ///
  /// - Throws: What the function throws, or what SQLite refuses.
  func withReader<Success>(
    _ body: (inout StateReader) throws(StoreError) -> Success
  ) throws(StoreError) -> Success {
    let idle = try state.withLock { (state) throws(StoreError) -> StateReader? in
      guard !state.isClosed else {
        throw StoreError(.failed, "\(path): expected an open store, found it closed.")
      }
      return state.idle.popLast()
    }
    var reader = if let idle { idle } else { try StateReader(path) }
    defer { putBack(reader) }
    return try body(&reader)
  }

  private func putBack(_ reader: StateReader) {
    var reader = reader
    let isSurplus = state.withLock { state in
      if !state.holdsStates { reader.release() }
      if state.isClosed || state.idle.count >= Self.idleLimit { return true }
      state.idle.append(reader)
      return false
    }
    if isSurplus { reader.close() }
  }

  /// Says whether readers may go on seeing the state of the database that they have seen, which is
  /// quicker and keeps the log from beginning anew.
  func setHoldsStates(_ holdsStates: Bool) {
    state.withLock { state in
      state.holdsStates = holdsStates
      if !holdsStates { for index in state.idle.indices { state.idle[index].release() } }
    }
  }

  /// Ends the connections; those that are in use end when they come back.
  func close() {
    let idle = state.withLock { state in
      state.isClosed = true
      defer { state.idle = [] }
      return state.idle
    }
    for var reader in idle { reader.close() }
  }
}
