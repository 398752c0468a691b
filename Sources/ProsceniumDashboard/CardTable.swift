// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// Chooses which sessions are shown as cards.
///
/// A card stays in its place while its session stays in its state, so that no click reaches the
/// button of another one. One that changes its state is shown under the other heading, in the place
/// of the last card there if need be. Free places go to the sessions of the newest events, then to
/// those that a walk comes upon. An update therefore looks at a few thousand sessions at most,
/// however many there are.
struct CardTable: Sendable {
  /// How many sessions a walk looks at in one update.
  static let walkLength = 2_048

  /// What the table asks of the application.
  struct Questions {
    /// The state of a session, or nil if it is not open.
    let state: (SessionIdentifier) -> CardState?
    /// Visits sessions until it is told to stop, so many at most.
    let walk: (Int, (SessionIdentifier, CardState) -> Bool) -> Void
  }

  private let limit: Int

  /// The sessions under each heading.
  private(set) var shown: [[SessionIdentifier]]

  /// Creates a table without cards.
  init(limit: Int) {
    self.limit = limit
    shown = CardState.allCases.map { _ in [] }
  }

  /// Chooses again.
  ///
  /// - Parameters:
  ///   - census: How many sessions there are under each heading.
  ///   - recent: Sessions of which something was heard, the latest first.
  ///   - questions: Ask the application.
  mutating func update(
    _ census: SceneCensus, recent: some Sequence<SessionIdentifier>, _ questions: Questions
  ) {
    let counts = CardState.allCases.map { census[$0] }
    var choice = Choice(places: Self.places(limit, among: counts))
    var stayed: [(SessionIdentifier, CardState)] = []
    var moved: [(SessionIdentifier, CardState)] = []
    for (state, sessions) in zip(CardState.allCases, shown) {
      for session in sessions {
        guard let now = questions.state(session) else { continue }
        if now == state { stayed.append((session, now)) } else { moved.append((session, now)) }
      }
    }
    for (_, state) in moved { choice.reserved[state.rawValue] += 1 }
    for (session, state) in stayed { choice.take(session, state) }
    choice.reserved = choice.places.map { _ in 0 }
    for (session, state) in moved + stayed { choice.take(session, state) }
    for session in recent where choice.isWanting {
      if let state = questions.state(session) { choice.take(session, state) }
    }
    if choice.isWanting {
      questions.walk(Self.walkLength) { session, state in
        choice.take(session, state)
        return choice.isWanting
      }
    }
    shown = choice.sessions
  }

  /// Shares places: equally, and what one heading does not need goes to the others.
  static func places(_ limit: Int, among counts: [Int]) -> [Int] {
    var places = counts.map { _ in 0 }
    var left = limit
    let fewestFirst = counts.indices.sorted { (counts[$0], $0) < (counts[$1], $1) }
    for (turn, index) in fewestFirst.enumerated() {
      places[index] = min(counts[index], left / (counts.count - turn))
      left -= places[index]
    }
    return places
  }

  private struct Choice {
    let places: [Int]
    /// How many places under each heading are not to be taken yet.
    var reserved: [Int]
    var sessions: [[SessionIdentifier]]
    private var taken: Set<SessionIdentifier> = []

    init(places: [Int]) {
      self.places = places
      reserved = places.map { _ in 0 }
      sessions = places.map { _ in [] }
    }

    var isWanting: Bool { zip(sessions, places).contains { $0.count < $1 } }

    mutating func take(_ session: SessionIdentifier, _ state: CardState) {
      let index = state.rawValue
      guard sessions[index].count < places[index] - reserved[index],
        taken.insert(session).inserted
      else { return }
      sessions[index].append(session)
    }
  }
}
