// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import ProsceniumLoad
  import ProsceniumLoadNodes

  /// Looks at all processes of a run.
  struct Sampler: Sendable {
    let fleet: NodeFleet
    let source: SourceProcess

    /// What was seen since the last sample.
    func sample(after last: ClusterSummary.Sample?) -> ClusterSummary.Sample {
      var sample = ClusterSummary.Sample()
      sample.time = fleet.time
      sample.seconds = sample.time - (last?.time ?? 0)
      (sample.sent, sample.durable) = source.take()
      sample.strikes = fleet.strikes
      for node in fleet.all {
        node.noteEnd(at: sample.time)
        sample.delivered.add(node.takeLatencies())
      }
      for node in fleet.living {
        sample.resident += node.measure()
        sample.connected += node.life.reading.connected
        sample.slices[node.name] = node.life.reading.served
      }
      return sample
    }
  }
#endif
