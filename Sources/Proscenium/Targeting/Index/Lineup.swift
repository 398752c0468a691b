// SPDX-License-Identifier: Apache-2.0

/// Who comes first of many, kept at hand for as long as somebody asks for it.
///
/// Sessions change their standing with every step of their lives, and where identifiers find those
/// that prefer them, nobody ever asks who is the first of all. So after some changes without a
/// question a change only marks what it may have changed.
struct Lineup: Sendable {
  /// For how many changes the first one stays known after a question.
  static let attentionSpan = 64

  private var tournament = Tournament()
  private var attention = 0

  /// Takes note of a place that was taken, given back, or moved in the order.
  ///
  /// - Parameters:
  ///   - place: The place.
  ///   - rose: Whether it surely stands no later than before.
  ///   - order: What the places hold now.
  mutating func change(_ place: Int, rose: Bool, _ order: some TournamentOrder) {
    guard attention > 0 else { return tournament.touch(place) }
    attention -= 1
    tournament.update(place, rose: rose, order)
  }

  /// Returns the place of the first one, or nil if no place is taken, and keeps it known for a
  /// while.
  mutating func leader(_ order: some TournamentOrder) -> Int? {
    if attention == 0 { tournament.settle(order) }
    attention = Self.attentionSpan
    return tournament.winner
  }
}
