// SPDX-License-Identifier: Apache-2.0

#if Live && Complete
  import NIOCore
  import NIOPosix

  /// All clients, over the event loops of the process.
  struct ClientFleet: Sendable {
    private let loops: [NIOLoopBound<ClientLoop>]

    /// Makes the clients; none of them connects.
    ///
    /// - Parameters:
    ///   - plan: How all clients behave together.
    ///   - hosts: Where the hosts are.
    ///   - cookie: The cookie of a client, by its number.
    /// - Throws: If the event loops have ended.
    init(
      _ plan: ClientLoop.Plan, hosts: [HostPlace], cookie: @escaping @Sendable (Int) -> String
    ) async throws {
      let eventLoops = Array(MultiThreadedEventLoopGroup.singleton.makeIterator())
      var loops: [NIOLoopBound<ClientLoop>] = []
      for (index, eventLoop) in eventLoops.enumerated() {
        var share = plan
        let count = plan.clients.count
        share.clients = index * count / eventLoops.count..<(index + 1) * count / eventLoops.count
        share.inputs /= Double(eventLoops.count)
        share.breaks /= Double(eventLoops.count)
        share.hides /= Double(eventLoops.count)
        if share.clients.isEmpty { continue }
        loops.append(
          try await eventLoop.submit { [share] in
            NIOLoopBound(
              ClientLoop(eventLoop, share, hosts: hosts, cookie: cookie), eventLoop: eventLoop)
          }.get())
      }
      self.loops = loops
    }

    /// Has each loop do something.
    func all(_ body: @escaping @Sendable (ClientLoop) -> Void) async throws {
      for loop in loops { try await loop.eventLoop.submit { body(loop.value) }.get() }
    }

    /// What all clients have seen since it was asked for last.
    func reading() async throws -> ClientReading {
      var reading = ClientReading()
      for loop in loops {
        reading.add(try await loop.eventLoop.submit { loop.value.takeReading() }.get())
      }
      return reading
    }

    /// What is wrong at the end.
    func findings() async throws -> [String] {
      var findings: [String] = []
      for loop in loops {
        findings += try await loop.eventLoop.submit { loop.value.findings() }.get()
      }
      return findings
    }
  }
#endif
