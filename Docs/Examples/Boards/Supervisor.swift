// SPDX-License-Identifier: Apache-2.0

#if Live && Complete
  import Foundation
  import UnixSignals

  /// Starts this program again, as a server, whenever it has died; ends with it when told to.
  ///
  /// Services have one of their own: systemd, a container's restart policy.
  struct Supervisor {
    /// A server that dies so many times in a row before it has run for a second is left dead.
    private static let attempts = 5

    private let arguments: [String]

    init(_ arguments: [String]) {
      self.arguments = arguments
    }

    /// What the supervisor waits for.
    private enum Event: Sendable {
      case died(status: Int32, wasKilled: Bool)
      case told
    }

    func run() async throws {
      let (events, sink) = AsyncStream.makeStream(of: Event.self)
      let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
      try await withThrowingTaskGroup { group in
        group.addTask { for await _ in signals { sink.yield(.told) } }
        group.addTask { try await supervise(events, sink) }
        defer { group.cancelAll() }
        try await group.next()
      }
    }

    private func supervise(
      _ events: AsyncStream<Event>, _ sink: AsyncStream<Event>.Continuation
    ) async throws {
      var server = try start(sink)
      var begun = ContinuousClock.now
      var failures = 0
      var isTold = false
      for await event in events {
        switch event {
        case .told:
          isTold = true
          // This process's own child, and no other.
          server.terminate()
        case .died(let status, let wasKilled):
          if isTold { return }
          failures = begun.duration(to: .now) < .seconds(1) ? failures + 1 : 0
          if !wasKilled || failures == Self.attempts { throw Failure(status: status) }
          print("the server was killed by signal \(status); starting it again")
          fflush(nil)
          begun = .now
          server = try start(sink)
        }
      }
    }

    private func start(_ sink: AsyncStream<Event>.Continuation) throws -> Process {
      let server = Process()
      server.executableURL = Bundle.main.executableURL
      server.arguments = arguments
      server.terminationHandler = { server in
        sink.yield(
          .died(
            status: server.terminationStatus,
            wasKilled: server.terminationReason == .uncaughtSignal))
      }
      try server.run()
      return server
    }

    struct Failure: Error, CustomStringConvertible {
      let status: Int32

      var description: String { "the server ends by itself, with status \(status)" }
    }
  }
#endif
