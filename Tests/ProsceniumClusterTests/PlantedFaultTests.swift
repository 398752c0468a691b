// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Testing

  /// The checker finds a database that makes mistakes.
  @Suite(.timeLimit(.minutes(10))) struct PlantedFaultTests {
    @Test(arguments: PlantedFault.allCases)
    func `a mistake of the database is found`(fault: PlantedFault) {
      let seed = (1...100 as ClosedRange<UInt64>).first { seed in
        var simulation = ClusterSimulation(seed: seed)
        simulation.options.planted = [fault]
        Self.bringAbout(fault, &simulation.options)
        return !simulation.run().findings.isEmpty
      }
      #expect(seed != nil, "\(fault)")
      if let seed { print("\(fault) is found with seed \(seed)") }
    }

    /// Lets happen what lets a fault show.
    private static func bringAbout(_ fault: PlantedFault, _ options: inout ClusterOptions) {
      let needed: [ClusterFault] =
        switch fault {
        case .readsFenceBeforeLock, .handsOverWithoutFence: [.move]
        case .buriesWithoutLock, .forgetsDeaths: [.kill]
        case .forgetsRuns: [.freeze, .rollBack]
        }
      options.faults = ClusterFault.allCases.filter {
        needed.contains($0) || options.faults.contains($0)
      }
      guard fault == .buriesWithoutLock else { return }
      // Several have to die at once.
      options.machines = 4
      options.faults = [.kill]
      options.pause = .milliseconds(200)
    }
  }
#endif
