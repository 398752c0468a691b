// SPDX-License-Identifier: Apache-2.0

#if Live
  import NIOCore
  import NIOWebSocket
  import ProsceniumPrimitives

  /// A connection of a browser: what its event loop, its task and the patrol share.
  final class LiveConnection: Sendable {
    /// How many messages wait for the task before no more are read from the socket.
    private static let incomingLimit = 16
    /// How many wait for the event loop before the task waits.
    private static let outgoingLimit = 64

    fileprivate enum Outgoing: Sendable {
      case text([UInt8])
      case ping
      case close(CloseCode)
    }

    fileprivate struct State: Sendable {
      var times: ConnectionTimes
      var rate = MessageRate()
      var incoming: [[UInt8]] = []
      /// So many wait that no more are read until most of them are taken.
      var isFull = false
      /// Whether the socket is read, as was set last.
      var isReading = true
      var reader: CheckedContinuation<[UInt8]?, Never>?
      var outgoing: [Outgoing] = []
      var isFlushDue = false
      var isWritable = true
      var writer: CheckedContinuation<Void, Never>?
      /// Nothing more is read or written.
      var isEnded = false

      /// Whether the socket is to be read: not while what it brings waits, nor while answers do.
      var reads: Bool { !isFull && isWritable }

      var hasRoom: Bool { isWritable && outgoing.count < LiveConnection.outgoingLimit }
    }

    /// What ends a task that would write.
    struct Ended: Error {}

    let channel: any Channel
    private let clock: ServerClock
    private let state: Guarded<State>

    init(_ channel: any Channel, _ clock: ServerClock) {
      self.channel = channel
      self.clock = clock
      state = Guarded(State(times: ConnectionTimes(now: clock.seconds)))
    }

    // MARK: - What has come

    /// Notes that something has come from the other side.
    func hear() {
      state.withLock { $0.times.hear(clock.seconds) }
    }

    /// The connection is a line from now on.
    func becomeLine(until expiry: UInt64) {
      state.withLock { $0.times.becomeLine(clock.seconds, date: clock.date, until: expiry) }
    }

    /// Takes a message that has come; called on the event loop.
    ///
    /// - Returns: Why the connection has to end, if it has.
    func receive(_ message: [UInt8], rate: Int) -> RefusalCause? {
      let now = clock.elapsed()
      defer { updateReads() }
      return state.withLock { state in
        state.times.hear(clock.seconds(of: now))
        if state.rate.isExceeded(at: now, rate: rate) { return .tooFast }
        if state.isEnded { return nil }
        if let reader = state.reader {
          state.reader = nil
          reader.resume(returning: message)
          return nil
        }
        state.incoming.append(message)
        if state.incoming.count >= Self.incomingLimit { state.isFull = true }
        return nil
      }
    }

    /// The next message, in the order in which they came; nil at the end.
    func next() async -> [UInt8]? {
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          state.withLock { state in
            if !state.incoming.isEmpty {
              continuation.resume(returning: state.incoming.removeFirst())
            } else if state.isEnded || Task.isCancelled {
              continuation.resume(returning: nil)
            } else {
              state.reader = continuation
            }
            if state.isFull, state.incoming.count <= Self.incomingLimit / 4 {
              state.isFull = false
              channel.eventLoop.execute { [self] in updateReads() }
            }
          }
        }
      } onCancel: {
        state.withLock { state in
          state.reader?.resume(returning: nil)
          state.reader = nil
        }
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

    /// Sends a message, and returns when there is room for another one.
    ///
    /// - Throws: ``Ended`` if the connection has ended.
    func send(_ message: [UInt8]) async throws {
      try put(.text(message))
      await waitForRoom()
    }

    /// Sends a message of the host, which does not wait for room.
    func tell(_ word: String) {
      try? put(.text(Array(word.utf8)))
    }

    private func put(_ message: Outgoing) throws(Ended) {
      let isDue = state.withLock { state -> Bool? in
        if state.isEnded { return nil }
        state.outgoing.append(message)
        if case .close = message { state.end(clock.seconds) }
        defer { state.isFlushDue = true }
        return !state.isFlushDue
      }
      guard let isDue else { throw Ended() }
      if isDue { channel.eventLoop.execute { [self] in flush() } }
    }

    private func waitForRoom() async {
      if state.withLock({ $0.hasRoom || $0.isEnded }) { return }
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          state.withLock { state in
            if state.hasRoom || state.isEnded || Task.isCancelled {
              continuation.resume()
            } else {
              state.writer = continuation
            }
          }
        }
      } onCancel: {
        state.withLock { $0.resumeWriter() }
      }
    }

    /// Writes what has gathered; on the event loop.
    private func flush() {
      let outgoing = state.withLock { state in
        state.isFlushDue = false
        defer { state.outgoing.removeAll(keepingCapacity: false) }
        return state.outgoing
      }
      for message in outgoing { write(message) }
      channel.flush()
      state.withLock { state in
        if state.hasRoom { state.resumeWriter() }
      }
      updateReads()
    }

    private func write(_ message: Outgoing) {
      let allocator = channel.allocator
      switch message {
      case .text(let bytes):
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
        if state.hasRoom { state.resumeWriter() }
      }
      updateReads()
    }

    // MARK: - The end

    /// Says why the line ends, and that the other side is to close the connection; one that is no
    /// line yet is just closed.
    func close(_ code: CloseCode) {
      if state.withLock({ $0.times.phase }) == .request {
        channel.close(promise: nil)
      } else {
        try? put(.close(code))
      }
    }

    /// Whether nothing more is read or written.
    var isEnded: Bool { state.withLock { $0.isEnded } }

    /// The connection has ended.
    func end() {
      state.withLock { $0.end(clock.seconds) }
    }

    /// Does what is due; returns why the connection was ended, if it was.
    func inspect(_ limits: ConnectionTimes.Limits) -> RefusalCause? {
      switch state.withLock({ $0.times.due(clock.seconds, date: clock.date, limits) }) {
      case nil: return nil
      case .ping: try? put(.ping)
      case .renewal: tell("renew")
      case .end(let cause):
        close(CloseCode(cause))
        return cause
      case .abort: channel.close(promise: nil)
      }
      return nil
    }
  }

  extension LiveConnection.State {
    fileprivate mutating func resumeWriter() {
      writer?.resume()
      writer = nil
    }

    fileprivate mutating func end(_ now: Int) {
      guard !isEnded else { return }
      isEnded = true
      times.close(now)
      incoming = []
      isFull = false
      reader?.resume(returning: nil)
      reader = nil
      resumeWriter()
    }
  }

  /// The messages of a connection, for one reader.
  struct ConnectionMessages: AsyncSequence, Sendable {
    let connection: LiveConnection

    struct AsyncIterator: AsyncIteratorProtocol {
      let connection: LiveConnection

      func next() async -> ArraySlice<UInt8>? { await connection.next()?[...] }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(connection: connection) }
  }
#endif
