// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

/// A queue that many fill and one task serves.
final class Inbox<Element: Sendable>: Sendable {
  private struct State: Sendable {
    var elements: [Element] = []
    var takes = 0
    var doorbell = Doorbell()
    var isClosed = false
  }

  private let state = Guarded(State())

  /// Whether something waits, and how often something was taken.
  var progress: (isEmpty: Bool, takes: Int) {
    state.withLock { ($0.elements.isEmpty, $0.takes) }
  }

  /// Appends elements and wakes the serving task if it sleeps.
  func post(_ elements: some Sequence<Element> & Sendable) {
    let sleeper = state.withLock { state in
      state.elements.append(contentsOf: elements)
      return state.doorbell.ring()
    }
    sleeper?.wake()
  }

  /// Appends an element without waking anybody: whoever appended it will serve.
  func append(_ element: Element) {
    state.withLock { $0.elements.append(element) }
  }

  /// Wakes the serving task if it sleeps.
  func ring() {
    state.withLock { $0.doorbell.ring() }?.wake()
  }

  /// Takes everything.
  func take() -> [Element] {
    state.withLock { state in
      guard !state.elements.isEmpty else { return [] }
      state.takes &+= 1
      defer { state.elements.removeAll(keepingCapacity: state.elements.count <= 256) }
      return state.elements
    }
  }

  /// Puts elements back in front of those that have come since they were taken.
  func putBack(_ elements: [Element]) {
    state.withLock { $0.elements.insert(contentsOf: elements, at: 0) }
  }

  /// Waits until there is something; returns false once the queue is closed.
  func waitForWork() async -> Bool {
    await Sleeper.sleep { sleeper in
      state.withLock { state in
        guard state.elements.isEmpty, !state.isClosed else { return false }
        state.doorbell.rest(sleeper)
        return true
      }
    }
    return state.withLock { !$0.isClosed }
  }

  /// Lets the serving task end.
  func close() {
    let sleeper = state.withLock { state in
      state.isClosed = true
      return state.doorbell.ring()
    }
    sleeper?.wake()
  }
}
