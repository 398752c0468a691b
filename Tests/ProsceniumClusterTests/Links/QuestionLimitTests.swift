// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import CoreMetrics
  import Logging
  import Proscenium
  import ProsceniumPrimitives
  import Testing

  @testable import ProsceniumCluster

  /// Questions of another node that takes no answers, and how many of them a node takes.
  @Suite struct QuestionLimitTests {
    /// Brings what another node has written, and takes anything.
    private final class WrittenConnection: LinkConnection {
      let fingerprint: [UInt8]
      private let frames: Guarded<[LinkFrame]>

      init(_ frames: [LinkFrame], fingerprint: [UInt8]) {
        self.fingerprint = fingerprint
        self.frames = Guarded(frames)
      }

      func read(upTo limit: Int) async throws(LinkFault) -> [UInt8]? {
        frames.withLock { frames in
          guard !frames.isEmpty else { return nil }
          var bytes: [UInt8] = []
          frames.removeFirst().write(to: &bytes)
          return Array(bytes[4...])
        }
      }

      func write(_ bytes: [UInt8]) async throws(LinkFault) {}

      func close() { frames.withLock { $0 = [] } }
    }

    /// Reaches nothing.
    private struct NoNetwork: LinkNetwork {
      func open(_: @escaping @Sendable (any LinkConnection) -> Void) async throws -> LinkIdentity {
        LinkIdentity()
      }

      func connect(to member: ClusterMember) async throws(LinkFault) -> any LinkConnection {
        throw LinkFault("not reached")
      }

      func close() async {}
    }

    @Test func `the answers to a node that takes none are bounded, those that are owed as well`()
      async
    {
      let links = NodeLinks(
        NoNetwork(), NodeDuties(ClusterSettings(name: "2", address: "2"), sliceBits: 2) { .zero },
        ContinuousClock(), { .zero }, { SessionIdentifier(high: 1, low: 2) },
        Logger(label: "node") { _ in SwiftLogNoOpLogHandler() },
        NodeMetrics(NOOPMetricsHandler.instance), limit: .init(count: 16))
      links.begin(as: 2)
      let link = LinkIdentity(address: "1", fingerprint: [1])
      links.take([
        ClusterMember(
          number: 1, name: "1", address: "1", link: link, build: 0, beat: 0, slices: 0,
          isDraining: false)
      ])
      let entries = (1...1_000).map { number in
        LinkWindow<LinkItem>.Entry(
          item: .question("", ticket: UInt64(number)), slice: nil, size: 0, restarts: false)
      }
      let connection = WrittenConnection(
        [
          .greeting(from: 1, to: 2, count: 1),
          .items(.init(first: 1, confirmed: 0, entries: entries)),
        ], fingerprint: [1])
      await LinkReceiver(links, connection).run()
      // Twice what may be on its way to a node besides.
      #expect((1...32).contains(links.waitingCount))
    }
  }
#endif
