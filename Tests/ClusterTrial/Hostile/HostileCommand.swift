// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import ArgumentParser
  import ProsceniumLocalPostgres
  import ProsceniumPrimitives

  /// A node under frames that no node sends.
  struct HostileCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "hostile",
      abstract: "Lets members of a cluster send nonsense to a node, over TLS.",
      discussion: """
        Two nodes serve each other, and two hostile processes that the database names as nodes \
        send frames to one of them: well formed, changed, cut, huge, sent before, of other \
        numbers. Each has to be taken or refused as it should be. Then come certificates of \
        others and of the dead, peers that confirm nothing, and one that takes no answers.

        EXAMPLES
          cluster-trial hostile
          cluster-trial hostile --frames 20000 --seed 7
        """)

    @Option(help: "How many frames are sent.")
    var frames = 1_000_000

    @Option(help: "What the frames follow from.")
    var seed: UInt64 = 1

    func validate() throws {
      guard (100...100_000_000).contains(frames) else {
        throw ValidationError("expected 100 to 100,000,000 frames")
      }
    }

    func run() async throws {
      let server = try await PostgresServer.start(onDisk: false, settings: [:])
      let result = await Result {
        let cluster = try await TrialCluster(on: server, 0, lease: 60)
        return try await HostileTrial(on: cluster, frames: frames, seed: seed, isAlone: true).run()
      }
      try? await server.remove()
      guard try result.get().show() else { throw ExitCode(1) }
    }
  }
#endif
