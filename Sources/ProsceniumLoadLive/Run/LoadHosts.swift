// SPDX-License-Identifier: Apache-2.0

#if Live && Complete
  import ProsceniumLoadNodes

  /// The processes that serve the clients: a host with its store in a file, or the nodes of a
  /// cluster.
  struct LoadHosts: Sendable {
    /// A process that runs.
    struct Host: Sendable {
      let name: String
      let build: Int
      let process: ChildProcess
      /// The place of what is known of it.
      let life: Int
    }

    private let folder: String
    private let durability: String
    private let lease: Double
    /// The address of the nodes' database; nil for a host with its store in a file.
    let database: String?
    private let clock = ContinuousClock()
    private(set) var running: [Host] = []
    /// What is known of each process, in the order in which they were started.
    private(set) var lives: [HostLife] = []
    private var begun: [ContinuousClock.Instant] = []
    /// Where they were, by their names: one of the same name is at the same port.
    private(set) var places: [HostPlace] = []

    init(_ plan: LivePlan, folder: String, database: String?) {
      self.folder = folder
      self.database = database
      durability = plan.durability.rawValue
      lease = plan.nodes.lease
    }

    /// The names with which a run begins.
    static func names(_ count: Int?) -> [String] {
      count.map { (1...$0).map { "node\($0)" } } ?? ["host"]
    }

    /// Starts processes at once, and waits until all can be connected to.
    mutating func start(_ names: [String], build: Int) async throws {
      var started: [Host] = []
      for name in names {
        let process = try ChildProcess(
          arguments(name, build), log: database.map { _ in "\(folder)/\(name).log" })
        lives.append(HostLife(name: name, build: build))
        begun.append(clock.now)
        started.append(
          Host(name: name, build: build, process: process, life: lives.count - 1))
      }
      // From here on each is killed with the others, whatever comes of it.
      running += started
      for host in started {
        let place = HostPlace(name: host.name, port: try await host.process.port())
        places.removeAll { $0.name == host.name }
        places.append(place)
      }
    }

    private func arguments(_ name: String, _ build: Int) -> [String] {
      let port = places.first { $0.name == name }?.port ?? 0
      let all = ["serve", "--port", "\(port)", "--folder", folder, "--durability", durability]
      guard let database else { return all }
      return all + [
        "--database", database, "--name", name, "--build", "\(build)", "--lease", "\(lease)",
      ]
    }

    /// A process of the run has ended, or is about to.
    mutating func end(_ host: Host, _ how: HostLife.End) {
      running.removeAll { $0.life == host.life }
      lives[host.life].end = how
      lives[host.life].seconds = begun[host.life].duration(to: clock.now) / .seconds(1)
    }

    /// Has all end in order.
    mutating func terminate() async throws {
      let all = running
      for host in all { end(host, .ended) }
      try await withThrowingTaskGroup { group in
        // All at once: each takes its time to capture its scenes.
        for host in all { group.addTask { try await host.process.terminate() } }
        try await group.waitForAll()
      }
    }

    /// Kills all, since the run has failed.
    func kill() async {
      for host in running { await host.process.kill() }
    }

    /// Notes how many clients each has.
    mutating func note(_ attached: [String: Int]) {
      for host in running {
        lives[host.life].note(attached[host.name] ?? 0, host.process.resident)
      }
    }

    /// A process was stopped, and goes on.
    mutating func noteStop(of host: Host) { lives[host.life].stops += 1 }

    /// Notes how many slices each has.
    mutating func note(slices: [String: Int]) {
      for host in running { lives[host.life].slices = slices[host.name] ?? 0 }
    }

    /// How many bytes of their memory are resident.
    var resident: Int { running.reduce(0) { $0 + $1.process.resident } }
  }

  /// What became of a process that served clients.
  struct HostLife: Sendable {
    enum End: String, Sendable { case killed, drained, ended }

    let name: String
    let build: Int
    var seconds = 0.0
    /// How many clients had a line to it at a time, at most.
    private(set) var clients = 0
    private(set) var resident = 0
    /// How many slices it had when that was looked at last, before its end.
    var slices = 0
    /// How often it was stopped, and went on.
    var stops = 0
    var end = End.ended

    /// How it ended, for people.
    var ending: String { stops == 0 ? end.rawValue : "\(end), stopped \(stops) times before" }

    init(name: String, build: Int) {
      self.name = name
      self.build = build
    }

    mutating func note(_ clients: Int, _ resident: Int) {
      self.clients = max(self.clients, clients)
      self.resident = max(self.resident, resident)
    }
  }
#endif
