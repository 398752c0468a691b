// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium
  import ProsceniumCluster
  import ProsceniumPrimitives
  import ProsceniumSimulation

  /// What everything in a simulated cluster shares: the database, the time, and the model.
  final class ClusterWorld: Sendable {
    /// How a call goes.
    struct CallPlan: Sendable {
      enum Fate: Sendable {
        case answered, refused, lostBefore, lostAfter
      }

      var fate: Fate
      var before: Duration
      var after: Duration
      /// Whether the caller finds out by waiting that it was lost.
      var isSilent: Bool
    }

    /// How long a call may take.
    static let patience = Duration.seconds(2)

    let options: ClusterOptions
    let executor: SeededExecutor
    let spawner: Spawner
    let server: DatabaseServer
    private let random: Guarded<SplitMix64>
    private let model: Guarded<ClusterModel>
    private let trace: Guarded<[String]?>
    private let calm = Guarded(false)
    private let over = Guarded(false)
    private let nodes = Guarded<[NodeLife]>([])
    private let networks = Guarded<[String: SimulatedNetwork]>([:])
    /// How many of the next gifts of slices are refused.
    let refusedGifts = Guarded(0)
    private let cuts = Guarded<Set<Set<String>>>([])

    init(seed: UInt64, _ options: ClusterOptions, _ executor: SeededExecutor, isTraced: Bool) {
      self.options = options
      self.executor = executor
      spawner = Spawner(executor: executor)
      let clock = executor.clock
      var database = SimulatedDatabase(sliceBits: options.sliceBits)
      database.faults = options.planted
      server = DatabaseServer(database) { clock.now.offset }
      random = Guarded(SplitMix64(seed: seed, stream: 2))
      model = Guarded(ClusterModel(options))
      trace = Guarded(isTraced ? [] : nil)
    }

    var faults: Set<PlantedFault> { options.planted }
    var now: Duration { executor.clock.now.offset }

    /// Whether there are no faults any more.
    var isCalm: Bool {
      get { calm.withLock { $0 } }
      set { calm.withLock { $0 = newValue } }
    }

    /// Whether clients are to end.
    var isOver: Bool {
      get { over.withLock { $0 } }
      set { over.withLock { $0 = newValue } }
    }

    // MARK: - What is told

    /// Tells the model something.
    @discardableResult
    func tell<Value: Sendable>(_ body: (inout ClusterModel) -> Value) -> Value {
      model.withLock { model in
        model.now = now
        return body(&model)
      }
    }

    /// Takes a line down, if it is to be read.
    func note(_ line: @autoclosure () -> String) {
      trace.withLock { trace in
        guard trace != nil else { return }
        trace?.append("\(executor.steps) \(now): \(line())")
      }
    }

    var lines: [String] { trace.withLock { $0 ?? [] } }

    // MARK: - What is drawn

    func draw<Value: Sendable>(_ body: (inout SplitMix64) -> Value) -> Value {
      random.withLock { body(&$0) }
    }

    func number(below bound: Int) -> Int { draw { $0.number(below: bound) } }

    /// A time from nothing up to a bound, in whole microseconds.
    func drawShare(of time: Duration) -> Duration {
      .microseconds(number(below: Int(time / .microseconds(1)) + 1))
    }

    func drawCall() -> CallPlan {
      let isCalm = isCalm
      return draw { random in
        var plan = CallPlan(
          fate: .answered, before: .microseconds(random.number(below: 2_000)),
          after: .microseconds(random.number(below: 2_000)), isSilent: false)
        if isCalm { return plan }
        if random.happens(perThousand: 200) {
          let most = Int(options.callTime / .microseconds(1))
          plan.before += .microseconds(random.number(below: most))
          plan.after += .microseconds(random.number(below: most))
        }
        guard random.happens(perThousand: options.lostCalls) else { return plan }
        plan.fate = [.refused, .lostBefore, .lostAfter][random.number(below: 3)]
        plan.isSilent = random.happens(perThousand: 300)
        return plan
      }
    }

    /// Whether the next gift of slices is refused.
    func refusesGift() -> Bool {
      refusedGifts.withLock { count in
        defer { count = max(0, count - 1) }
        return count > 0
      }
    }

    /// How long a call waits for a lock that others hold.
    func drawLockWait() -> Duration { drawShare(of: options.lease) }

    // MARK: - Time

    /// Waits; only for tasks that nothing cancels.
    func sleep(_ duration: Duration) async {
      if duration > .zero { try? await executor.clock.sleep(for: duration) }
    }

    /// Waits although the task may be cancelled.
    func nap(_ duration: Duration) async {
      guard duration > .zero else { return }
      let clock = executor.clock
      _ = await spawner.start { try await clock.sleep(for: duration) }.result
    }

    /// How long something is on its way from one node to another one.
    func drawLinkTime() -> Duration { .microseconds(number(below: isCalm ? 500 : 5_000)) }

    // MARK: - Nodes

    /// The connections of the node at an address.
    func network(at address: String) -> SimulatedNetwork? {
      networks.withLock { $0[address] }
    }

    /// Lets others reach a node at an address.
    func listen(at address: String, _ network: SimulatedNetwork) {
      networks.withLock { $0[address] = network }
    }

    /// Whether two nodes do not reach one another.
    func isCut(_ one: String, _ other: String) -> Bool {
      cuts.withLock { $0.contains([one, other]) }
    }

    /// Lets two nodes not reach one another for a time.
    func cut(_ one: NodeLife, _ other: NodeLife, for time: Duration) async {
      note("\(one.name) and \(other.name) do not reach one another for \(time)")
      cuts.withLock { _ = $0.insert([one.name, other.name]) }
      one.network.breakLines()
      await sleep(time)
      cuts.withLock { _ = $0.remove([one.name, other.name]) }
    }

    var lives: [NodeLife] { nodes.withLock { $0 } }

    func enter(_ life: NodeLife) { nodes.withLock { $0.append(life) } }

    func remove(_ life: NodeLife) { nodes.withLock { $0.removeAll { $0 === life } } }

    // MARK: - Looks

    /// Looks at what the database has done, and at what the nodes believe.
    func lookAtDatabase() {
      let findings = server.takeFindings()
      if !findings.isEmpty { tell { $0.findings += findings } }
      lookAtBeliefs()
    }

    /// Looks whether a node believes that it serves what another one does.
    func lookAtBeliefs() {
      let database = server.database
      let isNew = tell { model in
        defer { model.slices = database.slices }
        return model.slices != database.slices
      }
      if isNew { note("slices are those of \(database.slices.map { $0.owner ?? 0 })") }
      var believers = [[NodeLife]](repeating: [], count: database.slices.count)
      for life in lives {
        let served = life.served
        if !served.isEmpty { lookAtEpochs(of: served, life, database) }
        for slice in served { believers[slice].append(life) }
      }
      for (slice, believers) in believers.enumerated() where believers.count > 1 {
        tell { model in
          guard !model.isAmbiguous else { return }
          model.find("slice \(slice) is served by \(believers.map(\.name))")
        }
      }
    }

    /// Looks whether slices are another node's in the epochs in which one serves them.
    private func lookAtEpochs(of served: [Int], _ life: NodeLife, _ database: SimulatedDatabase) {
      let number = life.number
      for slice in served where database.slices[slice].owner != number {
        let own = life.epoch(of: slice) ?? 0
        guard own == database.slices[slice].epoch else { continue }
        tell { model in
          guard !model.isUnsettled else { return }
          model.find(
            "\(life.name), node \(number ?? 0), serves slice \(slice) in epoch \(own), which is"
              + " that of node \(database.slices[slice].owner ?? 0)")
        }
      }
    }

    /// Takes note of a burial.
    func noteBurial(of victim: Int32, by name: String, but own: Int) {
      server.endConnections(of: victim, nil, but: own)
      let silence = server.silence(of: victim)
      note("\(name) buries node \(victim), silent for \(silence.map { "\($0)" } ?? "ever")")
      let database = server.database
      let isWell = lives.contains { $0.authority.node == victim && $0.isWell }
      tell { model in
        model.noteBurial(of: victim, database)
        // One that is ill, or ends, may be buried early: what counts is that it could be heard of.
        // A database that does not answer for less than two fifths of a lease breaks no contact,
        // and that time is no part of the silence.
        if isWell, let silence, silence < options.lease / 2, !model.isUnsettled {
          model.find("node \(victim) was well, and was buried \(silence) after it was heard of")
        }
      }
    }
  }
#endif
