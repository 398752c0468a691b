// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import Proscenium
  import ProsceniumCluster
  import ProsceniumPrimitives

  /// What a hostile node says to a node that has opened a connection with it.
  final class HostileAnswers: Sendable {
    private let random: Guarded<SplitMix64>
    private let silent = Guarded(false)
    private let answered = Guarded(0)

    /// Whether it says that it is another process now and then: what it has told is forgotten then.
    private let changesProcess: Bool

    init(seed: UInt64, changesProcess: Bool) {
      random = Guarded(SplitMix64(seed: seed))
      self.changesProcess = changesProcess
    }

    /// How long a connection is held on which nothing more is said: a node waits for as long as it
    /// takes, and it is to open others.
    private static let patience = Duration.seconds(1)

    /// How many connections have been answered.
    var count: Int { answered.withLock { $0 } }

    /// From now on nothing is read, and nothing is said.
    func fallSilent() { silent.withLock { $0 = true } }

    /// Answers what comes, until the task is cancelled.
    func run(_ incoming: AsyncStream<any LinkConnection>) async {
      await withDiscardingTaskGroup { group in
        for await connection in incoming {
          // Each for itself: one that is held open must not hold the next one up.
          group.addTask { [self] in
            await withTaskCancellationHandler {
              try? await answer(connection)
            } onCancel: {
              connection.close()
            }
            connection.close()
          }
        }
      }
    }

    private func draw(_ bound: Int) -> Int { random.withLock { $0.number(below: bound) } }

    private func answer(_ connection: any LinkConnection) async throws {
      if silent.withLock({ $0 }) {
        // Until the trial is over.
        return try await Task.sleep(for: .seconds(3_600))
      }
      answered.withLock { $0 += 1 }
      await withDiscardingTaskGroup { group in
        // Ends with what is said, or when the node says nothing: it is to call again.
        group.addTask {
          if (try? await Task.sleep(for: Self.patience)) != nil { connection.close() }
        }
        try? await say(to: connection)
        group.cancelAll()
      }
    }

    private func say(to connection: any LinkConnection) async throws {
      _ = try await connection.read(upTo: LinkFrame.greetingSize)
      switch draw(12) {
      case 0: return
      case 1: try await write(randomBytes(100), to: connection)
      case 2: try await write([255, 255, 255, 255], to: connection)
      case 3: try await write(FrameFuzz.bytes(of: .goodbye).dropLast(), to: connection)
      case 4: try await welcome(connection, process: changesProcess ? 2 : 1)
      case 5:
        try await write(
          FrameFuzz.bytes(of: .welcome(process: 1, LinkAnswer(last: .max))), to: connection)
      case 6, 7: try await takeItems(connection)
      default: try await answerItems(connection)
      }
      // What was written is read before the connection ends.
      _ = try await connection.read(upTo: LinkFrame.sizeLimit)
    }

    private func randomBytes(_ count: Int) -> [UInt8] {
      FrameFuzz.withLength((0..<count).map { _ in UInt8(draw(256)) })
    }

    private func write(_ bytes: some Sequence<UInt8>, to connection: any LinkConnection)
      async throws
    {
      try await connection.write(Array(bytes))
    }

    private func welcome(_ connection: any LinkConnection, process: UInt64 = 1) async throws {
      try await write(
        FrameFuzz.bytes(of: .welcome(process: process, LinkAnswer(last: 0))), to: connection)
    }

    /// Takes what comes, as a node does: one that never does is asked for no more by and by.
    private func takeItems(_ connection: any LinkConnection) async throws {
      try await welcome(connection)
      while let bytes = try await connection.read(upTo: LinkFrame.sizeLimit),
        case .items(let batch) = try LinkFrame(reading: bytes, sliceBits: FrameFuzz.sliceBits)
      {
        let answer = LinkAnswer(last: batch.first + UInt64(batch.entries.count) - 1)
        try await write(FrameFuzz.bytes(of: .answer(answer)), to: connection)
      }
    }

    /// Lets items come, and answers as no node does.
    private func answerItems(_ connection: any LinkConnection) async throws {
      try await welcome(connection)
      _ = try await connection.read(upTo: LinkFrame.sizeLimit)
      let slices = (0..<100).map { _ in draw(200) > 0 ? draw(1_024) : 1_024 + draw(9) }
      try await write(FrameFuzz.bytes(of: .served(slices)), to: connection)
      let answer =
        switch draw(4) {
        case 0: LinkAnswer(last: .max)
        case 1: LinkAnswer(last: 0, refused: [.init(1, .notOpen)])
        case 2: LinkAnswer(last: 1, refused: [.init(1, .notServed), .init(1, .notServed)])
        default: LinkAnswer(last: 0)
        }
      try await write(FrameFuzz.bytes(of: .answer(answer)), to: connection)
      try await write(randomBytes(draw(200)), to: connection)
    }
  }
#endif
