// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium
  import ProsceniumCluster

  /// The last number of each client that a session has taken.
  struct ClientCounts: Sendable, Equatable {
    var numbers: [Int: Int] = [:]

    init() {}

    init?(_ text: String) {
      for pair in text.split(separator: ",") {
        let words = pair.split(separator: ":").compactMap { Int($0) }
        guard words.count == 2 else { return nil }
        numbers[words[0]] = words[1]
      }
    }

    var text: String {
      numbers.sorted { $0.key < $1.key }.map { "\($0):\($1)" }.joined(separator: ",")
    }

    /// The clients whose number is lower than in what must be there.
    func missing(_ expected: ClientCounts) -> [Int] {
      expected.numbers.filter { numbers[$0.key] ?? 0 < $0.value }.keys.sorted()
    }

    mutating func raise(_ client: Int, to number: Int) {
      numbers[client] = max(numbers[client] ?? 0, number)
    }
  }

  /// What must hold in a cluster, and what was found that does not.
  struct ClusterModel: Sendable {
    private struct Place: Hashable, Sendable {
      let slice: Int
      let epoch: UInt32
    }

    private struct Delivery: Hashable, Sendable {
      let client: Int
      let number: Int
    }

    /// What is known of a session.
    private struct Session: Sendable {
      /// What callers were told that it is durable.
      var acknowledged = ClientCounts()
      /// What was delivered, in this epoch of its slice and since so many roll-backs.
      var delivered: [Delivery: (epoch: UInt32, rollBacks: Int, life: String)] = [:]
      /// The last number of each client that was delivered, by any node.
      var last = ClientCounts()
      /// The last epoch in which anything was delivered, and since how many roll-backs.
      var latest: (epoch: UInt32, rollBacks: Int) = (0, 0)
      /// Who has acknowledged last.
      var witness: String?
      var excuse: Excuse?
    }

    /// What a roll-back may have cost a session.
    private struct Excuse: Sendable {
      /// What was delivered before it.
      var before: ClientCounts
      /// Who is to tell.
      var witness: String?
      var isTold = false
    }

    /// A message of a session.
    private struct Accepted: Sendable, Hashable {
      let session: SessionIdentifier
      let delivery: Delivery
    }

    /// What was accepted, neither delivered nor told as lost, and when it was.
    private var accepted: [Accepted: Duration] = [:]
    private var lastTrouble = Duration.zero

    let options: ClusterOptions
    var now = Duration.zero
    var findings: [String] = []
    /// Who owns what, as of the last look.
    var slices: [ClusterMap.Slice] = []
    private var deaths: [Int: Int] = [:]
    private var sessions: [SessionIdentifier: Session] = [:]
    private var acknowledgers: [Place: Set<Int32>] = [:]
    private var rollBacks = 0
    private var unsettledUntil = Duration.zero
    private var ambiguousUntil = Duration.zero
    /// The losses that still have to be told, with who is to.
    private var untold: [SessionIdentifier: String] = [:]
    /// Who need not tell anything any more.
    private var silenced: Set<String> = []
    private var content = ContentModel()
    private var clients = 0
    private(set) var acknowledgements = 0
    private(set) var loads = 0
    private(set) var burials = 0
    private(set) var losses = 0

    init(_ options: ClusterOptions) {
      self.options = options
    }

    mutating func find(_ finding: String) {
      findings.append("\(now): \(finding)")
    }

    /// The sessions of which something is durable.
    var known: [SessionIdentifier] { sessions.filter { $0.value.witness != nil }.keys.sorted() }

    /// Whether the database has gone back a short time ago, so that nodes may believe what is not
    /// so any more.
    var isUnsettled: Bool { now < unsettledUntil }

    /// Whether something was done behind the nodes' backs a short time ago.
    var isAmbiguous: Bool { now < ambiguousUntil || isUnsettled }

    /// Notes that nodes may serve for a while what is another's by now.
    mutating func beginAmbiguity(_ time: Duration) {
      ambiguousUntil = max(ambiguousUntil, now + time)
    }

    /// The number of the next client.
    mutating func nextClient() -> Int {
      clients += 1
      return clients
    }

    // MARK: - Sessions

    /// A scene was connected with what was saved.
    mutating func load(_ session: SessionIdentifier, _ counts: ClientCounts, by life: String) {
      loads += 1
      guard var known = sessions[session] else { return }
      for client in counts.missing(known.acknowledged) {
        let wanted = known.acknowledged.numbers[client] ?? 0
        if let excuse = known.excuse, excuse.before.numbers[client] ?? 0 >= wanted {
          if !excuse.isTold, let witness = excuse.witness { untold[session] = witness }
          losses += 1
        } else {
          find(
            "\(life) loads session \(session) with \(counts.text), and \(client):\(wanted) was"
              + " acknowledged")
        }
      }
      // What is lost is lost; what is there beyond it need not be durable yet.
      for client in counts.missing(known.acknowledged) {
        known.acknowledged.numbers[client] = counts.numbers[client]
      }
      sessions[session] = known
    }

    /// A message was delivered.
    mutating func deliver(
      _ session: SessionIdentifier, _ client: Int, _ number: Int, epoch: UInt32, by life: String
    ) {
      var known = sessions[session] ?? Session()
      let delivery = Delivery(client: client, number: number)
      if let last = known.last.numbers[client],
        isUndone(Delivery(client: client, number: last), of: known, epoch, life)
      {
        known.last.numbers[client] = nil
      }
      if let before = known.delivered[delivery] {
        find("\(life) is given \(client):\(number) of \(session), as \(before.life) was")
      } else if known.latest.rollBacks == rollBacks, known.latest.epoch > epoch {
        // A node that was buried runs on until it sees that; what it does has no effect.
      } else if let last = known.last.numbers[client], last > number {
        find("\(life) is given \(client):\(number) of \(session) after \(client):\(last)")
      }
      known.last.raise(client, to: number)
      if known.latest.rollBacks != rollBacks || known.latest.epoch < epoch {
        known.latest = (epoch, rollBacks)
      }
      known.delivered[delivery] = (epoch, rollBacks, life)
      accepted[Accepted(session: session, delivery: delivery)] = nil
      sessions[session] = known
    }

    /// Whether a message was delivered by an owner that there has never been, as the database has
    /// it by now: another one goes on with what it was sent before.
    private func isUndone(
      _ delivery: Delivery, of session: Session, _ epoch: UInt32, _ life: String
    ) -> Bool {
      guard let before = session.delivered[delivery], before.rollBacks < rollBacks else {
        return false
      }
      return before.epoch > epoch || before.epoch == epoch && before.life != life
    }

    /// A message was taken whose sender waits for nothing.
    mutating func accept(_ session: SessionIdentifier, _ client: Int, _ number: Int) {
      let delivery = Delivery(client: client, number: number)
      if sessions[session]?.delivered[delivery] == nil {
        accepted[Accepted(session: session, delivery: delivery)] = now
      }
    }

    /// A node tells that a message is lost that it has accepted.
    mutating func tellLoss(of message: String, _ session: SessionIdentifier) {
      let words = message.split(separator: " ").compactMap { Int($0) }
      guard words.count == 2 else { return }
      let delivery = Delivery(client: words[0], number: words[1])
      accepted[Accepted(session: session, delivery: delivery)] = nil
    }

    /// Something has happened that costs what a node has accepted, and no one can tell of it.
    mutating func noteTrouble() { lastTrouble = now }

    /// A caller was told that a message is durable.
    mutating func acknowledge(
      _ session: SessionIdentifier, _ client: Int, _ number: Int, by life: String, _ node: Int32?
    ) {
      acknowledgements += 1
      guard var known = sessions[session],
        let delivery = known.delivered[Delivery(client: client, number: number)]
      else { return find("\(life) acknowledges \(client):\(number), which was not delivered") }
      known.acknowledged.raise(client, to: number)
      known.witness = delivery.life
      sessions[session] = known
      // Another one's sender is told by its own node.
      guard delivery.life == life, delivery.rollBacks == rollBacks, let node else { return }
      let place = Place(
        slice: Int(session.high >> UInt64(64 - options.sliceBits)), epoch: delivery.epoch)
      acknowledgers[place, default: []].insert(node)
      if let nodes = acknowledgers[place], nodes.count > 1 {
        find(
          "in slice \(place.slice) and epoch \(place.epoch) the nodes \(nodes.sorted())"
            + " acknowledge")
      }
    }

    /// A node denies a session that it serves.
    mutating func deny(_ session: SessionIdentifier, by life: String) {
      guard let known = sessions[session], known.witness != nil, known.excuse == nil else {
        return
      }
      find("\(life) denies session \(session), which it serves")
    }

    // MARK: - Events

    var events: Int { content.count }

    /// An event was delivered.
    mutating func deliver(
      event: String, to session: SessionIdentifier, showing url: String, by life: String,
      _ rows: [SessionIdentifier]
    ) {
      // What a roll-back has undone may be made again before all nodes have seen that.
      let finding = content.deliver(event, to: session, url, by: life, isUnsettled ? [] : rows)
      if let finding { find(finding) }
    }

    /// The sender of an event has its answer: the session, or the refusal.
    mutating func answer(_ event: String, _ result: Result<SessionIdentifier, SceneError>) {
      switch result {
      case .success(let session): if let finding = content.answer(event, session) { find(finding) }
      case .failure(let error):
        switch error.code {
        case .outcomeUnknown, .notDurable: break
        case .sessionNotOpen, .servedElsewhere: find("\(event): \(error)")
        default: if let finding = content.refuse(event) { find(finding) }
        }
      }
    }

    // MARK: - Roll-backs

    /// The database has gone back.
    mutating func rollBack(_ before: SimulatedDatabase, _ after: SimulatedDatabase) {
      rollBacks += 1
      noteTrouble()
      unsettledUntil = now + options.lease * 2 + .seconds(5)
      acknowledgers = [:]
      for (number, slice) in after.slices.enumerated() { deaths[number] = slice.deaths }
      for session in Set(before.rows.keys).union(after.rows.keys) {
        guard before.rows[session]?.version != after.rows[session]?.version else { continue }
        // What it had in excuse of an earlier roll-back holds as well.
        guard var known = sessions[session] else { continue }
        known.excuse = Excuse(before: ClientCounts(), witness: known.witness)
        for (delivery, _) in known.delivered {
          known.excuse?.before.raise(delivery.client, to: delivery.number)
        }
        sessions[session] = known
      }
    }

    /// A node tells that something is lost of a session.
    mutating func tellLoss(of session: SessionIdentifier) {
      sessions[session]?.excuse?.isTold = true
      untold[session] = nil
    }

    /// A process has ended, or lost its slices: it has nothing to tell any more.
    mutating func silence(_ life: String) {
      silenced.insert(life)
    }

    // MARK: - Burials

    mutating func noteBurial(of victim: Int32, _ database: SimulatedDatabase) {
      noteTrouble()
      burials += 1
      for (number, slice) in slices.enumerated() where slice.owner == victim {
        deaths[number, default: 0] += 1
      }
      let living = Set(database.nodes.filter { !$0.value.isDead }.keys)
      for (number, slice) in database.slices.enumerated() {
        if let owner = slice.owner, !living.contains(owner), !living.isEmpty {
          find("slice \(number) is left with node \(owner), which is dead")
        }
        if slice.deaths != deaths[number] ?? 0 {
          find("slice \(number) has \(slice.deaths) deaths of \(deaths[number] ?? 0)")
        }
      }
    }

    /// An operator has released a slice.
    mutating func release(_ slice: Int) {
      deaths[slice] = 0
    }

    /// Whether a slice is to be parked.
    func isParked(_ slice: Int) -> Bool { deaths[slice] ?? 0 >= options.deathLimit }

    // MARK: - The end

    /// Nothing happens any more.
    ///
    /// - Parameter rows: The sessions that the database has.
    mutating func finish(_ rows: Set<SessionIdentifier>) {
      for session in known where !rows.contains(session) && sessions[session]?.excuse == nil {
        find("session \(session) is gone")
      }
      for (session, witness) in untold.sorted(by: { $0.key < $1.key })
      where !silenced.contains(witness) {
        find("\(witness) does not tell that what was acknowledged of session \(session) is lost")
      }
      // What an owner has taken goes with it if it dies.
      for (message, time) in accepted where time > lastTrouble {
        find(
          "\(message.delivery.client):\(message.delivery.number) of \(message.session), accepted at"
            + " \(time), was neither delivered nor told as lost")
      }
    }
  }
#endif
