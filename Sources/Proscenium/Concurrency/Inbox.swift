// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

/// A queue that many fill and one task serves.
package final class Inbox<Element: Sendable>: Sendable {
  private struct State: Sendable {
    var elements: [Element] = []
    var takes = 0
    var doorbell = Doorbell()
    var isClosed = false
    /// Whether something waits for which the serving task is not to wait for more.
    var isUrgent = false
    /// Whether the serving task sleeps until something is urgent.
    var isGathering = false
  }

  private let state = Guarded(State())

  /// Creates an empty queue.
  package init() {}

  /// Whether something waits, and how often something was taken.
  var progress: (isEmpty: Bool, takes: Int) {
    state.withLock { ($0.elements.isEmpty, $0.takes) }
  }

  /// Appends elements and wakes the serving task if it sleeps.
  ///
  /// - Parameters:
  ///   - elements: What is to be served.
  ///   - isUrgent: Whether a task that gathers is to serve them at once.
  package func post(_ elements: some Sequence<Element> & Sendable, isUrgent: Bool = true) {
    let sleeper = state.withLock { state -> Sleeper? in
      state.elements.append(contentsOf: elements)
      if isUrgent { state.isUrgent = true }
      return isUrgent || !state.isGathering ? state.doorbell.ring() : nil
    }
    sleeper?.wake()
  }

  /// Appends an element without waking the server: the caller will serve.
  func append(_ element: Element) {
    state.withLock { $0.elements.append(element) }
  }

  /// Wakes the serving task if it sleeps.
  func ring() {
    state.withLock { $0.doorbell.ring() }?.wake()
  }

  /// Takes everything.
  package func take() -> [Element] {
    state.withLock { state in
      guard !state.elements.isEmpty else { return [] }
      state.takes &+= 1
      state.isUrgent = false
      defer { state.elements.removeAll(keepingCapacity: state.elements.count <= 256) }
      return state.elements
    }
  }

  /// Puts elements back in front of those that have come since they were taken.
  func putBack(_ elements: [Element]) {
    state.withLock { $0.elements.insert(contentsOf: elements, at: 0) }
  }

  /// Waits until there is something; returns false once the queue is closed.
  package func waitForWork() async -> Bool {
    await Sleeper.sleep { sleeper in
      state.withLock { state in
        guard state.elements.isEmpty, !state.isClosed else { return false }
        state.doorbell.rest(sleeper)
        return true
      }
    }
    return state.withLock { !$0.isClosed }
  }

  /// Lets more come, until something is urgent, the queue is closed or the task is cancelled.
  func gather() async {
    await withTaskCancellationHandler {
      await Sleeper.sleep { sleeper in
        state.withLock { state in
          guard !state.isUrgent, !state.isClosed, !Task.isCancelled else { return false }
          state.isGathering = true
          state.doorbell.rest(sleeper)
          return true
        }
      }
    } onCancel: {
      ring()
    }
    state.withLock { $0.isGathering = false }
  }

  /// Lets the serving task end.
  package func close() {
    let sleeper = state.withLock { state in
      state.isClosed = true
      return state.doorbell.ring()
    }
    sleeper?.wake()
  }
}
