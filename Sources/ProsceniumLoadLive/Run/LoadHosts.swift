// SPDX-License-Identifier: Apache-2.0

#if Live && Complete
  import ProsceniumLoadNodes

  /// The processes that serve the clients: a host with its store in a file, or the nodes of a
  /// cluster.
  struct LoadHosts: Sendable {
    private let plan: LivePlan
    private let folder: String
    /// The address of the nodes' database; nil for a host with its store in a file.
    private let database: String?
    let fleet: NodeFleet
    /// Where they were, by their names: one of the same name is at the same port.
    private(set) var places: [HostPlace] = []

    init(_ plan: LivePlan, folder: String, database: String?) {
      self.plan = plan
      self.folder = folder
      self.database = database
      fleet = NodeFleet(database: database, logs: database.map { _ in folder })
      fleet.begin()
    }

    /// The names with which a run begins.
    static func names(_ count: Int?) -> [String] {
      count.map { (1...$0).map { "node\($0)" } } ?? ["host"]
    }

    /// Starts processes at once, and waits until all can be connected to.
    mutating func start(_ names: [String], build: Int32) async throws {
      let nodes = try names.map { try fleet.launch($0, build: build, arguments($0, build)) }
      for node in nodes {
        let place = HostPlace(name: node.name, port: try await node.process.port())
        places.removeAll { $0.name == node.name }
        places.append(place)
      }
    }

    private func arguments(_ name: String, _ build: Int32) -> [String] {
      let port = places.first { $0.name == name }?.port ?? 0
      let all = [
        "serve", "--port", "\(port)", "--folder", folder, "--durability", plan.durability.rawValue,
      ]
      guard let database else { return all }
      return all + [
        "--database", database, "--name", name, "--build", "\(build)",
        "--lease", "\(plan.nodes.lease)",
      ]
    }

    /// Notes how many clients each has; returns how many bytes of their memory are resident.
    func note(_ attached: [String: Int]) -> Int {
      fleet.living.reduce(0) { resident, node in
        node.note(clients: attached[node.name] ?? 0)
        return resident + node.measure()
      }
    }
  }
#endif
