// SPDX-License-Identifier: Apache-2.0

/// The number of the last message of each client that a scene has taken: what its state is about.
///
/// -1 is an unknown number, since the state was dropped by a rule.
typealias MessageCounts = SIMD4<Int32>

extension MessageCounts {
  static let unknown = MessageCounts(repeating: -1)

  /// Whether nothing is missing that other counts have; 0 and an unknown number are nothing.
  func covers(_ other: MessageCounts) -> Bool { all((self .>= other) .| (other .<= 0)) }

  /// The counts as a text, which ``init(text:)`` reads.
  var text: String { "\(self[0]),\(self[1]),\(self[2]),\(self[3])" }

  init?(text: String) {
    let parts = text.split(separator: ",").compactMap { Int32($0) }
    guard parts.count == 4 else { return nil }
    self.init(parts)
  }
}

/// What the model knows of one session.
struct SimulatedSession: Sendable {
  var group = 0
  /// It was admitted and not ended.
  var isOpen = false
  /// It was destroyed, and is still to be reported as discarded.
  var owesDiscard = false
  /// It was reported as discarded in this life.
  var isDiscarded = false
  /// The disk is known to have forgotten it, so that it can never come back.
  var isGone = false
  /// The disk is known to have it.
  var isKept = false

  // Its scene.
  var state = SceneState.unattached
  var isConnected = false
  /// It connected in this life before, so that it is known what it is restored from.
  var wasConnected = false
  /// How often the delegate has extended the restoration and not completed it.
  var extensions = 0
  /// Whether the restoration was extended when the scene was disconnected.
  var wasExtended = false
  /// The scene wants to stay connected.
  var isKeeping = false
  var owesRestore = false
  /// It has entered the foreground and was not active since.
  var hasJustCome = false
  var calls: [SceneCall] = []

  // What it holds.
  /// The counts of messages in the states that were captured, oldest first; nil is no state.
  ///
  /// The first is what the disk is known to have, or something older.
  var states: [MessageCounts?] = [nil]
  /// What was acknowledged as durable.
  var acknowledged = MessageCounts.unknown
  /// What the session is to be woken with, and what it was woken with.
  var wakes = SimulatedWakes()
  /// How often the state was dropped.
  var drops = 0
  /// The state was dropped in this life: the disk may still have what it had.
  var wasDropped = false
  /// What its scene has taken.
  var taken = MessageCounts.zero
  /// Clients whose next number is unknown: 1 for each of them.
  var guesses = MessageCounts.zero
  /// Input that its client has sent again although it was forgotten.
  var refused: Set<NumberedMessage> = []
  /// How long applications had run when the session was last used.
  var lastUse = Duration.zero
  /// When the last message of each client came, and the last use that is known to be durable: what
  /// is lost with the power was no use.
  var takenAt = [Duration](repeating: .zero, count: SimulationModel.clientLimit)
  var durableUse = Duration.zero
  /// What was known when its end was decided: whether a client was there or the scene was seen, and
  /// for how long it was not used.
  var end: (isInUse: Bool, unused: Duration)?
  /// The last message of each client that was accepted.
  var accepted = MessageCounts.zero
  /// How many messages were accepted and reported as lost.
  var lost = MessageCounts.zero
  /// The saved state cannot be opened.
  var isDamaged = false
  /// It could not connect in this life, since its saved state could not be opened.
  var isUnreadable = false
  /// Its scene has connected without its state, since protected data was locked.
  var isWithheld = false
  /// The last capture was refused, or nothing is captured while the state is withheld.
  var isUncaptured = false
  /// The last scene was that when it went.
  var wasUncaptured = false

  var lastState: MessageCounts? { states[states.count - 1] }

  /// Whether the disk must have it when the power is lost.
  var mustBeKept: Bool { isOpen && (isKept || acknowledged != .unknown) }

  /// Forgets what it holds, by a rule; until that is written, the disk has what it had.
  mutating func drop() {
    states.append(nil)
    wakes = SimulatedWakes()
    acknowledged = .unknown
    drops += 1
    wasDropped = true
  }

  /// Forgets that its restoration took too long: what it was to restore is dropped, unless it was
  /// withheld.
  mutating func expire() {
    drop()
    // Whether it was withheld then is not known from outside.
    if isWithheld { wasConnected = false }
  }
}

/// What one session is to be woken with, and what it was woken with.
///
/// Wakes are named by the numbers of their activities, which are given once in a world.
struct SimulatedWakes: Sendable {
  /// Acknowledged and not given yet, each with the time when it is due.
  private var waiting: [Int: Duration] = [:]
  /// Given in this life.
  private var given: Set<Int> = []
  /// Given in a life that has ended in order, so that they can never come again.
  private var over: Set<Int> = []

  /// Takes note that a wake is durable; it may have been given by now.
  mutating func acknowledge(_ wake: Int, due: Duration) {
    if !given.contains(wake), !over.contains(wake) { waiting[wake] = due }
  }

  /// Takes note that a wake was given.
  ///
  /// - Returns: Whether it was not given before.
  mutating func give(_ wake: Int) -> Bool {
    waiting[wake] = nil
    return !over.contains(wake) && given.insert(wake).inserted
  }

  /// The wakes that are due and were not given, in their order.
  func missing(at time: Duration) -> [Int] {
    waiting.filter { $0.value <= time }.keys.sorted()
  }

  /// Ends a life.
  ///
  /// - Parameter isInOrder: Whether everything is on the disk. Otherwise what was given may come
  ///   again, with the state that it led to lost.
  mutating func endLife(isInOrder: Bool) {
    if isInOrder { over.formUnion(given) }
    given = []
  }
}
