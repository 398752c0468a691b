// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium
  import ProsceniumCluster
  import ProsceniumPrimitives
  import ProsceniumStoring
  import Synchronization

  /// A node's connections to the simulated database.
  ///
  /// Each call is one step at a moment of the seed's choice. It can be late, refused, or lost
  /// before or after it took effect; one that was given up can still take effect later.
  final class SimulatedAuthority: ClusterAuthority {
    /// The connections, each for calls of its own.
    enum Line: Int, Sendable, CaseIterable {
      case lane1, lane2, reader, control, beats
    }

    /// Which way the node is cut off from the database.
    struct Cut: OptionSet, Sendable {
      let rawValue: Int
      static let requests = Cut(rawValue: 1)
      static let answers = Cut(rawValue: 2)
    }

    private struct State: Sendable {
      var connections: [Int?] = Line.allCases.map { _ in nil }
      var isBusy = Line.allCases.map { _ in false }
      var node: Int32?
      var run: Int64 = 0
      var cut: Cut = []
      var isMuted = false
      var lastBeat: ClusterBeat?
      var isClosed = false
    }

    private let world: ClusterWorld
    private let name: String
    private let state = Guarded(State())
    private let sealed = Atomic<UInt64>(0)

    init(_ world: ClusterWorld, name: String) {
      self.world = world
      self.name = name
    }

    private var server: DatabaseServer { world.server }

    /// The number under which the process has joined last.
    var node: Int32? { state.withLock { $0.node } }

    private var run: Int64 { state.withLock { $0.run } }

    // MARK: - Faults

    /// Cuts the node off.
    var cut: Cut {
      get { state.withLock { $0.cut } }
      set { state.withLock { $0.cut = newValue } }
    }

    /// Whether signs of life are held back, and the node believes that they were answered.
    var isMuted: Bool {
      get { state.withLock { $0.isMuted } }
      set { state.withLock { $0.isMuted = newValue } }
    }

    /// Ends all connections at once: the process is killed.
    func sever() {
      state.withLock { state in
        state.isClosed = true
        state.connections = Line.allCases.map { _ in nil }
      }
    }

    // MARK: - One call

    private static let failure = StoreError(
      .failed, "the simulated database was not reached, or did not answer.")

    /// What takes effect in one step; it is given what the database was when the call came in.
    private typealias Effect<Value> =
      @Sendable (inout SimulatedDatabase, _ seen: SimulatedDatabase) -> Value

    /// Waits although the task may be cancelled, as a call of a library does.
    private func nap(_ duration: Duration) async {
      await world.nap(duration)
    }

    /// Calls on a connection that there is.
    ///
    /// - Returns: The answer, or nothing if it is not known whether the call took effect.
    private func request<Value: Sendable>(
      on connection: Int, _ change: DatabaseServer.Change, waitsForLock: Bool = false,
      _ body: @escaping Effect<Value>, then: @escaping @Sendable (Value) -> Void = { _ in }
    ) async -> Value? {
      let answer = OneAnswer<Value>()
      let plan = world.drawCall()
      // It goes on when the caller has given up, or is frozen.
      _ = world.spawner.start { [self] in
        await world.sleep(plan.before)
        if cut.contains(.requests) || plan.fate == .lostBefore {
          await world.sleep(plan.isSilent ? ClusterWorld.patience : .zero)
          return answer.give(nil)
        }
        await waitForServer { answer.give(nil) }
        let seen = server.database
        if waitsForLock { await world.sleep(world.drawLockWait()) }
        let value = server.perform(on: connection, change) { body(&$0, seen) }
        if let value { then(value) }
        world.lookAtDatabase()
        await world.sleep(plan.after)
        let isLost =
          cut.contains(.answers) || plan.fate == .lostAfter || !server.isAlive(connection)
        if isLost { await world.sleep(plan.isSilent ? ClusterWorld.patience : .zero) }
        answer.give(isLost ? nil : value)
      }
      return await answer.value()
    }

    /// Waits while the server answers nothing.
    ///
    /// - Parameter giveUp: Lets the caller go on; the call takes effect all the same if its
    ///   connection lives by then.
    private func waitForServer(_ giveUp: () -> Void) async {
      guard let end = server.standstill else { return }
      let left = end - world.now
      await world.sleep(min(left, ClusterWorld.patience))
      if left > ClusterWorld.patience {
        giveUp()
        await world.sleep(left - ClusterWorld.patience)
      }
    }

    /// Calls on a line, on a new connection if it has none or the one that it has is broken.
    private func call<Value: Sendable>(
      _ line: Line, _ change: DatabaseServer.Change = .other, isRepeatable: Bool = true,
      waitsForLock: Bool = false, _ body: @escaping Effect<Value>,
      then: @escaping @Sendable (Value) -> Void = { _ in }
    ) async throws(StoreError) -> Value {
      if world.drawCall().fate == .refused {
        await nap(.milliseconds(1))
        throw Self.failure
      }
      await occupy(line)
      defer { release(line) }
      for attempt in 0..<2 {
        guard !state.withLock({ $0.isClosed }) else { break }
        let known = state.withLock { $0.connections[line.rawValue] }
        let connection = known ?? connect(line)
        if let value = await request(
          on: connection, change, waitsForLock: waitsForLock, body, then: then)
        {
          return value
        }
        state.withLock { $0.connections[line.rawValue] = nil }
        guard known != nil, isRepeatable, attempt == 0 else { break }
      }
      await nap(.milliseconds(1))
      throw Self.failure
    }

    private func connect(_ line: Line) -> Int {
      let connection = server.connect(line, as: node)
      state.withLock { $0.connections[line.rawValue] = connection }
      return connection
    }

    /// Waits for the line's turn.
    private func occupy(_ line: Line) async {
      while true {
        let isFree = state.withLock { state in
          defer { state.isBusy[line.rawValue] = true }
          return !state.isBusy[line.rawValue]
        }
        if isFree { return }
        await nap(.milliseconds(1))
      }
    }

    private func release(_ line: Line) {
      state.withLock { $0.isBusy[line.rawValue] = false }
    }

    // MARK: - Nodes

    func open() async throws(StoreError) -> ClusterFacts {
      try await call(.control) { database, _ in
        ClusterFacts(sliceBits: database.sliceBits, runningTime: database.runningTime)
      }
    }

    func join(_ description: NodeDescription) async throws(StoreError) -> Int32 {
      let (node, run) = try await call(.control) { database, _ in database.join(description) }
      let old = state.withLock { state in
        defer { state.connections = Line.allCases.map { _ in nil } }
        state.node = node
        state.run = run
        state.lastBeat = nil
        return state.connections.compactMap(\.self)
      }
      for connection in old { server.disconnect(connection) }
      world.note("\(name) joins as node \(node)")
      return node
    }

    func beat(as node: Int32) async throws(StoreError) -> ClusterBeat? {
      let (isMuted, last) = state.withLock { ($0.isMuted, $0.lastBeat) }
      if isMuted, let last { return last }
      let beat = try await call(.beats, .beat, isRepeatable: false) { [run] database, _ in
        database.beat(as: node, run)
      }
      state.withLock { $0.lastBeat = beat }
      return beat
    }

    func waitForNews(atMost time: Duration) async -> Bool {
      let map = server.database.map
      await nap(max(.milliseconds(1), world.drawShare(of: time)))
      return !isMuted && cut.isEmpty && server.standstill == nil && server.database.map != map
    }

    func members() async throws(StoreError) -> [ClusterMember] {
      if isMuted { throw Self.failure }
      return try await call(.control) { database, _ in database.members() }
    }

    func map(for node: Int32) async throws(StoreError) -> ClusterMap? {
      try await call(.control) { [run] database, _ in database.map(for: node, run) }
    }

    func claim(upTo count: Int, as node: Int32) async throws(StoreError) {
      try await call(.control) { database, _ in database.claim(upTo: count, as: node) }
    }

    func bury(
      _ victim: Int32, seen beat: Int64, heirs: [Int32]
    ) async throws(StoreError) -> Bool {
      let (world, name) = (world, name)
      let own = state.withLock { $0.connections[Line.control.rawValue] }
      let waits = world.faults.contains(.buriesWithoutLock)
      return try await call(.control, waitsForLock: waits) { database, seen in
        database.bury(
          victim, seen: beat, among: (waits ? seen : database).heirs(of: victim, among: heirs))
      } then: { isBuried in
        if isBuried { world.noteBurial(of: victim, by: name, but: own ?? 0) }
      }
    }

    func handOver(
      _ slices: [Int], from node: Int32, to receiver: Int32
    ) async throws(StoreError) -> Bool {
      if world.refusesGift() { throw Self.failure }
      return try await call(.control) { database, _ in
        database.handOver(slices, from: node, to: receiver)
      }
    }

    func drain(_ node: Int32) async throws(StoreError) {
      try await call(.control) { database, _ in database.drain(node) }
    }

    func calm(_ slices: [Int], as node: Int32) async throws(StoreError) {
      try await call(.control) { database, _ in database.calm(slices, as: node) }
    }

    func leave(_ node: Int32) async throws(StoreError) {
      try await call(.control) { [run] database, _ in database.leave(node, run) }
    }

    // MARK: - Sessions

    func rows(of slices: [Int]) async throws(StoreError) -> [SessionRow] {
      try await call(.reader) { database, _ in database.rows(of: slices) }
    }

    func seal(
      _ state: RawSpan, of session: SessionIdentifier, epoch: UInt32
    ) throws(StoreError) -> [UInt8] {
      let count = sealed.wrappingAdd(1, ordering: .relaxed).newValue
      return SimulatedSeal.bytes(
        unsafe state.withUnsafeBytes { unsafe Array($0) }, version: UInt64(epoch) << 40 | count)
    }

    func version(of sealed: [UInt8]) -> UInt64? { SimulatedSeal.version(of: sealed) }

    func save(
      _ drafts: [SessionDraft], as node: Int32, behind fence: Int32, on lane: Int
    ) async throws(StoreError) -> SaveAnswer {
      let line = lane == 0 ? Line.lane1 : .lane2
      if world.drawCall().fate == .refused { throw Self.failure }
      await occupy(line)
      defer { release(line) }
      guard !state.withLock({ $0.isClosed }) else { throw Self.failure }
      if let connection = state.withLock({ $0.connections[line.rawValue] }) {
        let waits = world.faults.contains(.readsFenceBeforeLock)
        let isSaved = await request(on: connection, .other, waitsForLock: waits) {
          database, seen in
          guard (waits ? seen : database).admits(node, behind: fence) else { return false }
          database.write(drafts, as: node)
          return true
        }
        if let isSaved { return isSaved ? .saved(refused: [:]) : .fenceMoved }
      }
      // What the old connection may still do comes to nothing.
      let connection = connect(line)
      let server = server
      let isMade: Void? = await request(on: connection, .other) { [run] database, _ in
        database.fenceAgain(node, run)
      } then: {
        server.endConnections(of: node, line, but: connection)
      }
      guard isMade != nil else {
        state.withLock { $0.connections[line.rawValue] = nil }
        throw Self.failure
      }
      return .newConnection
    }

    func versions(
      of sessions: [SessionIdentifier], on lane: Int
    ) async throws(StoreError) -> [SessionIdentifier: UInt64] {
      try await call(lane == 0 ? .lane1 : .lane2) { database, _ in
        database.versions(of: sessions)
      }
    }

    func savedStates(
      of sessions: [SessionIdentifier], known: [SessionIdentifier: AcknowledgedState]
    ) async -> [SessionIdentifier: Result<[UInt8]?, StoreError>] {
      var answers: [SessionIdentifier: Result<[UInt8]?, StoreError>] = [:]
      do throws(StoreError) {
        let states = try await call(.reader) { database, _ in
          sessions.map { session in
            let (kept, known) = (database.rows[session], known[session])
            let version = known.flatMap { SimulatedSeal.version(of: $0.sealed) } ?? 0
            let isLost = kept.map { version > $0.version } ?? known?.isOfNewSession ?? false
            return (isLost ? known?.sealed : kept?.sealed).map(SimulatedSeal.state)
          }
        }
        for (session, state) in zip(sessions, states) { answers[session] = .success(state) }
      } catch {
        for session in sessions { answers[session] = .failure(error) }
      }
      return answers
    }

    func setRunningTime(_ milliseconds: Int64, as node: Int32) async throws(StoreError) {
      try await call(.control) { database, _ in
        database.runningTime = max(database.runningTime, milliseconds)
      }
    }

    func close() async {
      sever()
    }
  }

  /// What a call is answered with, or that it is not.
  private final class OneAnswer<Value: Sendable>: Sendable {
    private struct State: Sendable {
      var answer: Value??
      var waiting: CheckedContinuation<Value?, Never>?
    }

    private let state = Guarded(State())

    /// Answers; what comes later is of no account.
    func give(_ value: Value?) {
      let waiting = state.withLock { state -> CheckedContinuation<Value?, Never>? in
        guard state.answer == nil else { return nil }
        state.answer = .some(value)
        defer { state.waiting = nil }
        return state.waiting
      }
      waiting?.resume(returning: value)
    }

    func value() async -> Value? {
      await withCheckedContinuation { continuation in
        let answer = state.withLock { state -> Value?? in
          if state.answer == nil { state.waiting = continuation }
          return state.answer
        }
        if let answer { continuation.resume(returning: answer) }
      }
    }
  }
#endif
