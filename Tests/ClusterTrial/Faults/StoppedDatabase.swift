// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import Foundation
  import ProsceniumLocalPostgres

  /// The server is stopped at once, as if it crashed, and is started again after a while.
  struct StoppedDatabase: Fault {
    let name = "the database stopped"

    /// For how long, in leases.
    private static let times = [0.5, 1, 2.5, 5]

    func run(on cluster: TrialCluster) async throws -> FaultOutcome {
      let nodes = try await cluster.nodes(3, making: 20)
      var outcome = FaultOutcome()
      let epochs = try await cluster.sql(Self.epochs)
      for time in Self.times {
        let before = nodes.map { $0.count(of: "goes on") }
        try await cluster.server.stop(mode: .immediate)
        // It is the fault's time.
        try await Task.sleep(for: .seconds(cluster.lease * time))
        try await cluster.server.startAgain()
        let accepting = try cluster.server.lastStart()
        var last = 0.0
        for (node, count) in zip(nodes, before) {
          let served = try await node.wait(for: "goes on", after: count)
          last = max(last, served.timeIntervalSince(accepting))
        }
        outcome.note("\(time.formatted(1)) leases: all serve again after", last, of: 1, "s")
      }
      let burials = try await cluster.burials().values.reduce(0, +)
      let after = try await cluster.sql(Self.epochs)
      outcome.figures.append("\(burials) takeovers")
      if burials > 0 || after != epochs {
        outcome.problems.append("\(burials) nodes were buried, epochs \(epochs) and \(after)")
      }
      for node in nodes { await node.leave() }
      outcome.judge(try await cluster.audit())
      return outcome
    }

    private static let epochs = "SELECT sum(epoch) FROM proscenium.slice"
  }

  extension PostgresServer {
    /// When the server last began to take connections, as its log has it.
    func lastStart() throws -> Date {
      let text = try String(contentsOfFile: log, encoding: .utf8)
      let format = DateFormatter()
      format.locale = Locale(identifier: "en_US_POSIX")
      format.timeZone = TimeZone(identifier: "UTC")
      format.dateFormat = "yyyy-MM-dd HH:mm:ss.SSS"
      let line = text.split(separator: "\n").last { $0.contains("ready to accept connections") }
      guard let line, let date = format.date(from: String(line.prefix(23))) else {
        throw TrialFailure("the log of the server does not say when it was ready")
      }
      return date
    }
  }
#endif
