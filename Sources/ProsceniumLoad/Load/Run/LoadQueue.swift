// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// Queues with nothing behind them: what the events of a load wait for where there is no runtime.
///
/// There are as many as an application has shards, each read by a task of the pool, which notes
/// when an event has come. What an event waits for here is the machine's and the generator's.
struct LoadQueue: LoadTarget {
  private struct Item: Sendable {
    let event: LoadEvent
    /// The sender that waits until it was read, if one does.
    let sender: CheckedContinuation<Bool, Never>?
  }

  /// How many events one queue holds.
  private static let limit = 1_024

  private let audit: LoadAudit
  private let queues: [(stream: AsyncStream<Item>, end: AsyncStream<Item>.Continuation)]

  /// Makes empty queues.
  ///
  /// - Parameters:
  ///   - count: How many; at least 1.
  ///   - audit: Notes how long events took.
  init(count: Int, _ audit: LoadAudit) {
    self.audit = audit
    queues = (0..<count).map { _ in
      let (stream, end) = AsyncStream.makeStream(
        of: Item.self, bufferingPolicy: .bufferingOldest(Self.limit))
      return (stream, end)
    }
  }

  /// Reads everything that senders put into the queues until a body has ended.
  func reading<Success: Sendable>(
    _ body: () async throws -> Success
  ) async throws -> Success {
    try await withThrowingDiscardingTaskGroup { group in
      for (stream, _) in queues {
        // Ends with its queue.
        group.addTask {
          for await item in stream {
            audit.record(
              item.event, hasWaited: false,
              in: SessionIdentifier(high: 0, low: UInt64(item.event.place)))
            item.sender?.resume(returning: true)
          }
        }
      }
      defer { for (_, end) in queues { end.finish() } }
      return try await body()
    }
  }

  // MARK: - What senders do

  func accept(_ message: SceneMessage, for session: SessionIdentifier) async {
    await put(LoadEvent(message))
  }

  func accept(_ event: SceneEvent, onFailure: @escaping @Sendable (SceneError) -> Void) {
    if !isPut(LoadEvent(event)) { onFailure(SceneError(.systemBusy, "the queue is full")) }
  }

  func finish(_ message: SceneMessage, for session: SessionIdentifier) async {
    await putAndWait(LoadEvent(message))
  }

  func finish(_ event: SceneEvent) async {
    await putAndWait(LoadEvent(event))
  }

  private func put(_ event: LoadEvent?) async {
    while !isPut(event) { await Task.yield() }
  }

  private func putAndWait(_ event: LoadEvent?) async {
    guard let event else { return }
    while await !withCheckedContinuation({ (sender: CheckedContinuation<Bool, Never>) in
      switch put(Item(event: event, sender: sender)) {
      case .dropped: sender.resume(returning: false)
      // Nothing reads any more.
      case .terminated: sender.resume(returning: true)
      default: break
      }
    }) {
      await Task.yield()
    }
  }

  /// Puts an event into the queue of its place; returns whether there was room.
  private func isPut(_ event: LoadEvent?) -> Bool {
    guard let event else { return true }
    if case .dropped = put(Item(event: event, sender: nil)) { return false }
    return true
  }

  private func put(_ item: Item) -> AsyncStream<Item>.Continuation.YieldResult {
    queues[Int(item.event.place) % queues.count].end.yield(item)
  }
}
