// SPDX-License-Identifier: Apache-2.0

#if Live && Links && Complete
  import ProsceniumLoadNodes
  import ProsceniumPostgres

  // What is done to the nodes of a cluster.
  extension LiveRun {
    /// Stops a node until the others have taken its sessions, and lets it go on.
    func stop(_ node: LoadNode, _ stage: inout Stage) async throws {
      let stopped = clock.now
      let clients = stage.clients
      try await clients.all { $0.beginOutage(of: node.name) }
      var outage = LiveSummary.Outage(
        of: node.name, .stop, begun: seconds(since: stage.start))
      try await stage.hosts.fleet.stop(node) {
        try await pause(&stage)
      } _: {
        try await clients.all { $0.voidLines() }
      }
      let continued = clock.now
      outage.servedAfter = seconds(since: stopped)
      try await waitForReturn(since: continued, &outage, &stage)
      stage.summary.outages.append(outage)
    }

    /// Has a node give its sessions away, and waits until it has ended.
    func drain(_ node: LoadNode, _ stage: inout Stage) async throws {
      let seconds = try await stage.hosts.fleet.drain(node) { try await pause(&stage) }
      stage.summary.drains.append(.init(name: node.name, seconds: seconds))
    }

    /// Replaces each node by one of a newer build.
    func deploy(_ stage: inout Stage) async throws {
      let fleet = stage.hosts.fleet
      let start = clock.now
      let before = try await fleet.status().epochs
      try await fleet.deploy {
        try await self.start($0, build: $1, &stage)
      } drain: {
        try await drain($0, &stage)
      }
      stage.deploy = (before, seconds(since: start))
    }

    /// Notes how often slices have moved since a deploy began, if there was one.
    func noteMoves(_ stage: inout Stage) async throws {
      guard let (before, seconds) = stage.deploy else { return }
      let after = try await stage.hosts.fleet.status().epochs
      stage.summary.deploy = (seconds, SliceMoves(from: before, to: after))
    }

    /// Lets a moment pass in which clients are looked at.
    private func pause(_ stage: inout Stage) async throws {
      _ = try await sample(&stage)
      try await clock.sleep(for: .milliseconds(200))
    }
  }
#endif
