// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPrimitives

/// One of those who use an application: makes requests, and sends messages in an order of its own.
struct SimulatedClient {
  /// What a client does; each option says how often.
  private static let actions: [SimulationOption] =
    SimulatedRequests.kinds + [.send, .await, .call, .durable, .tooLarge, .longTarget, .input]

  private let world: SimulatedWorld
  private let application: Application
  private let number: Int
  private let requests: SimulatedRequests
  private var random: SplitMix64
  private let actions: [SimulationOption]
  /// The number of the last message to each session, once it was asked what arrived of them.
  private var last: [Int: Int] = [:]
  private var lines: SimulatedLines

  init(_ world: SimulatedWorld, _ application: Application, number: Int, life: Int) {
    self.world = world
    self.application = application
    self.number = number
    requests = SimulatedRequests(world, application)
    lines = SimulatedLines(world, application, client: number)
    random = world.generator(1_000 + life * SimulationModel.clientLimit + number)
    actions = Self.actions.flatMap { Array(repeating: $0, count: world.options[$0]) }
  }

  mutating func run() async {
    guard !actions.isEmpty else { return }
    while !world.isClosing, !application.isOver {
      let action = actions[random.number(below: actions.count)]
      switch action {
      case .send:
        await send { (application, message, session) throws(SceneError) in
          try application.send(message.message, to: session)
        }
      case .await:
        await send { (application, message, session) throws(SceneError) in
          try await application.sendWithBackpressure(message.message, to: session)
        }
      case .call:
        await send { (application, message, session) throws(SceneError) in
          _ = try await application.call(message.message, to: session)
        }
      case .durable: await sendDurably()
      case .input: await sendInput()
      case .tooLarge: sendTooLarge()
      case .longTarget: routeTooLong()
      default: await requests.make(action, &random)
      }
      if random.number(below: 100) < world.options[.pausing] {
        try? await world.executor.clock.sleep(for: .microseconds(random.number(below: 5_000)))
      } else {
        await Task.yield()
      }
    }
  }

  // MARK: - Messages

  /// Sends the next message to some session.
  ///
  /// - Returns: The message, if it has arrived or will.
  @discardableResult
  private mutating func send(
    _ form: (Application, NumberedMessage, SessionIdentifier) async throws(SceneError) -> Void
  ) async -> NumberedMessage? {
    let session = requests.drawSession(&random)
    let identifier = SessionIdentifier.numbered(session)
    if lines.has(session) { return nil }
    guard let before = await lastNumber(session) else { return nil }
    let message = NumberedMessage(sender: number, number: before + 1, session: session)
    world.note("client \(number): sends \(message)")
    do throws(SceneError) {
      try await form(application, message, identifier)
      accept(message)
      return message
    } catch {
      world.note(error)
      // It was delivered, and what it led to is not kept.
      if error.code == .notDurable { accept(message) }
      if error.code == .lost || error.code == .stateUnreadable { last[session] = nil }
      return nil
    }
  }

  private mutating func sendInput() async {
    let session = requests.drawSession(&random)
    if session > 0, lines.has(session) { await lines.send(to: session, &random) }
  }

  private mutating func accept(_ message: NumberedMessage) {
    last[message.session] = message.number
    world.tell { [number] in
      $0.sessions[message.session].accepted[number] = Int32(message.number)
    }
  }

  private mutating func sendDurably() async {
    var drops = 0
    let world = world
    let message = await send { (application, message, session) throws(SceneError) in
      drops = world.tell { $0.sessions[message.session].drops }
      try await application.sendDurably(message.message, to: session)
    }
    guard let message, !AdmissionReplay.Rules.capturesNothing(message.session) else { return }
    let known = drops
    world.note("client \(number): \(message) is acknowledged")
    world.tell { $0.acknowledge(message, drops: known) }
  }

  /// The number of the last message to a session that arrived; nil if it cannot be asked.
  private mutating func lastNumber(_ session: Int) async -> Int? {
    if let known = last[session] { return known }
    let question = NumberedMessage(sender: number, number: 0, session: session)
    do throws(SceneError) {
      let identifier = SessionIdentifier.numbered(session)
      let reply = try await application.call(question.message, to: identifier)
      guard let counts = MessageCounts(text: reply.string) else { return nil }
      let arrived = max(Int(counts[number]), 0)
      last[session] = arrived
      world.tell { [number] in $0.sessions[session].accepted[number] = Int32(arrived) }
      return arrived
    } catch {
      world.note(error)
      return nil
    }
  }

  // MARK: - What is always refused

  private mutating func sendTooLarge() {
    world.note(.tooLarge)
    let message = SceneMessage([UInt8](repeating: 0, count: SceneMessage.sizeLimit + 1))
    do throws(SceneError) {
      let session = SessionIdentifier.numbered(requests.drawSession(&random))
      try application.send(message, to: session)
      world.tell { $0.find("a message was accepted that is larger than the limit") }
    } catch {
      world.note(error)
    }
  }

  private mutating func routeTooLong() {
    let session = SessionIdentifier.numbered(requests.drawSession(&random))
    do throws(SceneError) {
      _ = try application.route(String(repeating: "x", count: 8_193), source: session)
      world.tell { $0.find("an identifier was routed that is longer than the limit") }
    } catch {
      world.note(error)
    }
  }
}
