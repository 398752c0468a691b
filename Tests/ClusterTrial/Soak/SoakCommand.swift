// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import ArgumentParser
  import Foundation
  import ProsceniumLocalPostgres
  import ProsceniumPrimitives

  /// Clusters under faults, and the control that must be found.
  struct SoakCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "soak", abstract: "Kills and stops nodes, and looks whether anything was lost.",
      discussion: """
        Several clusters of three nodes run on one private server. Nodes are killed, stopped and \
        muted at random instants and started again; at the end the histories of all nodes and \
        witnesses in the database decide. Then the same is done with a save that leaves the lock \
        out: that must be found.

        EXAMPLES
          cluster-trial soak --kills 20 --stops 20
          cluster-trial soak --clusters 3 --kills 100 --stops 100
        """)

    @Option(help: "How many clusters run at the same time.")
    var clusters = 1

    @Option(help: "How many nodes are killed in each cluster.")
    var kills = 20

    @Option(help: "How many nodes are stopped or muted in each cluster.")
    var stops = 20

    @Option(help: "The lease in seconds.")
    var lease = 1.0

    @Option(help: "The seed of the faults; another one each time unless set.")
    var seed: UInt64 = .random(in: 0 ... .max)

    @Option(help: "How long it goes on at most, in minutes.")
    var minutes = 30.0

    @Flag(inversion: .prefixedNo, help: "Run the control as well.")
    var control = true

    func validate() throws {
      guard (1...16).contains(clusters), (0...10_000).contains(kills),
        (0...10_000).contains(stops), (1...60).contains(lease), (0.1...600).contains(minutes)
      else {
        throw ValidationError("expected 1 to 16 clusters, and a lease of 1 to 60 s")
      }
    }

    func run() async throws {
      say("seed \(seed), lease \(lease) s")
      let server = try await PostgresServer.start(settings: ["fsync": "off"])
      let isHeld = try await soak(on: server)
      let isFound = control ? try await findControl(on: server) : true
      try await server.remove()
      say(isHeld && isFound ? "held" : "violated")
      if !(isHeld && isFound) { throw ExitCode(1) }
    }

    private func soak(on server: PostgresServer) async throws -> Bool {
      let plan = Soak.Plan(
        kills: kills, stops: stops, seed: seed, time: .seconds(minutes * 60))
      let results = try await withThrowingTaskGroup(of: Soak.Result.self) { group in
        for number in 0..<clusters {
          // All at the same time, with faults of their own.
          group.addTask {
            let plan = plan.seeded(number)
            let cluster = try await TrialCluster(on: server, number, lease: lease)
            return try await Soak(plan: plan, cluster: cluster) { result in
              let done = result.kills + result.stops + result.mutes
              if done % 20 == 0 {
                say(
                  "cluster \(number): \(done) of \(plan.kills + plan.stops) faults, "
                    + "\(Int(result.seconds)) s")
              }
            }.run()
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      return report(results)
    }

    private func report(_ results: [Soak.Result]) -> Bool {
      func sum(_ value: (Soak.Result) -> Int) -> Int { results.reduce(0) { $0 + value($1) } }
      let (burials, unexpected) = (sum(\.burials), sum(\.unexpected))
      say("")
      for (name, value) in [
        ("killed", sum(\.kills)), ("stopped", sum(\.stops)), ("muted", sum(\.mutes)),
        ("buried", burials), ("buried and not hurt", unexpected),
        ("acknowledged counts", sum(\.acknowledged)), ("loads of scenes", sum(\.loads)),
        ("messages given", sum(\.messages.given)),
        ("told to be lost", sum(\.messages.lost)),
        ("proven to have come", sum(\.messages.proven)),
      ] {
        say(name.padded(to: 22) + "\(value)".padded(to: 12, isNumber: true))
      }
      let problems = results.flatMap(\.problems)
      for problem in problems.prefix(20) { say("  \(problem)") }
      say(
        "lost, stale, double, missing or backwards: \(problems.count)"
          + (problems.count > 20 ? ", of which 20 are shown" : ""))
      if unexpected * 100 > max(burials, 100) {
        say("the run is void: more than 1 in 100 burials were of nodes that were not hurt")
        return false
      }
      return problems.isEmpty
    }

    private func findControl(on server: PostgresServer) async throws -> Bool {
      let cluster = try await TrialCluster(on: server, clusters, lease: lease)
      let plan = Soak.Plan(
        kills: 0, stops: 1_000, seed: seed, isControl: true, time: .seconds(60))
      let result = try await Soak(plan: plan, cluster: cluster) { _ in }.run()
      say(
        result.problems.isEmpty
          ? "control: a save without the lock was NOT found in \(Int(result.seconds)) s"
          : "control: a save without the lock was found in \(Int(result.seconds)) s")
      return !result.problems.isEmpty
    }
  }
#endif
