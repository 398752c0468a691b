// SPDX-License-Identifier: Apache-2.0

#if Live
  import NIOCore
  import NIOWebSocket
  import ProsceniumClientProtocol
  import ProsceniumPrimitives

  /// A connection of a browser: what its event loop, its task and the patrol share.
  final class LiveConnection: Sendable {
    /// How many messages wait for a task before no more are read from the socket.
    private static let incomingLimit = 16
    /// How many wait for the event loop before no more are made.
    private static let outgoingLimit = 64

    fileprivate enum Outgoing: Sendable {
      case text([UInt8])
      /// What only the one may say that serves the session.
      case ofSession([UInt8])
      case ping
      case close(CloseCode)

      var isOfSession: Bool {
        if case .ofSession = self { true } else { false }
      }
    }

    fileprivate struct State: Sendable {
      var times: ConnectionTimes
      var rate = MessageRate()
      var conversation: ClientConversation?
      var incoming: [[UInt8]] = []
      /// So many wait that no more are read until most of them are taken.
      var isFull = false
      /// Whether the socket is read, as was set last.
      var isReading = true
      var outgoing: [Outgoing] = []
      var isFlushDue = false
      var isWritable = true
      /// Nothing more is read or written.
      var isEnded = false
      /// Whether a task has the line, and whether something has happened since it looked.
      var isInHand = false
      var isDue = false

      /// Whether the socket is to be read: not while what it brings waits, nor while answers do.
      var reads: Bool { !isFull && isWritable }

      var hasRoom: Bool { isWritable && outgoing.count < LiveConnection.outgoingLimit }
    }

    let channel: any Channel
    private let clock: ServerClock
    private let jobs: AsyncStream<LiveJob>.Continuation
    private let mayServe: @Sendable () -> Bool
    private let state: Guarded<State>

    /// - Parameters:
    ///   - channel: Its socket.
    ///   - clock: The time by which it ends.
    ///   - jobs: Takes what its task does.
    ///   - mayServe: Whether the application may serve sessions now.
    init(
      _ channel: any Channel, _ clock: ServerClock, _ jobs: AsyncStream<LiveJob>.Continuation,
      mayServe: @escaping @Sendable () -> Bool
    ) {
      self.channel = channel
      self.clock = clock
      self.jobs = jobs
      self.mayServe = mayServe
      state = Guarded(State(times: ConnectionTimes(now: clock.seconds)))
    }

    // MARK: - Turns

    // A line that waits has no task: ten thousand of them would take more memory than all else.

    /// Something has happened that the line's task has to look at.
    func wake() {
      let isIdle = state.withLock { state -> Bool in
        state.isDue = true
        guard state.conversation != nil, !state.isInHand else { return false }
        state.isInHand = true
        return true
      }
      if isIdle { jobs.yield(.line(self)) }
    }

    /// Whether something has happened since a task asked last; otherwise the task is over.
    func beginTurn() -> Bool {
      state.withLock { state in
        defer { state.isDue = false }
        if !state.isDue { state.isInHand = false }
        return state.isDue
      }
    }

    /// The conversation over the line, while the connection lasts.
    var conversation: ClientConversation? { state.withLock { $0.conversation } }

    /// Takes the conversation away, since it has ended.
    func takeConversation() -> ClientConversation? {
      state.withLock { state in
        defer { state.conversation = nil }
        return state.conversation
      }
    }

    // MARK: - What has come

    /// Notes that something has come from the other side.
    func hear() {
      state.withLock { $0.times.hear(clock.seconds) }
    }

    /// The connection is a line from now on.
    func becomeLine(_ conversation: ClientConversation, until expiry: UInt64) {
      state.withLock { state in
        state.times.becomeLine(clock.seconds, date: clock.date, until: expiry)
        state.conversation = conversation
      }
    }

    /// Takes a message that has come; called on the event loop.
    ///
    /// - Returns: Why the connection has to end, if it has.
    func receive(_ message: [UInt8], rate: Int) -> RefusalCause? {
      let now = clock.elapsed()
      defer { updateReads() }
      let cause = state.withLock { state -> RefusalCause? in
        state.times.hear(clock.seconds(of: now))
        if state.rate.isExceeded(at: now, rate: rate) { return .tooFast }
        if state.isEnded { return nil }
        state.incoming.append(message)
        if state.incoming.count >= Self.incomingLimit { state.isFull = true }
        return nil
      }
      if cause == nil { wake() }
      return cause
    }

    /// The next message, in the order in which they came; nil if there is none now.
    func takeMessage() -> [UInt8]? {
      state.withLock { state in
        if state.isFull, state.incoming.count <= Self.incomingLimit / 4 {
          state.isFull = false
          channel.eventLoop.execute { [self] in updateReads() }
        }
        return state.incoming.isEmpty ? nil : state.incoming.removeFirst()
      }
    }

    /// Reads the socket, or does not; on the event loop alone, so that the last change holds.
    private func updateReads() {
      let change = state.withLock { state -> Bool? in
        guard state.isReading != state.reads else { return nil }
        state.isReading = state.reads
        return state.reads
      }
      // It fails if the connection has ended.
      if let change { try? channel.syncOptions?.setOption(.autoRead, value: change) }
    }

    // MARK: - What goes out

    /// Whether the socket takes more now; when it does again, the line is woken.
    var hasRoom: Bool { state.withLock { $0.hasRoom } }

    /// Whether nothing more is read or written.
    var isEnded: Bool { state.withLock { $0.isEnded } }

    /// Sends a text; after the end nothing is sent.
    func send(_ message: [UInt8]) {
      put(.text(message))
    }

    /// Sends what the session's scene says, or that its input was applied.
    func tell(_ message: [UInt8]) {
      put(.ofSession(message))
    }

    private func put(_ message: Outgoing) {
      let isDue = state.withLock { state in
        if state.isEnded { return false }
        state.outgoing.append(message)
        if case .close = message { state.end(clock.seconds) }
        defer { state.isFlushDue = true }
        return !state.isFlushDue
      }
      if isDue { channel.eventLoop.execute { [self] in flush() } }
    }

    /// Writes what has gathered; on the event loop.
    private func flush() {
      let outgoing = state.withLock { state in
        state.isFlushDue = false
        defer { state.outgoing.removeAll(keepingCapacity: false) }
        return state.outgoing
      }
      // It has waited for the event loop. The client comes back, behind what it has seen.
      if outgoing.contains(where: \.isOfSession), !mayServe() {
        return channel.close(promise: nil)
      }
      for message in outgoing { write(message) }
      channel.flush()
      if outgoing.count >= Self.outgoingLimit { wake() }
      updateReads()
    }

    private func write(_ message: Outgoing) {
      let allocator = channel.allocator
      switch message {
      case .text(let bytes), .ofSession(let bytes):
        let data = allocator.buffer(bytes: bytes)
        channel.write(WebSocketFrame(fin: true, opcode: .text, data: data), promise: nil)
      case .ping:
        let data = allocator.buffer(capacity: 0)
        channel.write(WebSocketFrame(fin: true, opcode: .ping, data: data), promise: nil)
      case .close(let code):
        var data = allocator.buffer(capacity: 2)
        data.writeInteger(code.rawValue)
        channel.write(WebSocketFrame(fin: true, opcode: .connectionClose, data: data), promise: nil)
      }
    }

    /// Whether the socket takes more; called on the event loop.
    func setWritable(_ isWritable: Bool) {
      state.withLock { state in
        state.isWritable = isWritable
        state.times.setWritable(isWritable, clock.seconds)
      }
      updateReads()
      if isWritable { wake() }
    }

    // MARK: - The end

    /// Says why the line ends, and that the other side is to close the connection; one that is no
    /// line yet is just closed.
    func close(_ code: CloseCode) {
      if state.withLock({ $0.times.phase }) == .request {
        channel.close(promise: nil)
      } else {
        put(.close(code))
        wake()
      }
    }

    /// The connection has ended.
    func end() {
      state.withLock { $0.end(clock.seconds) }
      wake()
    }

    /// Does what is due; returns why the connection was ended, if it was.
    func inspect(_ limits: ConnectionTimes.Limits) -> RefusalCause? {
      switch state.withLock({ $0.times.due(clock.seconds, date: clock.date, limits) }) {
      case nil: return nil
      case .ping: put(.ping)
      case .renewal: send(Array("renew".utf8))
      case .end(let cause):
        close(CloseCode(cause))
        return cause
      case .abort: channel.close(promise: nil)
      }
      return nil
    }
  }

  extension LiveConnection.State {
    fileprivate mutating func end(_ now: Int) {
      guard !isEnded else { return }
      isEnded = true
      times.close(now)
      incoming = []
      isFull = false
    }
  }
#endif
