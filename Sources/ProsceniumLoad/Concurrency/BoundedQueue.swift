// SPDX-License-Identifier: Apache-2.0

/// A queue of limited length from one task to another one: each waits for the other.
actor BoundedQueue<Element: Sendable> {
  private let limit: Int
  // A ring: `first` is the place of the oldest element.
  private var ring: [Element?]
  private var first = 0
  private var count = 0
  private var isFinished = false
  private var sender: CheckedContinuation<Void, Never>?
  private var receiver: CheckedContinuation<Void, Never>?

  /// Makes an empty queue.
  ///
  /// - Parameter limit: How many elements it holds before the sender waits: 1 or more.
  init(limit: Int) {
    self.limit = max(limit, 1)
    ring = Array(repeating: nil, count: self.limit)
  }

  /// Appends an element as soon as there is room; only one task may send.
  func send(_ element: Element) async {
    while count == limit {
      await withCheckedContinuation { sender = $0 }
    }
    ring[(first + count) % limit] = element
    count += 1
    receiver.take()?.resume()
  }

  /// Takes the oldest element as soon as there is one; only one task may receive.
  ///
  /// - Returns: nil after the last element.
  func next() async -> Element? {
    while count == 0 {
      if isFinished { return nil }
      await withCheckedContinuation { receiver = $0 }
    }
    let element = ring[first].take()
    first = (first + 1) % limit
    count -= 1
    sender.take()?.resume()
    return element
  }

  /// Ends the queue behind the elements in it.
  func finish() {
    isFinished = true
    receiver.take()?.resume()
  }
}
