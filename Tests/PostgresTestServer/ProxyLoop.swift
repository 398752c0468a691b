// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
  import Foundation
  import ProsceniumLocalPostgres
  import ProsceniumPrimitives

  /// The work of a proxy's thread.
  ///
  /// Everything is done with the lock held, and nothing waits then. Sockets that the thread waits
  /// for without the lock are closed by it alone.
  final class ProxyLoop: Sendable {
    private struct State {
      var mode = TCPProxy.Mode.forward
      /// How many more bytes pass to the server before all connections are reset.
      var budget: Int?
      var connections: [ProxyConnection] = []
      /// Those that are to be reset.
      var cut: [ProxyConnection] = []
      var accepted = 0
      var isClosing = false
      var isClosed = false
    }

    let port: Int
    private let target: Int
    private let listener: LocalSocket
    /// A byte wakes the thread.
    private let alarm: (reading: LocalSocket, writing: LocalSocket)
    private let state = Guarded(State())

    init(to target: Int) throws {
      self.target = target
      (listener, port) = try LocalSocket.listening()
      do {
        alarm = try LocalSocket.pair()
      } catch {
        listener.close()
        throw error
      }
    }

    var mode: TCPProxy.Mode { state.withLock(\.mode) }
    var openConnections: Int { state.withLock(\.connections.count) }
    var accepted: Int { state.withLock(\.accepted) }

    func set(_ mode: TCPProxy.Mode) {
      change { $0.mode = mode }
    }

    func cut() {
      change { state in
        accept(&state)
        cutAll(&state)
      }
    }

    func cutAfter(bytes: Int) {
      change { $0.budget = bytes }
    }

    func close() {
      change { state in
        if !state.isClosed { listener.endListening() }
        state.isClosing = true
      }
    }

    private func change(_ body: (inout State) -> Void) {
      state.withLock { state in
        body(&state)
        guard !state.isClosed else { return }
        _ = alarm.writing.write([1])
      }
    }

    /// Runs until the proxy is closed.
    func run() {
      while true {
        guard var waiting = state.withLock({ step(&$0) }) else { return }
        let count = nfds_t(waiting.files.count)
        _ = unsafe poll(&waiting.files, count, waiting.timeout)
      }
    }

    /// Does what can be done at this moment.
    ///
    /// - Returns: What to wait for, and for how many milliseconds; nil after the end.
    private func step(_ state: inout State) -> (files: [pollfd], timeout: Int32)? {
      while case .bytes = alarm.reading.read(most: 64) {}
      accept(&state)
      let now = ContinuousClock.now
      pass(&state, now)
      if state.budget == 0, state.connections.allSatisfy(\.hasReachedServer) {
        state.budget = nil
        cutAll(&state)
      }
      if state.isClosing { cutAll(&state) }
      for connection in state.cut { connection.reset() }
      state.cut = []
      guard !state.isClosing else {
        state.isClosed = true
        for socket in [listener, alarm.reading, alarm.writing] { socket.close() }
        return nil
      }
      return waiting(state, now)
    }

    private func accept(_ state: inout State) {
      while !state.isClosing, let client = listener.accept() {
        state.accepted += 1
        if state.mode == .refuse {
          client.reset()
        } else {
          state.connections.append(ProxyConnection(client))
        }
      }
    }

    private func cutAll(_ state: inout State) {
      state.cut += state.connections
      state.connections = []
    }

    private func pass(_ state: inout State, _ now: ContinuousClock.Instant) {
      for index in state.connections.indices.reversed() {
        let goesOn = state.connections[index].step(state.mode, target, &state.budget, now)
        if !goesOn {
          state.cut.append(state.connections.remove(at: index))
        } else if state.connections[index].hasEnded {
          state.connections.remove(at: index).close()
        }
      }
    }

    private func waiting(_ state: State, _ now: ContinuousClock.Instant) -> ([pollfd], Int32) {
      let always = [listener, alarm.reading].map {
        pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0)
      }
      let files = state.connections.flatMap { $0.interests(state.mode, state.budget, now) }
      // Nothing tells when the server's system has got the last bytes.
      if state.budget == 0 { return (always + files, 1) }
      guard let due = state.connections.compactMap({ $0.due(state.mode, now) }).min() else {
        return (always + files, -1)
      }
      let milliseconds = (due - now) / .milliseconds(1)
      return (always + files, Int32(min(milliseconds.rounded(.up), 60_000)))
    }
  }
#endif
