// SPDX-License-Identifier: Apache-2.0

/// A queue of limited length from one task to another one: each waits for the other.
actor BoundedQueue<Element: Sendable> {
  private let limit: Int
  // The oldest first; there are few.
  private var elements: [Element] = []
  private var isFinished = false
  private var sender: CheckedContinuation<Void, Never>?
  private var receiver: CheckedContinuation<Void, Never>?

  /// Makes an empty queue.
  ///
  /// - Parameter limit: How many elements it holds before the sender waits: 1 or more.
  init(limit: Int) {
    self.limit = max(limit, 1)
  }

  /// Appends an element as soon as there is room; only one task may send.
  func send(_ element: Element) async {
    while elements.count == limit {
      await withCheckedContinuation { sender = $0 }
    }
    elements.append(element)
    receiver.take()?.resume()
  }

  /// Takes the oldest element as soon as there is one; only one task may receive.
  ///
  /// - Returns: nil after the last element.
  func next() async -> Element? {
    while elements.isEmpty {
      if isFinished { return nil }
      await withCheckedContinuation { receiver = $0 }
    }
    defer { sender.take()?.resume() }
    return elements.removeFirst()
  }

  /// Ends the queue behind the elements in it.
  func finish() {
    isFinished = true
    receiver.take()?.resume()
  }
}
