// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import Proscenium
  import ProsceniumLoad
  import ProsceniumPrimitives

  /// Sends one message after another to a session of his own, each when the one before is durable.
  final class EventUser: Sendable {
    private struct State: Sendable {
      var last = 0
      /// The numbers of the messages that are durable.
      var durable: [Int] = []
      var unknown = 0
      var latencies = LatencyHistogram()
    }

    let session: SessionIdentifier
    private let application: Application
    private let state = Guarded(State())

    init(_ session: SessionIdentifier, _ application: Application) {
      self.session = session
      self.application = application
    }

    /// Which messages are durable, and of how many that is not known.
    var told: (durable: [Int], unknown: Int) { state.withLock { ($0.durable, $0.unknown) } }

    /// Takes how long messages took since it was last asked.
    func takeLatencies() -> LatencyHistogram {
      state.withLock { $0.latencies.take() }
    }

    func run(until isOver: @Sendable () -> Bool) async {
      while !isOver() {
        let number = state.withLock { state in
          state.last += 1
          return state.last
        }
        let begin = NumberedEvent.now
        let message = NumberedEvent(number: number, time: begin).message
        do {
          try await application.sendDurably(message, to: session)
          let time = Int(NumberedEvent.now - begin)
          state.withLock { state in
            state.durable.append(number)
            state.latencies.record(nanoseconds: time)
          }
        } catch {
          // Its number is not used again: it may have come.
          state.withLock { $0.unknown += 1 }
          // What refuses now may take it in a moment.
          try? await ContinuousClock().sleep(for: .milliseconds(20))
        }
      }
    }
  }

  /// Which events their sender was told to be lost.
  final class EventLosses: Sendable {
    private let lost = Guarded<[SessionIdentifier: Int]>([:])

    /// Takes note of what an application tells its observer.
    func note(_ event: LifecycleEvent) {
      guard case .lost(.message(let message)) = event.kind, let session = event.session,
        NumberedEvent(message) != nil
      else { return }
      lost.withLock { $0[session, default: 0] += 1 }
    }

    func count(of session: SessionIdentifier) -> Int { lost.withLock { $0[session] ?? 0 } }
  }
#endif
