// SPDX-License-Identifier: Apache-2.0

import FlyingSocks
import Foundation
import Proscenium
import ProsceniumClientProtocol
import ProsceniumPrimitives

/// One client: it keeps a line to its session, sends input at its pace, and breaks the line.
final class TrialClient: Sendable {
  /// What it knows, and when it sent what is not acknowledged.
  struct State: Sendable {
    var book: TrialBook
    var sendTimes: [UInt64: ContinuousClock.Instant] = [:]
    /// How long inputs took until they were acknowledged, in seconds.
    var latencies: [Double] = []
    var breaks = 0
    /// When the next input is due; those of an outage come late.
    var nextInput: ContinuousClock.Instant?
    var repeated = 0
    /// Why the server has ended lines.
    var ends: [String: Int] = [:]
  }

  /// What ends a connection.
  private enum End: Error { case broken, finished }

  /// How many inputs may wait for their acknowledgement.
  private static let window: UInt64 = 64
  /// How long it waits before it looks for the server again.
  private static let pause = Duration.milliseconds(20)

  private let number: Int
  private let plan: TrialPlan
  private let path: String
  private let pool: any AsyncSocketPool
  private let clock = ContinuousClock()
  private let state: Guarded<State>

  init(_ number: Int, _ plan: TrialPlan, path: String, pool: any AsyncSocketPool) {
    self.number = number
    self.plan = plan
    self.path = path
    self.pool = pool
    state = Guarded(State(book: TrialBook(client: number)))
  }

  /// What it knows.
  var result: State { state.withLock { $0 } }

  /// Sends until a moment, and goes on until everything is acknowledged.
  ///
  /// - Throws: Only if the task is cancelled.
  func run(until end: ContinuousClock.Instant) async throws {
    var random = SplitMix64(seed: plan.seed &+ UInt64(number) << 32)
    var breaksAt = clock.now
    while true {
      let wait = Double(plan.clients) / max(plan.breaks, 0.001) * -log(1 - random.unit)
      let isHalf = random.number(below: 3) == 0
      let rest = Duration.microseconds(random.number(below: 2_000))
      // One that was due during an outage comes late.
      if breaksAt <= clock.now { breaksAt = breaksAt.advanced(by: .seconds(wait)) }
      let isDone = try await connected { [self, breaksAt] out in
        try await send(until: min(breaksAt, end), out)
        if breaksAt < end {
          if isHalf { out.yield(half(of: .input(result.book.sent + 1, "0"))) }
          // What was written last may get through.
          try await clock.sleep(for: rest)
          throw End.broken
        }
        while result.book.pending != nil { try await clock.sleep(for: Self.pause) }
      }
      if isDone { return }
    }
  }

  /// Asks for everything again, and checks it.
  ///
  /// - Throws: Only if the task is cancelled.
  func verify() async throws {
    state.withLock { $0.book.forget() }
    while try await !connected({ [self] _ in
      for _ in 0..<500 where result.book.shown == nil { try await clock.sleep(for: Self.pause) }
    }) {}
    state.withLock { $0.book.finish() }
  }

  // MARK: - The line

  private typealias Outgoing = AsyncStream<[UInt8]>.Continuation

  /// Has a line while a function runs.
  ///
  /// - Returns: Whether the function has come to its end; otherwise the line was broken.
  private func connected(
    _ body: @escaping @Sendable (Outgoing) async throws -> Void
  ) async throws -> Bool {
    do {
      let socket = try await connect()
      defer { try? socket.close() }
      let (messages, out) = AsyncStream.makeStream(of: [UInt8].self)
      let (welcome, welcomed) = AsyncStream.makeStream(of: Never.self)
      out.yield(hello)
      try await withThrowingTaskGroup { group in
        // Writes, alone: the parts of two messages would mix.
        group.addTask {
          for await message in messages { try await socket.write(Data(message)) }
        }
        // Ends with the connection.
        group.addTask { [self] in try await read(socket, out) { welcomed.finish() } }
        // Begins when the client has its line, and ends the others with its own end.
        group.addTask {
          for await _ in welcome {}
          try Task.checkCancellation()
          try await body(out)
          throw End.finished
        }
        defer { group.cancelAll() }
        // The first that ends, by an error as a rule, ends the others.
        try await group.next()
      }
    } catch End.finished {
      return true
    } catch End.broken {
      state.withLock { $0.breaks += 1 }
      return false
    } catch {
      // The server is gone, or has closed the connection.
    }
    try await clock.sleep(for: Self.pause)
    return false
  }

  private func connect() async throws -> AsyncSocket {
    let socket = try AsyncSocket(socket: Socket(domain: AF_UNIX, type: .stream), pool: pool)
    do {
      try await socket.connect(to: .unix(path: path))
      return socket
    } catch {
      try? socket.close()
      throw error
    }
  }

  private var hello: [UInt8] {
    let book = result.book
    let digits = String(number + 1, radix: 16)
    let hello = ClientHello(
      client: ClientIdentifier(high: plan.seed, low: UInt64(number)), lastSeen: book.lastSeen,
      nextInput: book.sent + 1, isVisible: number.isMultiple(of: 2),
      address: "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count)
        + digits)
    return MessageStream.framed(ClientMessage.hello(hello).bytes)
  }

  private func bytes(of input: UInt64) -> [UInt8] {
    MessageStream.framed(ClientMessage.input(input, SceneMessage(String(input))).bytes)
  }

  private func half(of message: ClientMessage) -> [UInt8] {
    let bytes = MessageStream.framed(message.bytes)
    return Array(bytes.prefix(bytes.count / 2))
  }

  /// Sends input at the client's pace.
  private func send(until end: ContinuousClock.Instant, _ out: Outgoing) async throws {
    let interval = Duration.seconds(Double(plan.clients) / plan.rate)
    while true {
      let now = clock.now
      let next = state.withLock { $0.nextInput } ?? now.advanced(by: interval / 2)
      if max(next, now) >= end { break }
      try await clock.sleep(until: next)
      let input = state.withLock { state -> UInt64? in
        state.nextInput = next.advanced(by: interval)
        if let pending = state.book.pending, UInt64(pending.count) >= Self.window { return nil }
        let input = state.book.send()
        state.sendTimes[input] = clock.now
        return input
      }
      if let input { out.yield(bytes(of: input)) }
    }
    try await clock.sleep(until: end)
  }

  /// Takes what comes.
  private func read(
    _ socket: AsyncSocket, _ out: Outgoing, welcomed: () -> Void
  ) async throws {
    var frames = 0
    for try await message in SocketMessages(socket: socket) {
      switch try HostMessage.read(message) {
      case .welcome(let welcome):
        let pending = state.withLock { state in
          state.book.take(welcome)
          state.settle(through: welcome.lastInput, at: nil)
          let pending = state.book.pending.map(Array.init) ?? []
          state.repeated += pending.count
          return pending
        }
        for input in pending { out.yield(bytes(of: input)) }
        welcomed()
      case .frame(let frame):
        state.withLock { $0.book.take(frame) }
        frames += 1
        if frames.isMultiple(of: 4) {
          out.yield(MessageStream.framed(ClientMessage.ack(frame.number.count).bytes))
        }
      case .acknowledged(let input):
        state.withLock { state in
          state.book.acknowledge(input)
          state.settle(through: input, at: clock.now)
        }
      case .end(let end):
        state.withLock { $0.ends["\(end)", default: 0] += 1 }
        return
      case .move, nil: break
      }
    }
  }
}

extension TrialClient.State {
  /// Takes note that inputs are acknowledged; without a time it is not known since when.
  fileprivate mutating func settle(through input: UInt64, at time: ContinuousClock.Instant?) {
    for (number, sent) in sendTimes where number <= input {
      if let time { latencies.append(sent.duration(to: time) / .seconds(1)) }
      sendTimes[number] = nil
    }
  }
}

extension SplitMix64 {
  /// A number from 0 to just below 1.
  fileprivate var unit: Double {
    mutating get { Double(next() >> 11) * 0x1p-53 }
  }
}
