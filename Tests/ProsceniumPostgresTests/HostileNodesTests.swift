// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import PostgresTestServer
  import ProsceniumLocalPostgres
  import Testing

  @testable import ClusterTrial

  /// Members of a cluster that send each other nonsense over real sockets.
  ///
  /// `ClusterTrial hostile` sends a million frames, `make test-storm` as many as it is told.
  @Suite(.timeLimit(.minutes(5))) struct HostileNodesTests {
    @Test func `each frame of a hostile member is taken or refused, and the others go on`()
      async throws
    {
      let cluster = try await TrialCluster(
        on: PostgresServer.shared.server(), 0, lease: 60)
      let report = try await HostileTrial(on: cluster, frames: 2_000, seed: 1, isAlone: false)
        .run()
      #expect(report.problems == [])
    }
  }
#endif
