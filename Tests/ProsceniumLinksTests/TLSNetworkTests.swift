// SPDX-License-Identifier: Apache-2.0

#if Links
  import NIOCore
  import NIOPosix
  import ProsceniumCluster
  import ProsceniumPrimitives
  import Testing

  @testable import ProsceniumLinks

  /// Connections between nodes, over real sockets.
  @Suite(.timeLimit(.minutes(2))) struct TLSNetworkTests {
    /// A network that listens at a free port, and the connections that come.
    final class Listener: Sendable {
      let network = TLSNetwork(at: "127.0.0.1", port: 0, published: nil)
      private let (stream, source) = AsyncStream.makeStream(of: (any LinkConnection).self)

      func member(_ number: Int32 = 1) async throws -> ClusterMember {
        let link = try await network.open { [source] in source.yield($0) }
        return ClusterMember(
          number: number, name: "n", address: "", link: link, build: 0, beat: 0, slices: 0)
      }

      func accept() async throws -> any LinkConnection {
        for await connection in stream { return connection }
        throw CancellationError()
      }
    }

    private static func frame(_ bytes: [UInt8]) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: bytes.count >> (8 * $0)) } + bytes
    }

    /// Two networks that listen, and a connection of the first one with the second.
    private static func withPair(
      _ body: (_ near: any LinkConnection, _ far: any LinkConnection, _ certificates: [[UInt8]])
        async throws -> Void
    ) async throws {
      let (one, other) = (Listener(), Listener())
      let own = try await one.member()
      let member = try await other.member()
      let near = try await one.network.connect(to: member)
      let far = try await other.accept()
      try await body(near, far, [own.link.fingerprint, member.link.fingerprint])
      await one.network.close()
      await other.network.close()
    }

    @Test func `each side knows the certificate of the other`() async throws {
      try await Self.withPair { near, far, certificates in
        #expect(near.fingerprint == certificates[1])
        #expect(far.fingerprint == certificates[0])
        #expect(certificates[0] != certificates[1])
        #expect(certificates.allSatisfy { $0.count == 32 })
      }
    }

    @Test func `a connection is made while the program has no thread for its caller`()
      async throws
    {
      let (one, other, executor) = (Listener(), Listener(), HeldExecutor())
      _ = try await one.member()
      let member = try await other.member()
      async let near = withTaskExecutorPreference(executor) {
        try await one.network.connect(to: member)
      }
      // Otherwise the caller would wait for ever if there is no connection.
      defer { executor.letGo() }
      let far = try await other.accept()
      executor.letGo()
      let fingerprint = try await near.fingerprint
      #expect(fingerprint == member.link.fingerprint)
      far.close()
      await one.network.close()
      await other.network.close()
    }

    @Test func `what was under way when a network is closed is closed, too`() async throws {
      let (one, other) = (Listener(), Listener())
      _ = try await one.member()
      let address = try #require(LinkAddress(try await other.member().link.address))
      let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
        .connect(host: address.host, port: address.port).get()
      await one.network.close()
      let context = try LinkCertificate().context(listens: false)
      await #expect(throws: LinkFault.self) {
        _ = try await channel.eventLoop
          .flatSubmit { one.network.begin(channel, context) }.get()
      }
      #expect(!channel.isActive)
      try? await channel.close()
      await other.network.close()
    }

    @Test func `frames of all sizes arrive as they were written both ways`() async throws {
      try await Self.withPair { near, far, _ in
        let sizes = [0, 1, 3, 4, 5, 1_000, 70_000, 3 << 20, LinkFrame.sizeLimit]
        for (writer, reader) in [(near, far), (far, near)] {
          for (number, size) in sizes.enumerated() {
            let bytes = [UInt8](repeating: UInt8(number), count: size)
            async let writing: Void = writer.write(Self.frame(bytes))
            let read = try await reader.read(upTo: LinkFrame.sizeLimit)
            try await writing
            #expect(read == bytes, "a frame of \(size) bytes")
          }
        }
      }
    }

    @Test func `a frame that is larger than it may be is refused before it has come`() async throws
    {
      try await Self.withPair { near, far, _ in
        let before = try await Self.fault {
          try await far.read(upTo: 18)
        } while: {
          try await near.write(Self.frame([UInt8](repeating: 0, count: 19)))
        }
        #expect(before?.description == "expected a frame of at most 18 bytes, found one of 19")
        // Only the length comes.
        try await far.write([0xFF, 0xFF, 0xFF, 0xFF])
        let fault = try await Self.fault {
          try await near.read(upTo: LinkFrame.sizeLimit)
        } while: {
        }
        #expect(fault?.description.contains("found one of 4294967295") == true)
      }
    }

    private static func fault(
      _ read: @escaping @Sendable () async throws -> [UInt8]?, while body: () async throws -> Void
    ) async throws -> LinkFault? {
      async let reading = Result { _ = try await read() }
      try await body()
      guard case .failure(let error) = await reading else { return nil }
      return error as? LinkFault
    }

    @Test func `the end of a connection ends what waits on it`() async throws {
      try await Self.withPair { near, far, _ in
        async let reading = far.read(upTo: 100)
        near.close()
        let read = try await reading
        #expect(read == nil)
        await #expect(throws: LinkFault.self) {
          // The first one can still be taken by the system.
          for _ in 0..<1_000 { try await far.write(Self.frame([1])) }
        }
      }
    }

    @Test func `a peer that stops reading lets the writer wait and no memory grows`() async throws {
      try await Self.withPair { near, far, _ in
        let frame = Self.frame([UInt8](repeating: 7, count: 1 << 16))
        let written = Guarded(0)
        async let writing: Void = {
          for _ in 0..<512 {
            try await near.write(frame)
            written.withLock { $0 += 1 }
          }
        }()
        // What is written at most: one frame is read, and as much ahead as there is room for.
        for count in 1...512 {
          let bytes = try await far.read(upTo: LinkFrame.sizeLimit)
          #expect(bytes?.count == 1 << 16)
          let ahead = written.withLock { $0 } - count
          // What the system keeps for a socket, on both sides, and what the connection does.
          #expect(ahead < 400, "\(ahead) frames ahead")
        }
        try await writing
      }
    }

    @Test func `bytes that are no TLS and connections without a certificate come to no node`()
      async throws
    {
      let listener = Listener()
      let member = try await listener.member()
      let address = try #require(LinkAddress(member.link.address))
      let stranger = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
        .connect(host: address.host, port: address.port).get()
      try await stranger.writeAndFlush(ByteBuffer(repeating: 0x16, count: 4_096))
      try await stranger.closeFuture.get()
      let caller = Listener()
      _ = try await caller.member()
      let near = try await caller.network.connect(to: member)
      let far = try await listener.accept()
      #expect(!far.fingerprint.isEmpty)
      near.close()
      await listener.network.close()
    }

    @Test func `an address that another process listens at is refused by name`() async throws {
      let listener = Listener()
      let member = try await listener.member()
      let address = try #require(LinkAddress(member.link.address))
      let second = TLSNetwork(at: address.host, port: address.port, published: nil)
      let error = await #expect(throws: LinkError.self) { _ = try await second.open { _ in } }
      #expect(error?.code == .addressInUse)
      #expect(error?.message.contains("port \(address.port)") == true)
      await listener.network.close()
    }
  }
#endif
