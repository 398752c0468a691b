// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
  import Foundation

  /// A port of 127.0.0.1 whose connections go to a server's port, as well or as badly as a test
  /// asks.
  ///
  /// What is asked for is so when the call returns: no byte passes after it that should not.
  package final class TCPProxy: Sendable {
    package enum Mode: Sendable, Equatable {
      /// Everything passes.
      case forward
      /// Nothing is read from either side, connections stay open, and new ones get no answer.
      case blackHole
      /// Everything passes, each way so much later.
      case delay(Duration)
      /// Only one direction passes.
      case oneWay(toServer: Bool)
      /// Connections that are open go on; new ones are closed at once.
      case refuse

      func passes(toServer: Bool) -> Bool {
        switch self {
        case .forward, .delay, .refuse: true
        case .blackHole: false
        case .oneWay(let passing): passing == toServer
        }
      }

      var delay: Duration {
        guard case .delay(let duration) = self else { return .zero }
        return duration
      }
    }

    private let loop: ProxyLoop

    /// Listens, for a server that does not have to run yet.
    package init(to target: Int) throws {
      let loop = try ProxyLoop(to: target)
      self.loop = loop
      let thread = Thread { loop.run() }
      thread.name = "TCPProxy"
      thread.start()
    }

    deinit {
      loop.close()
    }

    /// The port at which it listens.
    package var port: Int { loop.port }

    /// What becomes of the bytes; those that could not pass go on when they can.
    package var mode: Mode {
      get { loop.mode }
      set { loop.set(newValue) }
    }

    /// How many connections are open.
    package var openConnections: Int { loop.openConnections }

    /// How many connections have ever come in.
    package var accepted: Int { loop.accepted }

    /// Resets all connections that are open.
    package func cut() { loop.cut() }

    /// Passes so many more bytes from clients to the server, and then resets all connections once.
    ///
    /// The server gets all of these bytes.
    package func cutAfter(bytes: Int) { loop.cutAfter(bytes: bytes) }

    /// Resets all connections and listens no more.
    package func close() { loop.close() }
  }
#endif
