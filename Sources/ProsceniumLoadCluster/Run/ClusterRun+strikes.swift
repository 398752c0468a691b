// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import ProsceniumLoadNodes
  import ProsceniumPrimitives
  import ProsceniumTerminal

  // What is done to the nodes of a run.
  extension ClusterRun {
    /// Strikes nodes at even moments, one after the other, until the time is over.
    func strike() async throws -> [ClusterSummary.Strike] {
      var random = SplitMix64(seed: plan.seed)
      var done: [ClusterSummary.Strike] = []
      let strikes = plan.nodes.strikes
      let pause = plan.duration / Double(strikes.count + 1)
      for (place, kind) in strikes.enumerated() {
        try await wait(until: pause * Double(place + 1))
        let staying = fleet.staying
        if Terminal.isInterrupted || staying.isEmpty { return done }
        let node = staying[random.number(below: staying.count)]
        var strike = ClusterSummary.Strike(kind, of: node.name, at: fleet.time)
        switch kind {
        case .kill: try await kill(node, &strike)
        case .stop: try await stop(node, &strike)
        case .drain: strike.drains = [try await fleet.drain(node)]
        case .deploy:
          strike.node = nil
          try await fleet.deploy {
            try await start($0, build: $1)
          } drain: {
            strike.drains.append(try await fleet.drain($0))
          }
        }
        done.append(strike)
      }
      // What has moved gets events as well.
      try await wait(until: max(plan.duration, fleet.time + 2))
      return done
    }

    private func wait(until time: Double) async throws {
      while fleet.time < time, !Terminal.isInterrupted {
        // Not until then at once: Ctrl-C ends it.
        try await clock.sleep(for: .seconds(min(0.1, max(0.001, time - fleet.time))))
      }
    }

    /// Kills a node, and starts another one of its name when the others serve all slices.
    private func kill(_ node: LoadNode, _ strike: inout ClusterSummary.Strike) async throws {
      await fleet.kill(node)
      try await fleet.waitUntilBuried(node)
      strike.buriedAfter = fleet.time - strike.begun
      try await fleet.waitUntilServed()
      strike.servedAfter = fleet.time - strike.begun
      try await start(node.name, build: node.build)
      try await fleet.waitUntilServed(isSpread: true)
    }

    /// Stops a node until the others serve all slices, and waits until it has joined again.
    private func stop(_ node: LoadNode, _ strike: inout ClusterSummary.Strike) async throws {
      let number = node.number
      try await fleet.stop(node) {
        strike.buriedAfter = fleet.time - strike.begun
        try await fleet.waitUntilServed(without: node)
        strike.servedAfter = fleet.time - strike.begun
      }
      try await fleet.wait(for: "\(node.name) to join again") { node.number != number }
      try await fleet.waitUntilServed(isSpread: true)
    }
  }
#endif
