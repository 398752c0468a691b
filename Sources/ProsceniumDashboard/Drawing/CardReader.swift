// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// Reads what the cards show.
///
/// The content of a session without a scene is in the store: it is read when its card appears, and
/// then at every tenth update.
struct CardReader: Sendable {
  private static let rereading = 10

  private let variant: String?
  private var table: CardTable
  private var walk = SessionWalk()
  private var known: [SessionIdentifier: SceneCard] = [:]
  private var update = 0

  /// Creates a reader that knows no session.
  init(limit: Int, variant: String?) {
    table = CardTable(limit: limit)
    self.variant = variant
  }

  /// Chooses the cards of an update and reads them.
  mutating func cards(
    of application: Application, _ census: SceneCensus, recent: [SessionIdentifier]
  ) -> [SceneCard] {
    var walk = walk
    table.update(
      census, recent: recent,
      CardTable.Questions(
        state: { session in
          if let scene = application.scene(for: session) {
            return CardState(scene.activationState)
          }
          return application.openSessions[session] == nil ? nil : .disconnected
        },
        walk: { limit, visit in
          application.visitSessions(&walk, atMost: limit) { visit($0, CardState($1)) }
        }))
    self.walk = walk
    update += 1
    var cards: [SceneCard] = []
    for (state, sessions) in zip(CardState.allCases, table.shown) {
      for session in sessions {
        if let card = read(session, state, cards.count, application) { cards.append(card) }
      }
    }
    known = Dictionary(cards.map { ($0.session, $0) }, uniquingKeysWith: { first, _ in first })
    return cards
  }

  private func read(
    _ session: SessionIdentifier, _ state: CardState, _ place: Int, _ application: Application
  ) -> SceneCard? {
    guard let details = application.session(session) else { return nil }
    var card = SceneCard(
      session: session, state: state, title: details.title, subtitle: details.subtitle)
    if state == .disconnected, let before = known[session], before.state == .disconnected,
      !(update + place).isMultiple(of: Self.rereading)
    {
      card.snapshot = before.snapshot
    } else {
      card.snapshot = SceneCard.text(ofSnapshot: details.snapshot(variant: variant))
    }
    return card
  }
}
