// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

/// What the places of a tournament hold.
protocol TournamentOrder {
  /// Tells whether a place is taken.
  func isTaken(_ place: Int) -> Bool
  /// Tells whether what is at one place comes before what is at another; both are taken.
  func isBefore(_ place: Int, _ other: Int) -> Bool
}

/// The first of many places in an order, kept at hand while they change one by one.
///
/// Groups of sixteen places have a winner, groups of sixteen winners have one, and so on. A change
/// costs a comparison with the winner of the group as a rule, and a few dozen if the winner itself
/// falls back; nothing moves. Changes can also be marked only, and be looked at together later.
struct Tournament: Sendable {
  private static let groupBits = 4
  private static let none = UInt32.max

  /// The winner of each group; the last level has one.
  private var levels: ContiguousArray<PagedArray<UInt32>> = []
  /// The groups of places that were marked, a bit each.
  private var marked = PagedArray<UInt64>()

  /// The first of all places that are taken.
  var winner: Int? {
    guard let top = levels.last, top[0] != Self.none else { return nil }
    return Int(top[0])
  }

  /// Marks a place that was taken, given back, or moved in the order.
  ///
  /// The winner is known again after ``settle(_:)``.
  mutating func touch(_ place: Int) {
    let group = place >> Self.groupBits
    while marked.count <= group >> 6 { marked.append(0) }
    marked[group >> 6] |= 1 &<< UInt64(group & 63)
  }

  /// Finds the winner again after places were marked.
  mutating func settle(_ order: some TournamentOrder) {
    var groups = takeMarkedGroups()
    guard let last = groups.last else { return }
    grow(toHold: last << Self.groupBits)
    for level in levels.indices {
      var above: [Int] = []
      for group in groups {
        levels[level][group] = winner(ofGroup: group, level, order)
        let next = group >> Self.groupBits
        if above.last != next { above.append(next) }
      }
      groups = above
    }
  }

  /// The marked groups, in ascending order, which are marked no more.
  private mutating func takeMarkedGroups() -> [Int] {
    var groups: [Int] = []
    for index in 0..<marked.count where marked[index] != 0 {
      var bits = marked[index]
      marked[index] = 0
      while bits != 0 {
        groups.append(index << 6 | bits.trailingZeroBitCount)
        bits &= bits - 1
      }
    }
    return groups
  }

  /// Takes note of a place that was taken, given back, or moved in the order; none is marked.
  ///
  /// - Parameters:
  ///   - place: The place.
  ///   - rose: Whether it surely comes no later than before.
  ///   - order: What the places hold now.
  mutating func update(_ place: Int, rose: Bool, _ order: some TournamentOrder) {
    grow(toHold: place)
    var index = place
    var contender: UInt32? = order.isTaken(place) ? UInt32(place) : nil
    for level in levels.indices {
      index >>= Self.groupBits
      let old = levels[level][index]
      if old == UInt32(place) {
        if rose, contender == old { continue }
        let new = winner(ofGroup: index, level, order)
        levels[level][index] = new
        contender = new == Self.none ? nil : new
      } else {
        // It was not the first here: it matters only if it is now.
        guard let candidate = contender, candidate == UInt32(place) else { return }
        guard old == Self.none || order.isBefore(place, Int(old)) else { return }
        levels[level][index] = candidate
      }
    }
  }

  /// Finds the first of a group's places, or of the winners below it.
  private func winner(
    ofGroup group: Int, _ level: Int, _ order: some TournamentOrder
  ) -> UInt32 {
    var best = Self.none
    let first = group << Self.groupBits
    if level == 0 {
      for place in first..<first + 1 << Self.groupBits where order.isTaken(place) {
        if best == Self.none || order.isBefore(place, Int(best)) { best = UInt32(place) }
      }
    } else {
      let end = min(first + 1 << Self.groupBits, levels[level - 1].count)
      for below in first..<end {
        let place = levels[level - 1][below]
        guard place != Self.none else { continue }
        if best == Self.none || order.isBefore(Int(place), Int(best)) { best = place }
      }
    }
    return best
  }

  private mutating func grow(toHold place: Int) {
    var groups = place >> Self.groupBits
    var level = 0
    repeat {
      if level == levels.count {
        levels.append(PagedArray())
        // A new top begins with the winner that was the only one so far.
        levels[level].append(level == 0 ? Self.none : levels[level - 1][0])
      }
      while levels[level].count <= groups { levels[level].append(Self.none) }
      if level == levels.count - 1, levels[level].count == 1 { return }
      groups >>= Self.groupBits
      level += 1
    } while true
  }
}

/// The first of many places in an order, kept at hand for as long as it is asked for.
///
/// Sessions change their rank with every step of their lives, and where identifiers find those that
/// prefer them, the first of all is never asked for. So after some changes without a question a
/// change only marks what it may have changed.
struct LazyLeader: Sendable {
  /// For how many changes the first one stays known after a question.
  static let attentionSpan = 64

  private var tournament = Tournament()
  private var attention = 0

  /// Takes note of a place that was taken, given back, or moved in the order.
  ///
  /// - Parameters:
  ///   - place: The place.
  ///   - rose: Whether it surely comes no later than before.
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
