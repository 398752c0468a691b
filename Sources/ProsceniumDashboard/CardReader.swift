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
          walk.visit(application, atMost: limit) { visit($0, CardState($1)) }
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

/// A session as the page shows it.
struct SceneCard: Sendable, Equatable {
  /// How much of a snapshot is shown, in bytes.
  static let snapshotLength = 400

  let session: SessionIdentifier
  let state: CardState
  var title: String?
  var subtitle: String?
  var snapshot: String?

  /// The last eight digits of the identifier: of counted ones the first are all equal.
  var shortName: String { Self.shortName(session) }

  static func shortName(_ session: SessionIdentifier) -> String {
    String(session.description.suffix(8))
  }

  /// The beginning of a snapshot, or what it is if it is no text.
  static func text(ofSnapshot bytes: [UInt8]?) -> String? {
    guard let bytes, !bytes.isEmpty else { return nil }
    var beginning = String(decoding: bytes.prefix(snapshotLength), as: UTF8.self)
    let isCut = bytes.count > snapshotLength
    // The cut may go through a character.
    if isCut, beginning.unicodeScalars.last == "\u{FFFD}" { beginning.unicodeScalars.removeLast() }
    guard !beginning.unicodeScalars.contains(where: { $0 == "\u{FFFD}" || $0 == "\0" }) else {
      return "\(PageText.number(bytes.count)) bytes, no text"
    }
    return isCut ? beginning + "…" : beginning
  }
}

/// The heading of a session: the state of its scene, or that it has none.
enum CardState: Int, Sendable, CaseIterable {
  case active
  case inactive
  case background
  case disconnected

  init(_ state: Scene.ActivationState?) {
    switch state {
    case .foregroundActive: self = .active
    case .foregroundInactive: self = .inactive
    case .background: self = .background
    case .unattached, nil: self = .disconnected
    }
  }

  /// The heading.
  var title: String {
    switch self {
    case .active: "Foreground, active"
    case .inactive: "Foreground, inactive"
    case .background: "Background"
    case .disconnected: "Disconnected"
    }
  }

  /// The name in identifiers and classes of the page.
  var name: String { "\(self)" }
}

extension SceneCensus {
  /// How many sessions are under a heading.
  subscript(_ state: CardState) -> Int {
    switch state {
    case .active: active
    case .inactive: inactive
    case .background: background
    case .disconnected: disconnected
    }
  }
}
