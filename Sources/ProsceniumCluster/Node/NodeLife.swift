// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import ProsceniumPrimitives

  /// What the tasks of a node tell one another: whether it begins or ends, and what the database
  /// has answered.
  final class NodeLife: Sendable {
    private struct State: Sendable {
      var isBegun = false
      var isEnding = false
      var isAbandoned = false
      /// The last answer to a sign of life, and when that was sent.
      var beat: (answer: ClusterBeat, sent: Duration)?
      var watch: NodeWatch
      /// Since when the nodes are the same, and which they are.
      var members: (numbers: Set<Int32>, since: Duration) = ([], .zero)
      var isAnswered = true
      var isDrained = false
    }

    private let state: Guarded<State>
    /// Wakes what looks at the other nodes, and at what has changed.
    let bell = NodeBell()

    init(lease: Duration) {
      state = Guarded(State(watch: NodeWatch(lease: lease)))
    }

    // MARK: - Begin and end

    var isBegun: Bool { state.withLock { $0.isBegun } }
    var isEnding: Bool { state.withLock { $0.isEnding } }
    var isAbandoned: Bool { state.withLock { $0.isAbandoned } }

    func begin() {
      state.withLock { $0.isBegun = true }
      bell.ring()
    }

    func end() {
      state.withLock { $0.isEnding = true }
      bell.ring()
    }

    /// The end is to be as if the process had ended.
    func abandon() {
      state.withLock { $0.isAbandoned = true }
    }

    /// Forgets what was known under an earlier number.
    func haveJoined(at now: Duration) {
      state.withLock { state in
        state.beat = nil
        state.watch.loseContact()
        state.members = ([], now)
      }
    }

    /// Notes whether the node has given everything away; returns whether it has just done so.
    func note(isDrained: Bool) -> Bool {
      state.withLock { state in
        defer { state.isDrained = isDrained }
        return isDrained && !state.isDrained
      }
    }

    // MARK: - The database's answers

    var beat: (answer: ClusterBeat, sent: Duration)? { state.withLock { $0.beat } }

    func note(_ beat: ClusterBeat, sent: Duration) {
      state.withLock { $0.beat = (beat, sent) }
    }

    /// Nothing is known of the other nodes about the time since.
    func loseContact() {
      state.withLock { $0.watch.loseContact() }
    }

    /// Notes whether the database answers; returns whether it was otherwise before.
    func note(isAnswered: Bool) -> Bool {
      state.withLock { state in
        defer { state.isAnswered = isAnswered }
        return state.isAnswered != isAnswered
      }
    }

    // MARK: - The other nodes

    /// Decides which nodes are dead, and which ones live.
    ///
    /// - Parameters:
    ///   - beats: The counters of the others.
    ///   - asked: When they were asked for.
    ///   - time: How long the answer took.
    /// - Returns: The numbers of the dead, and of those that were seen to live a moment ago.
    func look(
      at beats: [Int32: Int64], asked: Duration, answeredAfter time: Duration
    ) -> (dead: Set<Int32>, alive: Set<Int32>) {
      state.withLock { state in
        if time > state.watch.patience { state.watch.loseContact() }
        return state.watch.look(at: beats, asked)
      }
    }

    /// For how long the nodes have been these.
    func settledTime(of numbers: Set<Int32>, _ now: Duration) -> Duration {
      state.withLock { state in
        if state.members.numbers != numbers { state.members = (numbers, now) }
        return now - state.members.since
      }
    }
  }
#endif
