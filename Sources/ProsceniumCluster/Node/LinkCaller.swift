// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Logging
  import Proscenium
  import ProsceniumPrimitives

  /// Keeps a connection with another node, brings it what is for it, and takes its answers.
  struct LinkCaller: Sendable {
    let links: NodeLinks
    let peer: NodeLinks.Peer

    /// How long it is waited until a node is called again.
    private static let pause = Duration.milliseconds(100)

    /// Calls the node again and again, until the task is cancelled.
    func run() async {
      while !Task.isCancelled, links.calls(peer) {
        do throws(LinkFault) {
          let connection = try await links.network.connect(to: peer.member)
          try await use(connection)
        } catch {
          links.note(error, with: peer.member)
        }
        links.disconnect(peer)
        guard links.calls(peer) else { return }
        // A node that cannot be reached is not called without a pause.
        try? await links.clock.sleep(for: Self.pause)
      }
    }

    /// Uses a connection until it ends, the node is dead, or the task is cancelled.
    private func use(_ connection: any LinkConnection) async throws(LinkFault) {
      defer { connection.close() }
      guard connection.fingerprint == peer.member.link.fingerprint else {
        throw LinkFault("another process answers at \(peer.member.link.address)")
      }
      guard links.begin(connection, with: peer) else { return }
      try await withTaskCancellationHandler {
        await Result { () async throws(LinkFault) in try await converse(on: connection) }
      } onCancel: {
        connection.close()
      }.get()
    }

    private func converse(on connection: any LinkConnection) async throws(LinkFault) {
      var bytes: [UInt8] = []
      LinkFrame.greeting(
        from: links.own, to: peer.member.number, count: peer.count
      ).write(to: &bytes)
      try await connection.write(bytes)
      guard case .welcome(let process, let answer)? = try await read(connection) else {
        throw LinkFault("expected the answer to a greeting")
      }
      try links.connect(peer, process, answer)
      let fault = await withTaskGroup(of: LinkFault?.self) { group in
        // Apart: answers come while items are written.
        group.addTask { await write(to: connection) }
        // The end of either ends the other one.
        group.addTask { await take(from: connection) }
        let first = await group.next()
        group.cancelAll()
        connection.close()
        peer.bell.ring()
        return first.flatMap(\.self)
      }
      if let fault { throw fault }
    }

    private func read(_ connection: any LinkConnection) async throws(LinkFault) -> LinkFrame? {
      guard let bytes = try await connection.read(upTo: LinkFrame.sizeLimit) else { return nil }
      return try LinkFrame(reading: bytes, sliceBits: links.sliceBits)
    }

    /// Writes what is for the node, as it comes; what comes during a write is the next batch.
    private func write(to connection: any LinkConnection) async -> LinkFault? {
      do throws(LinkFault) {
        repeat {
          while let batch = links.nextBatch(to: peer.member.number) {
            var bytes: [UInt8] = []
            LinkFrame.items(batch).write(to: &bytes)
            try await connection.write(bytes)
          }
        } while await peer.bell.wait()
        return nil
      } catch {
        return error
      }
    }

    private func take(from connection: any LinkConnection) async -> LinkFault? {
      do throws(LinkFault) {
        while let frame = try await read(connection) {
          switch frame {
          case .answer(let answer): try links.take(answer, from: peer.member.number)
          case .served(let slices): links.note(served: slices, by: peer.member.number)
          case .goodbye:
            links.part(with: peer)
            return nil
          case .greeting, .items, .welcome:
            throw LinkFault("expected an answer, found another frame")
          }
        }
        return nil
      } catch {
        return error
      }
    }
  }
#endif
