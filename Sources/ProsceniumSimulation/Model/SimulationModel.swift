// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// What the rules say of a simulated application: it is told everything that can be seen, and finds
/// what must not be.
///
/// It knows no queues, no shards and no store: only sessions, what they were told, and what was
/// promised about them.
package struct SimulationModel: Sendable {
  /// How many clients there can be.
  package static let clientLimit = 4
  /// How many findings are kept; the first one counts.
  private static let findingLimit = 20

  /// What the application is like.
  struct Rules: Sendable {
    /// How many scenes of a group may be in the foreground.
    var capacity = Int.max
    /// Whether refreshes go through UIKit's snapshot pass, which no restoration holds up.
    var dances = false
    /// Another process has taken the store over: what this one writes and reads is void.
    var isTakenOver = false
    /// How long a callback may take, if that is limited.
    var budget: Duration?
    /// After how long without use a session ends, if it does.
    var expiry: Duration?
  }

  /// What must not be.
  package private(set) var findings: [String] = []
  /// What was reached.
  package var coverage = SimulationCoverage()
  /// The decisions of this life.
  var records: [DecisionRecord] = []
  var sessions: [SimulatedSession] = [SimulatedSession()]
  var rules = Rules()
  /// How many scenes of each group are active, and in the foreground.
  private var active: [Int: Int] = [:]
  private var foreground: [Int: Int] = [:]
  /// Sessions that were discarded while nothing ran, to be reported by the next launch.
  var pendingDiscards: Set<Int> = []
  /// Nothing of the application may be heard any more.
  var isOver = true
  /// The callback that has just taken too long and is to be reported.
  var owedReport: SlowCall?
  private var step = 0
  /// How long applications have run so far.
  var time = Duration.zero

  /// The largest number of a session.
  var newest: Int { sessions.count - 1 }

  /// Notes something that must not be.
  mutating func find(_ finding: @autoclosure () -> String) {
    guard findings.count < Self.findingLimit else { return }
    findings.append("step \(step): \(finding())")
  }

  /// Takes note of the step that is being taken.
  mutating func begin(step: Int) {
    self.step = step
  }

  /// Notes something that must not be, unless it is right.
  mutating func expect(_ isRight: Bool, _ finding: @autoclosure () -> String) {
    if !isRight { find(finding()) }
  }

  // MARK: - Decisions

  /// Takes note of a decision; of the end of a session also whether a client was there.
  mutating func admit(_ record: DecisionRecord, isAttended: Bool = false) {
    coverage.add(.decision, "\(record.kind)")
    // Who asks an application that ends is told so, whatever he asks for.
    if record.refusal == .notRunning { return }
    records.append(record)
    let number = Int(record.session)
    switch record.kind {
    case .opened:
      let newest = newest
      expect(number == newest + 1, "session \(number) was opened after session \(newest)")
      while sessions.count <= number { sessions.append(SimulatedSession()) }
      sessions[number].isOpen = true
      use(number)
      sessions[number].group = Int(record.group)
    case .failed:
      // It never opened: its end is not reported.
      sessions[number].isOpen = false
      sessions[number].owesDiscard = false
    case .destroyed:
      sessions[number].isOpen = false
      sessions[number].owesDiscard = true
      endUse(number, isAttended: isAttended)
    default: break
    }
  }

  // MARK: - Callbacks

  /// Takes note of a connection.
  ///
  /// - Parameters:
  ///   - number: The session.
  ///   - activity: The activity that it is to show, 0 for none.
  ///   - restored: The counts in the state that the delegate was given, nil for none.
  ///   - isWithheld: Whether a state is withheld since protected data is locked.
  ///   - seen: The state that the callback saw.
  mutating func connect(
    _ number: Int, activity: Int, restored: MessageCounts?, isWithheld: Bool, _ seen: SceneState
  ) {
    let session = sessions[number]
    expect(!isOver, "session \(number) connected after the end")
    expect(!session.isDiscarded && !session.isGone, "session \(number) connected after its discard")
    expect(!session.isConnected, "session \(number) has two scenes")
    expect(seen == .unattached, "session \(number) connected in the state \(seen)")
    sessions[number].isConnected = true
    sessions[number].state = .background
    coverage.add(.transition, "unattached > background")
    sessions[number].extensions = 0
    sessions[number].owesRestore = restored != nil
    sessions[number].wasUncaptured = session.wasUncaptured || session.isUncaptured
    sessions[number].isUncaptured = false
    sessions[number].isKeeping = false
    show(activity, number)
    // Wakes are in no decision but their own.
    let decided = activity < Self.firstWake ? activity : 0
    sessions[number].calls.append(SceneCall(.connect, seen, decided))
    sessions[number].isWithheld = isWithheld
    if isWithheld || rules.isTakenOver {
      sessions[number].taken = .unknown
      sessions[number].isUncaptured = true
      return
    }
    checkRestored(restored, number)
    let isNew = !session.wasConnected && !session.isKept && session.drops == 0
    // What was taken and could not be captured is gone with the scene, and so is its number.
    sessions[number].taken = restored ?? (isNew ? .zero : .unknown)
    if sessions[number].wasUncaptured { sessions[number].guesses = .one }
    sessions[number].wasUncaptured = false
  }

  /// A session is restored from its last state; in a new process from one that is not older than
  /// what was acknowledged.
  private mutating func checkRestored(_ restored: MessageCounts?, _ number: Int) {
    let session = sessions[number]
    let text = restored?.text ?? "nothing"
    if session.isDamaged {
      // It could connect since its state was dropped.
      sessions[number].isDamaged = false
      sessions[number].drop()
    } else if session.wasConnected {
      expect(
        restored == session.lastState,
        "session \(number) was restored from \(text), not from "
          + (session.lastState?.text ?? "nothing"))
    } else {
      expect(
        session.states.contains(restored),
        "session \(number) was restored from \(text), which was not captured")
      expect(
        (restored ?? .unknown).covers(session.acknowledged),
        "session \(number) was restored from \(text), and \(session.acknowledged.text) is "
          + "acknowledged")
    }
    guard !session.wasConnected else { return }
    // It is known now what the disk has.
    // Until a drop is written, the disk may have either.
    sessions[number].states = session.wasDropped ? session.states + [restored] : [restored]
    sessions[number].wasConnected = true
  }

  /// Takes note that a session could not connect, since its saved state cannot be opened.
  mutating func failToConnect(_ number: Int) {
    sessions[number].wasUncaptured = true
    sessions[number].isUnreadable = true
  }

  /// Takes note that a delegate was given a state late, when protected data became available.
  mutating func restoreLate(_ number: Int, _ restored: MessageCounts?) {
    // A session that ends is not told any more, and what is damaged stays so until it is dropped.
    sessions[number].isWithheld = false
    guard sessions[number].isOpen, !sessions[number].isDamaged else { return }
    checkRestored(restored, number)
    let taken = sessions[number].taken
    let known = restored ?? .unknown
    sessions[number].taken = taken.replacing(with: known, where: known .> taken)
    sessions[number].isUncaptured = false
  }

  /// Takes note that a delegate has extended its restoration, or completed it.
  mutating func extend(_ number: Int, by count: Int) {
    sessions[number].extensions = max(sessions[number].extensions + count, 0)
  }

  /// Takes note of a callback of a scene that is connected.
  mutating func call(
    _ number: Int, _ callback: SceneCallback, _ seen: SceneState, _ activity: Int = 0
  ) {
    let session = sessions[number]
    expect(!isOver, "\(callback) of session \(number) after the end")
    expect(!session.isDiscarded, "\(callback) of session \(number) after its discard")
    expect(session.isConnected, "\(callback) of session \(number) after its disconnect")
    if let before = Self.legalStates(callback) {
      expect(
        before.contains(session.state),
        "\(callback) of session \(number), which is \(session.state)")
    }
    let right = Self.visibleState(callback) ?? session.state
    expect(seen == right, "\(callback) of session \(number) saw the state \(seen), not \(right)")
    switch callback {
    case .restore:
      expect(session.owesRestore, "session \(number) was given a state again")
      sessions[number].owesRestore = false
    case .willEnterForeground:
      expect(
        session.extensions == 0 || rules.dances,
        "session \(number) came while its restoration is extended")
      expect(!session.owesRestore, "session \(number) came before it was given its state")
      move(number, to: .inactive)
    case .didBecomeActive: move(number, to: .active)
    case .willResignActive: move(number, to: .inactive)
    case .didEnterBackground: move(number, to: .background)
    case .disconnect: disconnect(number)
    case .connect, .proceed, .capture: break
    }
    switch callback {
    case .restore, .capture: break
    case .proceed where activity >= Self.firstWake: show(activity, number)
    default: sessions[number].calls.append(SceneCall(callback, seen, activity))
    }
  }

  /// The states that a scene may have been in.
  private static func legalStates(_ callback: SceneCallback) -> [SceneState]? {
    switch callback {
    case .willEnterForeground, .restore: [.background]
    case .didBecomeActive, .didEnterBackground: [.inactive]
    case .willResignActive: [.active]
    case .disconnect: [.background, .inactive]
    case .connect, .proceed, .capture: nil
    }
  }

  /// What a callback sees (R-ACT-3); nil means the scene's current state.
  private static func visibleState(_ callback: SceneCallback) -> SceneState? {
    switch callback {
    case .didBecomeActive: .active
    case .didEnterBackground: .background
    case .disconnect: .unattached
    default: nil
    }
  }

  private mutating func move(_ number: Int, to state: SceneState) {
    let before = sessions[number].state
    let group = sessions[number].group
    sessions[number].state = state
    let isShown = state == .inactive || state == .active
    let wasShown = before == .inactive || before == .active
    if isShown != wasShown { foreground[group, default: 0] += isShown ? 1 : -1 }
    if rules.isSeen(before) { use(number) }
    if (state == .active) != (before == .active) {
      active[group, default: 0] += state == .active ? 1 : -1
    }
    if rules.capacity < .max, isShown, !wasShown || state == .active {
      // In a hand-over the one that gives way leaves after the newcomer has come.
      let (shown, active) = (foreground[group, default: 0], active[group, default: 0])
      expect(shown <= rules.capacity + 1, "group \(group) shows \(shown) scenes")
      expect(active <= rules.capacity, "group \(group) has \(active) active scenes")
    }
    cover(number, from: before, to: state)
  }

  private mutating func cover(_ number: Int, from before: SceneState, to state: SceneState) {
    coverage.add(.transition, "\(before) > \(state)")
    if before == .inactive, state == .background, sessions[number].hasJustCome {
      coverage.add(.transition, "background > inactive > background")
    }
    sessions[number].hasJustCome = before == .background && state == .inactive
  }

  private mutating func disconnect(_ number: Int) {
    move(number, to: .unattached)
    sessions[number].isConnected = false
    sessions[number].wasExtended = sessions[number].extensions > 0
    sessions[number].extensions = 0
    coverage.add(.transition, "connected > archived")
  }

  /// Nothing is shown any more.
  mutating func forgetPlaces() {
    active = [:]
    foreground = [:]
  }

  /// Takes note of an activity that a scene was given, in its options or later.
  mutating func show(_ activity: Int, _ number: Int) {
    guard activity >= Self.firstWake else { return }
    let isFirst = sessions[number].wakes.give(activity)
    expect(
      isFirst || rules.isTakenOver, "wake \(activity) of session \(number) was given twice")
  }

  /// From here on numbers of activities are those of wakes.
  static let firstWake = 60_001

  // MARK: - Messages

  /// Takes note of a message that came to a scene.
  mutating func take(_ message: NumberedMessage, _ number: Int) {
    let session = sessions[number]
    expect(!isOver, "\(message) came after the end")
    expect(message.session == number, "\(message) came to session \(number)")
    expect(session.isConnected, "\(message) came to a scene that is gone")
    let last = session.taken[message.sender]
    let isGuess = last < 0 || session.guesses[message.sender] == 1
    sessions[number].guesses[message.sender] = 0
    use(number)
    sessions[number].takenAt[message.sender] = time
    expect(
      !session.refused.contains(message),
      "\(message) came, and its client was told that it is forgotten")
    expect(
      isGuess || message.number == Int(last) + 1,
      "\(message) came after message \(last) of the same sender")
    sessions[number].taken[message.sender] = Int32(message.number)
  }

  /// Takes note of a state that a delegate returned.
  ///
  /// - Parameters:
  ///   - number: The session.
  ///   - counts: The counts in it; nil if it returned none.
  ///   - isKept: Whether it can be kept.
  mutating func capture(_ number: Int, _ counts: MessageCounts?, isKept: Bool) {
    // A damaged state that was withheld is not written over.
    let isKept = isKept && !sessions[number].isDamaged
    sessions[number].isUncaptured = !isKept
    guard isKept, sessions[number].lastState != counts else { return }
    sessions[number].states.append(counts)
  }

  /// Takes note that a message, and everything before it, is durable.
  mutating func acknowledge(_ message: NumberedMessage, drops: Int) {
    guard sessions[message.session].drops == drops else { return }
    let number = Int32(message.number)
    let before = sessions[message.session].acknowledged[message.sender]
    sessions[message.session].acknowledged[message.sender] = max(before, number)
    keepUse(of: message.session)
  }

  /// Takes note that everything is durable that a scene had taken.
  mutating func acknowledge(_ counts: MessageCounts, of number: Int, drops: Int) {
    guard sessions[number].drops == drops else { return }
    let before = sessions[number].acknowledged
    sessions[number].acknowledged = before.replacing(with: counts, where: counts .> before)
    keepUse(of: number)
  }
}
