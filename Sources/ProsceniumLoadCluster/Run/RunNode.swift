// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import Foundation
  import ProsceniumLoad
  import ProsceniumLoadNodes
  import ProsceniumPrimitives

  /// A node of a run, from the start of its process to its end.
  final class RunNode: Sendable {
    /// What is known of a node at the end of a run.
    struct Life: Sendable {
      /// How a node ends of which that was not asked.
      static let failed = "ended by itself"

      let name: String
      let build: Int32
      /// When it was started and when it ended, in seconds since the load began.
      let begun: Double
      var ended: Double?
      /// How it ended, or is to end; nil for one of which nothing is asked.
      var end: String?
      /// The last of what it said.
      var reading = NodeReading()
      var delivered = 0
      /// The most memory that was resident, in bytes.
      var resident = 0
    }

    let name: String
    let process: ChildProcess
    let log: String
    private let state: State

    /// What the closure that hears the process shares with the node.
    private final class State: Sendable {
      let life: Guarded<Life>
      let latencies = Guarded(LatencyHistogram())

      init(_ life: Life) {
        self.life = Guarded(life)
      }

      func hear(_ line: String) -> Bool {
        guard line.hasPrefix(NodeReading.mark),
          let reading: NodeReading = try? Line.read(String(line.dropFirst(NodeReading.mark.count)))
        else { return false }
        life.withLock { life in
          life.delivered += reading.delivered.values.reduce(0, +)
          life.reading = reading
        }
        latencies.withLock { $0.add(reading.delivered) }
        return true
      }
    }

    /// Starts a node.
    ///
    /// - Parameters:
    ///   - life: Its name, its build and its begin.
    ///   - folder: Where its log is.
    ///   - arguments: What else it is told.
    /// - Throws: That it cannot be started.
    init(_ life: Life, in folder: String, _ arguments: [String]) throws {
      let state = State(life)
      self.state = state
      name = life.name
      log = "\(folder)/\(life.name).log"
      process = try ChildProcess(
        ["node", "--name", life.name, "--build", "\(life.build)"] + arguments, log: log
      ) { state.hear($0) }
    }

    /// What is known of it.
    var life: Life { state.life.withLock { $0 } }

    /// Takes note that it is to end.
    func expectEnd(_ how: String) {
      state.life.withLock { $0.end = how }
    }

    /// Takes note of its end, if it has ended.
    func noteEnd(at time: Double) {
      guard !process.isRunning else { return }
      state.life.withLock { life in
        guard life.ended == nil else { return }
        life.ended = time
        life.end = life.end ?? Life.failed
        life.reading.served = 0
        life.reading.connected = 0
      }
    }

    /// Looks at its memory; returns how much is resident.
    func measure() -> Int {
      let resident = process.resident
      state.life.withLock { $0.resident = max($0.resident, resident) }
      return resident
    }

    /// Takes the latencies of what was delivered since it was last asked.
    func takeLatencies() -> LatencyHistogram {
      state.latencies.withLock { latencies in
        defer { latencies = LatencyHistogram() }
        return latencies
      }
    }
  }
#endif
