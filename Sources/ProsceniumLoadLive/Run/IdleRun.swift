// SPDX-License-Identifier: Apache-2.0

#if Live && Complete
  import ProsceniumLoad
  import ProsceniumLoadNodes

  /// How much memory a socket takes that is idle: in a server that only sends back what it gets, in
  /// a host whose scenes were disconnected, and in one whose scenes are connected.
  struct IdleRun: Sendable {
    /// What a server has for each socket.
    struct Figure: Sendable {
      let name: String
      let bytes: Double
      /// Seconds of processor time while nothing happened.
      let processorTime: Double
    }

    let clients: Int
    let seconds: Double
    let folder: String

    @concurrent
    func run(_ show: @Sendable (String) -> Void) async throws -> [Figure] {
      let serve = ["serve", "--folder", folder]
      return [
        try await figure("echo", ["echo"], isEcho: true, show),
        try await figure("without a scene", serve + ["--scene-limit", "0"], isEcho: false, show),
        try await figure("with a scene", serve, isEcho: false, show),
      ]
    }

    private func figure(
      _ name: String, _ arguments: [String], isEcho: Bool, _ show: @Sendable (String) -> Void
    ) async throws -> Figure {
      show("\(name): attaching")
      let clock = ContinuousClock()
      let host = try ChildProcess(arguments)
      let port = try await host.port()
      let cookie = try IdleRun.cookies(folder, isEcho: isEcho)
      let plan = ClientLoop.Plan(
        clients: 0..<clients, areHidden: name == "without a scene", isEcho: isEcho, seed: 1)
      // What the first connections bring up is not theirs.
      let before = host.resident
      let fleet = try await ClientFleet(
        plan, hosts: [HostPlace(name: "host", port: port)], cookie: cookie)
      try await fleet.all { $0.connect() }
      while try await fleet.reading().attached < clients {
        try await clock.sleep(for: .milliseconds(100))
      }
      show("\(name): idle for \(Int(seconds)) s")
      let used = host.processorTime
      try await clock.sleep(for: .seconds(seconds))
      let figure = Figure(
        name: name, bytes: Double(host.resident - before) / Double(clients),
        processorTime: host.processorTime - used)
      try await fleet.all { $0.end() }
      try await host.terminate()
      return figure
    }
  }

  extension IdleRun {
    private static func cookies(
      _ folder: String, isEcho: Bool
    ) throws -> @Sendable (Int) -> String {
      if isEcho { return { _ in "none=none" } }
      let tokens = try LoadTokens(folder)
      return { tokens.cookie($0) }
    }
  }
#endif
