// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A value that several windows look at, and the events that tell them how it changed.
final class Published<Value: Sendable, Event: Sendable>: Sendable {
  private struct State {
    var value: Value
    var observers: [Int: AsyncStream<Event>.Continuation] = [:]
    var nextNumber = 0
  }

  private let state: Mutex<State>

  init(_ value: Value) {
    state = Mutex(State(value: value))
  }

  /// Changes the value, then posts the event; everybody sees all changes in the same order.
  func change(_ body: (inout Value) -> Event) {
    state.withLock { state in
      let event = body(&state.value)
      for observer in state.observers.values { observer.yield(event) }
    }
  }

  /// The value now, and every event from now on: nothing is missed between the two.
  ///
  /// Of a window that is far behind the oldest events are dropped.
  func observe() -> (now: Value, events: AsyncStream<Event>) {
    let (events, observer) = AsyncStream.makeStream(
      of: Event.self, bufferingPolicy: .bufferingNewest(100))
    return state.withLock { state in
      let number = state.nextNumber
      state.nextNumber += 1
      state.observers[number] = observer
      observer.onTermination = { [weak self] _ in self?.remove(number) }
      return (state.value, events)
    }
  }

  var value: Value { state.withLock { $0.value } }

  private func remove(_ number: Int) {
    _ = state.withLock { $0.observers.removeValue(forKey: number) }
  }
}
