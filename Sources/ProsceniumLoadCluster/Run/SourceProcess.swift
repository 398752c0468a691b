// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import Foundation
  import ProsceniumLoad
  import ProsceniumLoadNodes
  import ProsceniumPrimitives

  /// The process that sends the events.
  final class SourceProcess: Sendable {
    let process: ChildProcess
    private let state: State

    private final class State: Sendable {
      let sent = Guarded(0)
      let durable = Guarded(LatencyHistogram())

      func hear(_ line: String) -> Bool {
        guard let reading: SourceReading = Line.read(line, after: SourceReading.mark) else {
          return false
        }
        sent.withLock { $0 += reading.sent }
        durable.withLock { $0.add(reading.durable) }
        return true
      }
    }

    init(_ arguments: [String], log: String) throws {
      let state = State()
      self.state = state
      process = try ChildProcess(["source", "--name", "source"] + arguments, log: log) {
        state.hear($0)
      }
    }

    /// Takes what was sent since it was last asked, and how long users waited.
    func take() -> (sent: Int, durable: LatencyHistogram) {
      let sent = state.sent.withLock { sent in
        defer { sent = 0 }
        return sent
      }
      return (sent, state.durable.withLock { $0.take() })
    }

    /// Sends no more, and says what came of everything.
    func totals() async throws -> EventTotals {
      process.signal(SIGUSR1)
      return try Line.read(try await process.line(with: EventTotals.mark))
    }
  }
#endif
