// SPDX-License-Identifier: Apache-2.0

#if Live && Complete
  import ProsceniumLoad
  import ProsceniumLoadNodes

  /// Sends the same inputs to a server that only sends them back.
  struct EchoFloor: Sendable {
    private static let seconds = 10.0

    let plan: LivePlan

    /// Measures how long an echo takes.
    @concurrent
    func run() async throws -> LatencyHistogram {
      let host = try ChildProcess(["echo"])
      let clock = ContinuousClock()
      var loopPlan = plan.loopPlan
      loopPlan.isEcho = true
      loopPlan.breaks = 0
      loopPlan.hides = 0
      let fleet = try await ClientFleet(
        loopPlan, hosts: [HostPlace(name: "echo", port: try await host.port())]
      ) { _ in "none=none" }
      try await fleet.all { $0.connect() }
      while try await fleet.reading().attached < plan.clients {
        try await clock.sleep(for: .milliseconds(100))
      }
      try await fleet.all { $0.begin() }
      try await clock.sleep(for: .seconds(Self.seconds))
      try await fleet.all { $0.stop() }
      let reading = try await fleet.reading()
      try await fleet.all { $0.end() }
      try await host.terminate()
      return reading.tally.steady
    }
  }
#endif
