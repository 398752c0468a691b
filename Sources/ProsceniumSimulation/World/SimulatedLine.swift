// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPrimitives

/// What one client knows of the session to which it sends input: it keeps it over all lives.
struct SimulatedLine: Sendable {
  let client: Int
  let session: Int
  private(set) var identifier: ClientIdentifier
  /// How many identifiers it has had.
  private var identities: UInt64 = 1
  /// Whether its inputs were sent under several identifiers.
  private(set) var isMixed = false
  /// How many lives had ended in order when it had its last line.
  private var deploys: Int?
  /// How many inputs were sent.
  private(set) var sent = 0
  /// The inputs that are not acknowledged, in order.
  private(set) var pending: [Int] = []
  private(set) var lastSeen: FrameNumber?
  /// The counts that the client shows; nil if it shows nothing.
  private var shown: String?
  /// Whether the next frame has to begin everything again.
  private var isReset = false

  init(client: Int, session: Int) {
    self.client = client
    self.session = session
    identifier = ClientIdentifier(high: UInt64(client + 1), low: UInt64(session))
  }

  /// The message of an input.
  func message(_ input: Int) -> NumberedMessage {
    NumberedMessage(sender: client, number: input, session: session)
  }

  /// Sends one input more.
  mutating func send() -> Int {
    sent += 1
    pending.append(sent)
    return sent
  }

  /// Becomes another client, or one that it was before: it knows nothing of what was under way.
  mutating func changeIdentity(_ random: inout SplitMix64) {
    identities += 1
    let number = UInt64(random.number(below: Int(min(identities, 12))))
    identifier = ClientIdentifier(high: UInt64(client + 1) | number << 32, low: UInt64(session))
    pending = []
    isMixed = true
    forgetOutput()
  }

  /// Whether a life has ended in order since it had its last line.
  mutating func wasDeployed(_ new: Int) -> Bool {
    defer { deploys = new }
    return deploys.map { $0 < new } ?? false
  }

  /// Loses what it shows, as a page that is loaded again.
  mutating func forgetOutput() {
    lastSeen = nil
    shown = nil
  }

  /// Takes note of a line that the client got.
  ///
  /// - Returns: What is wrong, if something is, and whether input is lost that was acknowledged.
  mutating func welcome(_ reset: OutputReset?, epoch: UInt64, lastInput: Int) -> (String?, Bool) {
    var wrong: String?
    if let lastSeen, reset == nil, epoch != lastSeen.epoch {
      wrong = "goes on in another epoch"
    }
    if let lastSeen, reset == .epoch, epoch < lastSeen.epoch {
      wrong = "is given numbers of an earlier epoch"
    }
    if reset != nil { beginAgain() }
    let first = pending.first ?? sent + 1
    pending.removeAll { $0 <= lastInput }
    if lastInput > sent { wrong = "has sent \(sent) inputs, of which \(lastInput) are applied" }
    return (wrong, lastInput < first - 1)
  }

  /// Takes note that what it shows is void.
  mutating func beginAgain() {
    isReset = true
    shown = nil
  }

  /// Takes note of an acknowledgement.
  mutating func acknowledge(_ input: Int) -> String? {
    pending.removeAll { $0 <= input }
    return input > sent ? "is acknowledged \(input) inputs of \(sent)" : nil
  }

  /// Takes note of a frame: what was shown before, and what is shown from now on.
  mutating func show(_ frame: SceneFrame, _ content: SimulatedFrame) -> String? {
    defer {
      lastSeen = frame.number
      shown = content.counts
      isReset = false
    }
    if let lastSeen, lastSeen.epoch == frame.number.epoch {
      if frame.number.count <= lastSeen.count { return "gets frame \(frame.number.count) again" }
      if !isReset, frame.number.count != lastSeen.count + 1 {
        return "gets frame \(frame.number.count) after \(lastSeen.count)"
      }
    }
    guard let before = content.before else { return nil }
    return before == shown ? nil : "shows \(shown ?? "nothing"), and gets a frame after \(before)"
  }
}

/// The content of a frame: the counts before and after a message, or those of everything.
struct SimulatedFrame: Sendable {
  /// The counts before; nil in a frame that begins everything again.
  let before: String?
  let counts: String
  /// How often the state was dropped; nil if the counts are in no state.
  let drops: Int?

  init(before: MessageCounts?, _ counts: MessageCounts, drops: Int?) {
    self.before = before?.text
    self.counts = counts.text
    self.drops = drops
  }

  init?(_ content: SceneMessage) {
    let parts = content.string.split(separator: "|", omittingEmptySubsequences: false)
    guard parts.count == 3 else { return nil }
    before = parts[0].isEmpty ? nil : String(parts[0])
    counts = String(parts[1])
    drops = Int(parts[2])
  }

  var message: SceneMessage {
    SceneMessage("\(before ?? "")|\(counts)|\(drops.map(String.init) ?? "")")
  }
}

/// Sends one client's input over lines that break, and looks at what comes back.
struct SimulatedLines {
  private let world: SimulatedWorld
  private let application: Application
  private let client: Int
  private var attached: [Int: SceneClient] = [:]

  init(_ world: SimulatedWorld, _ application: Application, client: Int) {
    self.world = world
    self.application = application
    self.client = client
  }

  /// Whether the client talks to a session by input alone.
  func has(_ session: Int) -> Bool {
    world.options[.input] > 0 && (client + session).isMultiple(of: 2)
  }

  /// Sends the next input to a session, and reads for a while.
  mutating func send(to session: Int, _ random: inout SplitMix64) async {
    var line = world.line(of: client, to: session)
    defer { world.keep(line) }
    if attached[session] == nil {
      await attach(&line, &random)
    }
    guard let client = attached[session] else { return }
    let input = line.send()
    world.note("client \(self.client): sends input \(input): \(line.message(input))")
    await send(input, of: line, over: client)
    if random.number(below: 100) < world.options[.duplicated] {
      world.note(.duplicate, "input \(input)")
      world.cover("duplicate")
      await send(input, of: line, over: client)
    }
    await read(&line, client)
    if random.number(below: 100) < world.options[.breaking] {
      world.cover("broken")
      world.detach(client, from: session)
      client.detach()
      attached[session] = nil
    }
  }

  private func send(_ input: Int, of line: SimulatedLine, over client: SceneClient) async {
    do throws(SceneError) {
      try await client.send(line.message(input).message, number: UInt64(input))
    } catch {
      world.note(error)
    }
  }

  // MARK: - Lines

  private mutating func attach(_ line: inout SimulatedLine, _ random: inout SplitMix64) async {
    if random.number(below: 8) == 0 { line.forgetOutput() }
    if random.number(below: 100) < world.options[.identities] { line.changeIdentity(&random) }
    let session = line.session
    let (drops, known) = world.tell { model in
      (model.sessions[session].drops, model.sessions[session].lastState ?? .zero)
    }
    do throws(SceneError) {
      let client = try await application.attach(
        to: .numbered(session), as: line.identifier, lastSeen: line.lastSeen,
        nextInput: UInt64(line.sent + 1), isVisible: random.number(below: 2) == 0)
      attached[session] = client
      world.attach(client, to: session)
      if line.wasDeployed(world.deploys) { world.cover("deploy") }
      let old = line.pending
      world.cover(client.reset.map { "reset \($0.rawValue)" } ?? "resumed")
      world.note("client \(self.client): has a line to session \(session), \(client.lastInput)")
      let (wrong, isLost) = line.welcome(
        client.reset, epoch: client.epoch, lastInput: Int(client.lastInput))
      if let wrong { find(wrong, line) }
      compare(line, client, drops: drops, known: known, isLost: isLost)
      if client.reset == .forgotten, let input = old.first ?? (line.sent > 0 ? line.sent : nil) {
        // What it has sent before must not be applied any more, whether or not it was.
        let message = line.message(input)
        world.tell { _ = $0.sessions[session].refused.insert(message) }
        await send(input, of: line, over: client)
        return
      }
      if !line.pending.isEmpty { world.cover("duplicate") }
      for input in line.pending { await send(input, of: line, over: client) }
    } catch {
      world.note(error)
    }
  }

  /// The number of the last input is as old as the state that it has led to.
  private func compare(
    _ line: SimulatedLine, _ client: SceneClient, drops: Int, known: MessageCounts, isLost: Bool
  ) {
    let isDurable = world.options[.durability] == 1
    let last = Int(client.lastInput)
    let sender = self.client
    world.tell { model in
      let state = model.sessions[line.session]
      // What is promised to be durable is told of only once it is in a state.
      let counts = isDurable ? state.lastState ?? .zero : state.taken
      let taken = Int(counts[sender])
      let isKnown =
        client.reset != .forgotten && !line.isMixed && state.drops == drops && taken >= 0
        && !state.isWithheld
        && state.guesses[sender] == 0 && !state.isUncaptured && !state.wasUncaptured
        && !model.rules.isTakenOver && !AdmissionReplay.Rules.capturesNothing(line.session)
      // It may have been captured after the client was told.
      let isRight = last == taken || isDurable && last < taken && last >= Int(known[sender])
      if isKnown, state.drops == 0, !isRight {
        model.find(
          "input \(last) of client \(sender) is the last in session \(line.session), and its state"
            + " has \(taken)")
      }
      if isKnown, isDurable, state.drops == 0, isLost {
        model.find("session \(line.session) has lost input of client \(sender)")
      }
      // The next message may be any of those that are not known to be in the state.
      if !isKnown || isLost || state.drops > 0 { model.sessions[line.session].guesses[sender] = 1 }
    }
  }

  // MARK: - Output

  /// Reads what comes within a short time.
  private mutating func read(_ line: inout SimulatedLine, _ client: SceneClient) async {
    let clock = world.executor.clock
    let outputs = await withTaskGroup(of: [SceneClient.Output].self) { group in
      group.addTask {
        var outputs: [SceneClient.Output] = []
        while let output = await client.next() { outputs.append(output) }
        return outputs
      }
      group.addTask {
        try? await clock.sleep(for: .microseconds(200))
        return []
      }
      var outputs: [SceneClient.Output] = []
      if let first = await group.next() { outputs += first }
      group.cancelAll()
      for await rest in group { outputs += rest }
      return outputs
    }
    for output in outputs { take(output, &line) }
  }

  private mutating func take(_ output: SceneClient.Output, _ line: inout SimulatedLine) {
    switch output {
    case .acknowledged(let input):
      if let wrong = line.acknowledge(Int(input)) { find(wrong, line) }
    case .reset(let reset):
      world.cover("reset \(reset.rawValue)")
      line.beginAgain()
    case .frame(let frame): show(frame, &line)
    case .ended(let reason):
      world.note("client \(client): its line to session \(line.session) has ended, \(reason)")
      if case .wrongInput = reason { world.cover("wrong input") }
      attached[line.session] = nil
    }
  }

  private func show(_ frame: SceneFrame, _ line: inout SimulatedLine) {
    guard let content = SimulatedFrame(frame.content) else {
      return find("gets a frame that was not sent", line)
    }
    if let wrong = line.show(frame, content) { find(wrong, line) }
    try? attached[line.session]?.acknowledge(frame.number)
    // What a client has seen is durable where the policy says so.
    guard world.options[.durability] == 1, let drops = content.drops,
      let counts = MessageCounts(text: content.counts)
    else { return }
    let session = line.session
    world.tell { $0.acknowledge(counts, of: session, drops: drops) }
  }

  private func find(_ wrong: String, _ line: SimulatedLine) {
    let client = client
    world.tell { $0.find("client \(client) of session \(line.session) \(wrong)") }
  }
}
