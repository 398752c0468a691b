// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
  import Foundation
  import ProsceniumLocalPostgres

  /// A connection that goes through a proxy.
  struct ProxyConnection {
    private enum Side { case client, server }

    private let client: LocalSocket
    private var server: LocalSocket?
    private var isConnected = false
    private var toServer = ProxyFlow()
    private var toClient = ProxyFlow()
    /// The side that has gone without an end; the other one is told when that direction passes.
    private var lost: Side?

    init(_ client: LocalSocket) {
      self.client = client
    }

    /// Both sides have ended in order.
    var hasEnded: Bool { toServer.hasEnded && toClient.hasEnded }

    /// Whether everything that was read from the client has reached the server's system.
    var hasReachedServer: Bool { toServer.isEmpty && (server?.unsent ?? 0) == 0 }

    func reset() {
      client.reset()
      server?.reset()
    }

    func close() {
      client.close()
      server?.close()
    }

    /// Passes what can be passed at this moment.
    ///
    /// The budget is how many more bytes may be read from the client, if there is a limit. Gives
    /// whether the connection goes on; if not, it is to be reset.
    mutating func step(
      _ mode: TCPProxy.Mode, _ target: Int, _ budget: inout Int?, _ now: ContinuousClock.Instant
    ) -> Bool {
      if lost == nil, mode.passes(toServer: true) {
        passToServer(target, now + mode.delay, &budget, now)
      }
      if lost == nil, mode.passes(toServer: false) { passToClient(now + mode.delay, now) }
      switch lost {
      case nil: return true
      case .client: return !mode.passes(toServer: true)
      case .server: return !mode.passes(toServer: false)
      }
    }

    private mutating func passToServer(
      _ target: Int, _ due: ContinuousClock.Instant, _ budget: inout Int?,
      _ now: ContinuousClock.Instant
    ) {
      if !isConnected { connect(target) }
      if !toServer.read(from: client, due: due, budget: &budget) { lost = .client }
      if isConnected, let server, !toServer.write(to: server, now) { lost = .server }
    }

    private mutating func passToClient(
      _ due: ContinuousClock.Instant, _ now: ContinuousClock.Instant
    ) {
      var unlimited: Int?
      if isConnected, let server, !toClient.read(from: server, due: due, budget: &unlimited) {
        lost = .server
      }
      if !toClient.write(to: client, now) { lost = .client }
    }

    private mutating func connect(_ target: Int) {
      let socket = server ?? LocalSocket.open()
      server = socket
      switch socket?.connect(to: target) {
      case .done: isConnected = true
      case .underWay: break
      case .failed, nil: lost = .server
      }
    }

    /// What the connection waits for.
    ///
    /// A socket that is not waited for is left out, as its end would be reported again and again.
    func interests(_ mode: TCPProxy.Mode, _ budget: Int?, _ now: ContinuousClock.Instant)
      -> [pollfd]
    {
      guard lost == nil else { return [] }
      let (up, down) = (mode.passes(toServer: true), mode.passes(toServer: false))
      var ofClient: Int32 = 0
      var ofServer: Int32 = 0
      if up, toServer.wantsToRead, budget != 0 { ofClient |= Int32(POLLIN) }
      if down, let due = toClient.due, due <= now { ofClient |= Int32(POLLOUT) }
      if isConnected {
        if down, toClient.wantsToRead { ofServer |= Int32(POLLIN) }
        if up, let due = toServer.due, due <= now { ofServer |= Int32(POLLOUT) }
      } else if up {
        ofServer |= Int32(POLLOUT)
      }
      return [(client, ofClient), (server, ofServer)].compactMap { socket, events in
        guard let socket, events != 0 else { return nil }
        return pollfd(fd: socket.descriptor, events: Int16(events), revents: 0)
      }
    }

    /// When the next bytes are due, of those that pass and are not yet.
    func due(_ mode: TCPProxy.Mode, _ now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
      [
        mode.passes(toServer: true) ? toServer.due : nil,
        mode.passes(toServer: false) ? toClient.due : nil,
      ].compactMap(\.self).filter { $0 > now }.min()
    }
  }
#endif
