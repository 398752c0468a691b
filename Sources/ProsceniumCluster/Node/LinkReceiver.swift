// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium
  import ProsceniumPrimitives

  /// Takes what another node brings on a connection that it has opened, and answers.
  struct LinkReceiver: Sendable {
    let links: NodeLinks
    let connection: any LinkConnection
    /// How long a greeting may take.
    private static let patience = Duration.seconds(5)

    /// Wakes what writes answers.
    private let bell = NodeBell()

    init(_ links: NodeLinks, _ connection: any LinkConnection) {
      self.links = links
      self.connection = connection
    }

    /// Serves the connection until it ends, or the task is cancelled.
    func run() async {
      await withTaskCancellationHandler {
        await serve()
      } onCancel: {
        connection.close()
      }
    }

    private func serve() async {
      defer { connection.close() }
      do throws(LinkFault) {
        let (record, count) = try await greet()
        await record.begin(on: connection, bell, count, as: links.process(to: record.node))
        let fault = await withTaskGroup(of: LinkFault?.self) { group in
          // Apart: answers are written while the next items are taken.
          group.addTask { await answer(record) }
          // The end of either ends the other one. Replies are waited for in its own group.
          group.addTask { await take(from: record) }
          let first = await group.next()
          group.cancelAll()
          connection.close()
          bell.ring()
          return first.flatMap(\.self)
        }
        if let fault { throw fault }
      } catch {
        links.note(error, with: nil)
      }
    }

    /// Learns who has opened the connection, and ends it if that takes too long.
    private func greet() async throws(LinkFault) -> (LinkRecord, count: UInt64) {
      var result = Result<(LinkRecord, count: UInt64), LinkFault>.failure(LinkFault("no greeting"))
      await withDiscardingTaskGroup { group in
        // Ends when the greeting has come.
        group.addTask {
          // A stranger can say nothing for any time.
          if (try? await links.clock.sleep(for: Self.patience)) != nil { connection.close() }
        }
        result = await Result { () async throws(LinkFault) in try await readGreeting() }
        group.cancelAll()
      }
      return try result.get()
    }

    private func readGreeting() async throws(LinkFault) -> (LinkRecord, count: UInt64) {
      guard let bytes = try await connection.read(upTo: LinkFrame.greetingSize),
        case .greeting(let sender, let receiver, let count) = try LinkFrame(
          reading: bytes, sliceBits: links.sliceBits)
      else { throw LinkFault("expected a greeting") }
      guard receiver == links.own else {
        throw LinkFault("expected a greeting for node \(links.own), found one for \(receiver)")
      }
      return (try links.record(of: sender, connection.fingerprint), count)
    }

    private func answer(_ record: LinkRecord) async -> LinkFault? {
      do throws(LinkFault) {
        repeat {
          var bytes: [UInt8] = []
          for frame in record.takeAnswers() { frame.write(to: &bytes) }
          if !bytes.isEmpty { try await connection.write(bytes) }
        } while await bell.wait()
        return nil
      } catch {
        return error
      }
    }

    private func take(from record: LinkRecord) async -> LinkFault? {
      await withDiscardingTaskGroup { group in
        // Replies are waited for behind it, on no connection.
        defer {
          record.end()
          links.room.open()
        }
        do throws(LinkFault) {
          while let bytes = try await connection.read(upTo: LinkFrame.sizeLimit) {
            guard
              case .items(let batch) = try LinkFrame(reading: bytes, sliceBits: links.sliceBits)
            else { throw LinkFault("expected items, found another frame") }
            var entries = try record.begin(batch)
            while let entry = takeAtOnce(&entries, from: record) {
              guard let wait = try await take(entry, from: record) else { continue }
              // The next item does not wait for the reply of one before it.
              group.addTask { await wait() }
            }
            record.finishBatch()
            bell.ring()
          }
          return nil
        } catch {
          return error
        }
      }
    }

    /// Takes messages for which there is nothing to wait.
    ///
    /// - Returns: The first item that is another one, if there is one.
    private func takeAtOnce(
      _ entries: inout ArraySlice<LinkWindow<LinkItem>.Entry>, from record: LinkRecord
    ) -> LinkWindow<LinkItem>.Entry? {
      if !record.isRefusing, let messages = links.messages.withLock({ $0 }) {
        var count = 0
        for entry in entries {
          guard case .message(let message, let session, .plain) = entry.item,
            messages.takeAtOnce(message, to: session)
          else { break }
          count += 1
        }
        entries.removeFirst(count)
        record.receive(count)
      }
      return entries.popFirst()
    }

    /// Takes one item.
    ///
    /// - Returns: What waits for its reply, if the sender does.
    /// - Throws: `LinkFault` for what no node says: the item was not received then.
    private func take(
      _ entry: LinkWindow<LinkItem>.Entry, from record: LinkRecord
    ) async throws(LinkFault) -> (@Sendable () async -> Void)? {
      switch entry.item {
      case .reply(let ticket, let result):
        record.receive()
        links.answers.give(ticket, result, of: record.node)
        return nil
      case .handingOver(let epochs, let connected):
        record.receive()
        links.returning.expect(epochs, connected)
        return nil
      case .terms(let delta):
        try links.content.take(delta, from: record.node) { node in
          links.withState { $0.peers[node] != nil }
        }
        record.receive()
        return nil
      case .question(let message, let ticket):
        guard links.hasRoomForReply(to: record) else {
          throw LinkFault("expected a node that takes the answers to its questions")
        }
        record.receive()
        let wait = await ContentReceiver(links: links).receive(message)
        let reply = links.reply(wait, ticket, to: record.node)
        record.beginQuestion()
        return {
          await reply()
          record.endQuestion()
        }
      case .clientLines(let epochs, let lines):
        record.receive()
        links.returning.expect(epochs, lines)
        return nil
      case .message(let message, let session, let delivery):
        let slice = session.slice(bits: links.sliceBits)
        if record.receiveOutOfTurn(slice, entry.restarts) { return nil }
        guard
          delivery.ticket == nil || record.canBeginCall && links.hasRoomForReply(to: record)
        else {
          record.refuseForRoom(slice, entry.restarts)
          // There can be room since.
          links.noteRoom(for: record.node)
          return nil
        }
        do throws(SceneError) {
          let wait = try await links.deliver(message, to: session, delivery)
          record.receive(slice, entry.restarts, nil)
          guard let wait, let ticket = delivery.ticket else { return nil }
          let reply = links.reply(wait, ticket, to: record.node)
          record.beginCall()
          return { [links] in
            await reply()
            if record.endCall() { links.noteRoom(for: record.node) }
          }
        } catch {
          record.receive(slice, entry.restarts, links.refusal(error, slice))
          // It may be served since. An application that ends takes nothing more.
          if error.code != .notRunning, links.serves(slice) { record.note(served: [slice]) }
          return nil
        }
      }
    }
  }
#endif
