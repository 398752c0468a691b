// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Proscenium
import ProsceniumPrimitives

/// Gives the rows of a store, in order and on a thread of its own, so that the next ones are read
/// while the last ones are taken.
final class RowDelivery: Sendable {
  private let receive: @Sendable ([SessionRow]) throws -> Void
  private let queue = DispatchQueue(label: "proscenium.store.rows")
  private let room = DispatchSemaphore(value: RowDelivery.limit)
  private let refusal = Guarded<(any Error)?>(nil)

  /// How many batches can wait.
  private static let limit = 4

  init(to receive: @escaping @Sendable ([SessionRow]) throws -> Void) {
    self.receive = receive
  }

  /// Gives a batch after the ones before it; waits while too many are not taken yet.
  ///
  /// - Throws: What an earlier batch was refused with.
  func give(_ rows: [SessionRow]) throws {
    if let error = refusal.withLock({ $0 }) { throw error }
    room.wait()
    queue.async { [self] in
      defer { room.signal() }
      guard refusal.withLock({ $0 == nil }) else { return }
      do {
        try receive(rows)
      } catch {
        refusal.withLock { $0 = error }
      }
    }
  }

  /// Waits until everything was taken.
  ///
  /// - Throws: What a batch was refused with.
  func finish() throws {
    queue.sync {}
    if let error = refusal.withLock({ $0 }) { throw error }
  }
}
