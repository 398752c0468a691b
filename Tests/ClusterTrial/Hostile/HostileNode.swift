// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import Proscenium
  import ProsceniumCluster
  import ProsceniumLinks
  import ProsceniumPostgres
  import ProsceniumStoring

  /// A process that the database names as a node without slices, and that says to the others
  /// whatever it likes.
  final class HostileNode: Sendable {
    let number: Int32
    /// What others open, to say something to it.
    let incoming: AsyncStream<any LinkConnection>
    private let network: TLSNetwork
    private let authority: PostgresAuthority

    private init(
      _ number: Int32, _ incoming: AsyncStream<any LinkConnection>, _ network: TLSNetwork,
      _ authority: PostgresAuthority
    ) {
      (self.number, self.incoming) = (number, incoming)
      (self.network, self.authority) = (network, authority)
    }

    /// Joins a cluster, and drains from then on: it is given no slices.
    static func join(_ address: String, as name: String) async throws -> HostileNode {
      let (incoming, source) = AsyncStream.makeStream(of: (any LinkConnection).self)
      let network = TLSNetwork(at: "127.0.0.1", port: 0, published: nil)
      let authority = try PostgresAuthority(address, key: TrialKey.provider)
      _ = try await authority.open()
      let link = try await network.open { source.yield($0) }
      let number = try await authority.join(
        NodeDescription(name: name, address: name, link: link, build: 0))
      try await authority.drain(number)
      return HostileNode(number, incoming, network, authority)
    }

    /// Shows signs of life, until the task is cancelled.
    func beat() async throws {
      while !Task.isCancelled {
        _ = try await authority.beat(as: number)
        // A lease is much longer.
        try await Task.sleep(for: .seconds(1))
      }
    }

    /// Another member of the cluster.
    func member(_ name: String) async throws -> ClusterMember {
      guard let member = try await authority.members().first(where: { $0.name == name }) else {
        throw TrialFailure("node \(name) is no member")
      }
      return member
    }

    func connect(to member: ClusterMember) async throws -> any LinkConnection {
      try await network.connect(to: member)
    }

    /// Lets another one bury it, as if it had been silent for long.
    func letBury(by heir: Int32) async throws {
      // Its sign of life can come in between.
      for _ in 0..<20 {
        let own = try await authority.members().first { $0.number == number }
        guard let own else { return }
        if try await authority.bury(number, seen: own.beat, heirs: [heir]) { return }
      }
      throw TrialFailure("node \(number) was not buried")
    }

    func end() async {
      await network.close()
      await authority.close()
    }
  }
#endif
