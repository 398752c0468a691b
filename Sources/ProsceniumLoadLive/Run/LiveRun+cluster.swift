// SPDX-License-Identifier: Apache-2.0

#if Live && Links && Complete
  import Foundation
  import ProsceniumLoadNodes
  import ProsceniumPostgres
  import ProsceniumTerminal

  // What is done to the nodes of a cluster, and what its database says of them.
  extension LiveRun {
    /// How long nodes may take until each has its share of the slices.
    private static let spreadLimit = 60.0
    /// How long a node may be stopped, in leases, until others have taken its sessions.
    private static let burialLimit = 4.0

    /// Waits until each node has its share of the slices, so that none moves by itself.
    func waitUntilSpread(_ hosts: LoadHosts) async throws {
      guard let database = hosts.database else { return }
      let start = clock.now
      while true {
        let status = try await ClusterStatus.read(database)
        let counts = status.nodes.filter { $0.state == .live }.map(\.slices)
        let difference = max(6, status.slices / hosts.running.count / 10)
        if counts.count == hosts.running.count, counts.reduce(0, +) == status.slices,
          (counts.max() ?? 0) - (counts.min() ?? 0) <= difference
        {
          return
        }
        guard seconds(since: start) < Self.spreadLimit else {
          throw LiveFailure(message: "the nodes have \(counts) slices, and not their shares")
        }
        try await clock.sleep(for: .milliseconds(100))
      }
    }

    func noteSlices(_ stage: inout Stage) async throws {
      guard let database = stage.hosts.database else { return }
      let nodes = try await ClusterStatus.read(database).nodes.filter { $0.state != .dead }
      stage.hosts.note(slices: nodes.reduce(into: [:]) { $0[$1.name, default: 0] += $1.slices })
    }

    /// The node that a process is now.
    private func node(
      _ host: LoadHosts.Host, _ stage: Stage
    ) async throws -> (database: String, number: Int32) {
      let database = stage.hosts.database ?? ""
      let nodes = try await ClusterStatus.read(database).nodes
      guard let node = nodes.last(where: { $0.name == host.name && $0.state == .live }) else {
        throw LiveFailure(message: "expected a node that is called \(host.name), found none")
      }
      return (database, node.number)
    }

    /// Stops a node until the others have taken its sessions, and lets it go on.
    func stop(_ host: LoadHosts.Host, _ stage: inout Stage) async throws {
      let (database, number) = try await node(host, stage)
      let stopped = clock.now
      try await stage.fleet.all { $0.beginOutage(of: host.name) }
      var outage = LiveSummary.Outage(
        of: host.name, .stopped, begun: seconds(since: stage.start))
      host.process.signal(SIGSTOP)
      // It goes on whatever comes of it.
      defer { host.process.signal(SIGCONT) }
      while try await !isBuried(number, in: database) {
        guard seconds(since: stopped) < Self.burialLimit * plan.nodes.lease else {
          throw LiveFailure(message: "\(host.name) was stopped, and no other node has noticed")
        }
        _ = try await sample(&stage)
        try await clock.sleep(for: .milliseconds(200))
      }
      try await stage.fleet.all { $0.voidLines() }
      host.process.signal(SIGCONT)
      stage.hosts.noteStop(of: host)
      let continued = clock.now
      outage.servedAfter = seconds(since: stopped)
      try await waitForReturn(since: continued, &outage, &stage)
      stage.summary.outages.append(outage)
    }

    /// Whether a node has lost its slices since it was taken for dead.
    private func isBuried(_ number: Int32, in database: String) async throws -> Bool {
      let node = try await ClusterStatus.read(database).nodes.first { $0.number == number }
      return node.map { $0.state == .dead } ?? true
    }

    /// Has a node give its sessions away, and waits until it has ended.
    func drain(_ host: LoadHosts.Host, _ stage: inout Stage) async throws {
      let (database, number) = try await node(host, stage)
      let start = clock.now
      try await ClusterStatus.drain(number, at: database)
      while host.process.isRunning {
        guard seconds(since: start) < Self.drainLimit else {
          throw LiveFailure(message: "\(host.name) was drained, and has not ended")
        }
        _ = try await sample(&stage)
        try await clock.sleep(for: .milliseconds(200))
      }
      stage.hosts.end(host, .drained)
      stage.summary.drains.append(.init(name: host.name, seconds: seconds(since: start)))
      try await host.process.waitUntilDone()
    }

    /// Replaces each node by one of a newer build: one more is started first, and each that has
    /// given its sessions away is followed by another one of its name, but for the last.
    func deploy(_ stage: inout Stage) async throws {
      let old = stage.hosts.running
      let build = 1 + (old.map(\.build).max() ?? 0)
      let start = clock.now
      let before = try await stage.fleet.moves()
      try await self.start("node\(stage.hosts.places.count + 1)", build: build, &stage)
      for host in old where !Terminal.isInterrupted {
        try await drain(host, &stage)
        if host.life != old.last?.life { try await self.start(host.name, build: build, &stage) }
      }
      stage.deploy = (before, seconds(since: start))
    }
  }
#endif
