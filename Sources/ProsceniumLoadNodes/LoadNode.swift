// SPDX-License-Identifier: Apache-2.0

import Foundation
package import ProsceniumLoad
import ProsceniumPrimitives

/// What is known of a process of a load test at its end.
package struct NodeLife: Sendable {
  /// How a process ended, or is to end.
  package enum End: String, Sendable {
    case killed, drained, ended
    /// That was not asked of it.
    case failed = "ended by itself"
  }

  package let name: String
  package let build: Int32
  /// When it was started and when it ended, in seconds since the begin.
  package let begun: Double
  package var ended: Double?
  /// How it ended, or is to end; nil for one of which nothing is asked.
  package var end: End?
  /// The last of what it said.
  package var reading = NodeReading()
  package var delivered = 0
  /// The most memory that was resident, in bytes.
  package var resident = 0
  /// How many clients had a line to it at a time, at most.
  package var clients = 0
  /// How many slices it served before its end was asked for.
  package var slices = 0
  /// How often it was stopped, and went on.
  package var stops = 0

  package init(name: String, build: Int32, begun: Double = 0) {
    self.name = name
    self.build = build
    self.begun = begun
  }

  /// How it ended, for people.
  package var ending: String {
    let end = (end ?? .ended).rawValue
    return stops == 0 ? end : "\(end), stopped \(stops) times before"
  }

  /// How long it lived, in seconds; one that has not ended until a moment.
  package func lived(until now: Double) -> Double { (ended ?? now) - begun }
}

/// A process that serves the sessions of a load test, from its start to its end.
package final class LoadNode: Sendable {
  package let process: ChildProcess
  /// The file with what it has logged; nil if that goes where this process logs.
  package let log: String?
  private let state: State

  /// What the closure that hears the process shares with the node.
  private final class State: Sendable {
    let life: Guarded<NodeLife>
    let latencies = Guarded(LatencyHistogram())

    init(_ life: NodeLife) {
      self.life = Guarded(life)
    }

    func hear(_ line: String) -> Bool {
      guard let reading: NodeReading = Line.read(line, after: NodeReading.mark) else {
        return false
      }
      life.withLock { life in
        life.delivered += reading.delivered.values.reduce(0, +)
        life.reading = reading
      }
      latencies.withLock { $0.add(reading.delivered) }
      return true
    }
  }

  /// Starts a process.
  ///
  /// - Parameters:
  ///   - life: Its name, its build and its begin.
  ///   - arguments: What it is told.
  ///   - log: The file with what it logs.
  /// - Throws: That it cannot be started.
  init(_ life: NodeLife, _ arguments: [String], log: String?) throws {
    let state = State(life)
    self.state = state
    self.log = log
    process = try ChildProcess(arguments, log: log) { state.hear($0) }
  }

  /// What is known of it.
  package var life: NodeLife { state.life.withLock { $0 } }
  package var name: String { life.name }
  package var build: Int32 { life.build }
  /// The number that it has among the nodes, 0 while it has none.
  package var number: Int32 { life.reading.number }

  /// Takes note that it is to end.
  func expectEnd(_ how: NodeLife.End) {
    state.life.withLock { life in
      life.end = how
      life.slices = life.reading.served
    }
  }

  /// Takes note of its end, if it has ended.
  package func noteEnd(at time: Double) {
    guard !process.isRunning else { return }
    state.life.withLock { life in
      guard life.ended == nil else { return }
      life.ended = time
      life.end = life.end ?? .failed
      life.reading.served = 0
      life.reading.connected = 0
    }
  }

  /// Takes note that it was stopped, and goes on.
  func noteStop() {
    state.life.withLock { $0.stops += 1 }
  }

  /// Takes note of how many clients it has.
  package func note(clients: Int) {
    state.life.withLock { $0.clients = max($0.clients, clients) }
  }

  /// Looks at its memory; returns how much is resident.
  package func measure() -> Int {
    let resident = process.resident
    state.life.withLock { $0.resident = max($0.resident, resident) }
    return resident
  }

  /// Takes the latencies of what was delivered since it was last asked.
  package func takeLatencies() -> LatencyHistogram {
    state.latencies.withLock { $0.take() }
  }
}
