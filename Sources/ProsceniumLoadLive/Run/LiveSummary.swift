// SPDX-License-Identifier: Apache-2.0

#if Live && Complete
  import NIOCore
  import ProsceniumLoad
  import ProsceniumLoadNodes

  /// What a run came to.
  struct LiveSummary: Sendable {
    /// What was seen in a second, or in a shorter time during an outage.
    struct Sample: Sendable {
      let time: Double
      let seconds: Double
      let tally: ClientTally
      let attached: Int
      /// How many clients each node has, by its name.
      let attachedAt: [String: Int]
      let resident: Int
    }

    /// What became of a kill, or of a stop past the lease.
    struct Outage: Sendable {
      let host: String
      let kind: NodeStrike
      /// When it was, in seconds since counting began.
      let begun: Double
      /// How many clients it was one of.
      var clients = 0
      /// After how long another host could be connected to, or the one that was stopped went on.
      var servedAfter = 0.0
      /// After how long all clients were attached: in seconds since the kill, or since the host
      /// went on.
      var attachedAfter: Double?
      /// When all inputs that were held up were acknowledged.
      var confirmedAfter: Double?

      init(of host: String, _ kind: NodeStrike, begun: Double) {
        self.host = host
        self.kind = kind
        self.begun = begun
      }

      /// What is said of it in a sentence, with its number among all.
      func name(_ number: Int) -> String { "\(kind) \(number + 1)" }
    }

    /// How long it took until a node had given its sessions away and had ended.
    struct Drain: Sendable {
      let name: String
      let seconds: Double
    }

    let plan: LivePlan
    var attachSeconds = 0.0
    var seconds = 0.0
    var outages: [Outage] = []
    var drains: [Drain] = []
    var deploy: (seconds: Double, moves: SliceMoves)?
    /// The processes that served the clients.
    var lives: [NodeLife] = []
    var violations: [String] = []
    var isInterrupted = false
    /// The same rate to a server that sends back what it gets, if that was measured.
    var floor: LatencyHistogram?
    private(set) var samples: [Sample] = []
    private(set) var tally = ClientTally()

    init(_ plan: LivePlan) {
      self.plan = plan
    }

    /// Adds what clients have seen.
    mutating func note(_ tally: ClientTally) {
      self.tally.add(tally)
    }

    /// Adds what clients have seen while everything was shown again: the resets are asked for.
    mutating func noteVerification(_ tally: ClientTally) {
      var tally = tally
      tally.resets = [:]
      tally.undueResets = [:]
      note(tally)
    }

    /// Adds what was seen until now.
    mutating func sample(_ reading: ClientReading, _ resident: Int, at time: Double) -> Sample {
      note(reading.tally)
      let sample = Sample(
        time: time, seconds: time - (samples.last?.time ?? 0), tally: reading.tally,
        attached: reading.attached, attachedAt: reading.attachedAt, resident: resident)
      samples.append(sample)
      return sample
    }

    // MARK: - The verdict

    /// Why the promises did not hold; empty if they did.
    var reasons: [String] {
      var reasons = violations + tally.sentences
      // A client that comes back within the grace period goes on, and one whose session moves; a
      // launch is an epoch, and so is another owner after a death.
      for (reset, count) in tally.undueResets.sorted(by: { $0.key < $1.key }) {
        reasons.append("\(count) resets '\(reset)' that no kill explains")
      }
      for (number, outage) in outages.enumerated() {
        if outage.attachedAfter ?? .infinity > LiveRun.attachLimit {
          reasons.append(
            "after \(outage.name(number)) not all were attached in \(LiveRun.attachLimit) s")
        }
        if outage.confirmedAfter ?? .infinity > LiveRun.outageLimit {
          reasons.append(
            "after \(outage.name(number)) input was not confirmed in \(LiveRun.outageLimit) s")
        }
      }
      if let mean = deploy?.moves.mean, mean > SliceMoves.limit {
        reasons.append(
          "a slice has moved \(NumberText.fixed(mean, places: 2)) times on average, at most"
            + " \(SliceMoves.limit) are due")
      }
      // An event loop that is stopped between its look and its write writes when it goes on.
      let lateLimit = stops * System.coreCount
      if tally.late > lateLimit {
        reasons.append(
          "nodes whose sessions others had taken over spoke to \(tally.late) clients, at most"
            + " \(lateLimit) are due: " + tally.lateSentences.joined(separator: ", "))
      }
      if tally.sent != tally.acknowledged {
        reasons.append("\(tally.sent) inputs were sent, \(tally.acknowledged) acknowledged")
      }
      return reasons
    }

    var verdict: String {
      if !reasons.isEmpty { return "violated: " + reasons.joined(separator: "; ") }
      return isInterrupted ? "held, stopped early" : "held"
    }

    // MARK: - For people

    var text: String {
      (isInterrupted ? "stopped early: what follows is about what ran until then\n" : "")
        + "\(figures.table)\n\(hostTable)\(outageTable)\(moveTable)\(columns.table())"
    }

    /// Every figure about the whole run, but for the latencies.
    var figures: [SummaryFigure] {
      let isCluster = plan.cluster != nil
      return [
        .init(nil, "complete", isInterrupted ? 0 : 1),
        .init("clients", "clients", plan.clients),
        .init("attached in", nil, attachSeconds, text: NumberText.duration(attachSeconds)),
        .init("duration", "time", seconds, .seconds, text: NumberText.duration(seconds)),
        .init("inputs sent", "events_sent", tally.sent),
        .init("inputs acknowledged", "events_delivered", tally.acknowledged),
        .init("rate", "events_sent_per_second", rate, .perSecond, text: NumberText.rate(rate)),
        .init("lines broken", "lines_broken", tally.breaks),
        .init("lines resumed", "lines_resumed", tally.resumed),
        .init(isCluster ? "lines moved" : nil, isCluster ? "lines_moved" : nil, tally.moves),
        .init("tabs hidden", "tabs_hidden", tally.hides),
        .init(nil, "kills", outages.count { $0.kind == .kill }),
        .init(nil, isCluster ? "stops" : nil, stops),
        .init(
          stops > 0 ? "told late by a stopped node" : nil, isCluster ? "late_clients" : nil,
          tally.late),
        .init(nil, "deploy_time", deploy?.seconds, .seconds),
        .init(nil, "slice_moves_mean", deploy?.moves.mean),
        .init(nil, "slice_moves_most", deploy.map { Double($0.moves.highest) }),
        .init(nil, "violations", violations.count + tally.violations),
      ]
        + tally.resets.sorted { $0.key < $1.key }.map { .init("resets: \($0.key)", nil, $0.value) }
        + tally.ends.sorted { $0.key < $1.key }.map { .init("ended: \($0.key)", nil, $0.value) }
        + [.init("resident at most", "resident", Double(resident), .bytes)]
    }

    private var stops: Int { outages.count { $0.kind == .stop } }

    var rate: Double { seconds > 0 ? Double(tally.sent) / seconds : 0 }
    var resident: Int { samples.map(\.resident).max() ?? 0 }

    private var hostTable: String {
      guard plan.cluster != nil else { return "" }
      var table = TextTable([.left] + Array(repeating: .right, count: 6))
      table.add(
        "node", "build", "lived", "clients at most", "slices at last", "resident at most", "end")
      for life in lives {
        table.add(
          life.name, "\(life.build)", NumberText.duration(life.lived(until: seconds)),
          NumberText.grouped(life.clients), NumberText.grouped(life.slices),
          NumberText.bytes(life.resident), life.ending)
      }
      return "\(table)\n"
    }

    private var outageTable: String {
      if outages.isEmpty { return "" }
      var table = TextTable([.left] + Array(repeating: .right, count: 5))
      table.add("after", "", "clients", "served", "all attached", "all confirmed")
      for (number, outage) in outages.enumerated() {
        table.add(
          outage.name(number), outage.host, NumberText.grouped(outage.clients),
          NumberText.duration(outage.servedAfter),
          outage.attachedAfter.map(NumberText.duration) ?? "-",
          outage.confirmedAfter.map(NumberText.duration) ?? "-")
      }
      return "\(table)\n"
    }

    private var moveTable: String {
      if drains.isEmpty { return "" }
      var table = TextTable([.left, .right])
      for drain in drains {
        table.add("drain of \(drain.name)", NumberText.duration(drain.seconds))
      }
      if let deploy {
        table.add("the whole deploy", NumberText.duration(deploy.seconds))
        table.add("moves of a slice, mean", NumberText.fixed(deploy.moves.mean, places: 2))
        table.add("moves of the one that moved most", "\(deploy.moves.highest)")
      }
      return "\(table)\n"
    }

    var columns: [LatencyColumn] {
      var columns = [("line held", tally.steady), ("line lost", tally.interrupted)]
      if plan.cluster != nil { columns.append(("moved", tally.moved)) }
      columns.append(("outage", tally.outage))
      if let floor { columns.append(("echo", floor)) }
      return columns.map { LatencyColumn($0, ["line": $0], $1) }
    }
  }
#endif
