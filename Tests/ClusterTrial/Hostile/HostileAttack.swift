// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import Proscenium
  import ProsceniumCluster
  import ProsceniumPrimitives

  /// Frames of a hostile node for another one, each of which has to be taken or refused.
  final class HostileAttack: Sendable {
    let node: HostileNode
    let victim: ClusterMember
    /// How many frames were sent, by what is wrong with them.
    let sent = Guarded<[FrameFuzz.Kind: Int]>([:])
    let problems = Guarded<[String]>([])

    /// How long a node may take to end a connection.
    static let patience = Duration.seconds(10)

    init(node: HostileNode, victim: ClusterMember) {
      (self.node, self.victim) = (node, victim)
    }

    var count: Int { sent.withLock { $0.values.reduce(0, +) } }

    /// Sends so many frames, on as many connections as it takes.
    func run(_ fuzz: FrameFuzz, frames: Int) async throws {
      var fuzz = fuzz
      while count < frames, problems.withLock({ $0.count < 10 }) {
        let (connection, last) = try await greet()
        defer { connection.close() }
        try await talk(on: connection, &fuzz, from: last, upTo: frames)
      }
    }

    /// Opens a connection, as a node does.
    ///
    /// - Returns: It, and the last item that the other node has received.
    func greet() async throws -> (any LinkConnection, last: UInt64) {
      let connection = try await node.connect(to: victim)
      try await connection.write(
        FrameFuzz.bytes(of: .greeting(from: node.number, to: victim.number, count: 1)))
      guard let bytes = try await connection.read(upTo: LinkFrame.sizeLimit),
        case .welcome(_, let answer) = try LinkFrame(
          reading: bytes, sliceBits: FrameFuzz.sliceBits)
      else { throw TrialFailure("expected an answer to the greeting") }
      return (connection, answer.last)
    }

    private func talk(
      on connection: any LinkConnection, _ fuzz: inout FrameFuzz, from last: UInt64,
      upTo frames: Int
    ) async throws {
      try await connection.write(fuzz.begin(last: last))
      await withTaskGroup(of: Void.self) { group in
        // Apart: answers come while frames are written.
        group.addTask { await Self.read(connection) }
        if let kind = await write(to: connection, &fuzz, upTo: frames) {
          // Ends when the other node has ended the connection.
          group.addTask { [self] in
            guard (try? await Task.sleep(for: Self.patience)) != nil else { return }
            problems.withLock { $0.append("a frame \(kind.rawValue) was not refused") }
          }
          await group.next()
        }
        connection.close()
        group.cancelAll()
      }
    }

    /// Writes frames until there are enough, or the connection has to end.
    ///
    /// - Returns: What is wrong with a frame that has to be refused.
    private func write(
      to connection: any LinkConnection, _ fuzz: inout FrameFuzz, upTo frames: Int
    ) async -> FrameFuzz.Kind? {
      while count < frames {
        let (bytes, kind, fate) = fuzz.next()
        sent.withLock { $0[kind, default: 0] += 1 }
        do {
          try await connection.write(bytes)
        } catch {
          problems.withLock { $0.append("before a frame \(kind.rawValue): \(error)") }
          return nil
        }
        switch fate {
        case .taken: continue
        // The rest of a frame never comes: the connection ends within it.
        case .awaited: return nil
        case .refused: return kind
        }
      }
      return nil
    }

    /// Reads answers until the connection ends.
    static func read(_ connection: any LinkConnection) async {
      while let frame = try? await connection.read(upTo: LinkFrame.sizeLimit), !frame.isEmpty {}
    }
  }
#endif
