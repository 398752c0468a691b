// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
@testable import Proscenium

/// Finds out what a part of the index finds, through the sessions that stand at its terms.
///
/// Every term has a session of its own, and they come in an order that can be shuffled: the best of
/// those that are found is then the best of those that should be, also for the terms that matter
/// only because the others come later.
struct IndexProbe {
  let router: ContentRouter
  private let sessionCount: Int
  private var random: SplitMix64
  /// A session's number in the order; the larger one comes first.
  private(set) var ranks: [UInt64]

  init(sessionCount: Int, seed: UInt64) {
    self.sessionCount = sessionCount
    random = SplitMix64(seed: seed)
    ranks = Array(0..<UInt64(sessionCount))
    router = ContentRouter { SessionIdentifier(high: 0, low: UInt64($0.rawValue)) }
    for number in 0..<sessionCount {
      router.insert(
        SessionHandle(rawValue: UInt32(number)), role: 0,
        SessionStanding(.background, lastActivated: UInt64(number)))
    }
  }

  /// Puts the sessions in another order.
  mutating func shuffle() {
    ranks.shuffle(using: &random)
    for (number, rank) in ranks.enumerated() {
      router.setStanding(
        SessionHandle(rawValue: UInt32(number)),
        SessionStanding(.background, lastActivated: rank))
    }
  }

  /// Lets a session stand at a term.
  func enter(_ session: Int, _ term: Address<TermNode>) {
    _ = unsafe term.node.pointee.posting.insert(UInt32(session), router)
  }

  /// The first of several sessions.
  func best(of sessions: some Sequence<Int>) -> Int? {
    sessions.max { ranks[$0] < ranks[$1] }
  }

  /// The first of the sessions that a trie finds for a text.
  func best(for text: [UInt8], in trie: borrowing RadixTrie) -> Int? {
    unsafe text.withUnsafeBytes { bytes in
      var search = unsafe Search(router, bytes)
      unsafe trie.search(bytes, &search)
      return Self.session(search)
    }
  }

  /// The first of the sessions that an index of contained texts finds for a text.
  func best(for text: [UInt8], in index: borrowing SubstringIndex) -> Int? {
    unsafe text.withUnsafeBytes { bytes in
      var search = unsafe Search(router, bytes)
      unsafe index.search(bytes, &search)
      return Self.session(search)
    }
  }

  private static func session(_ search: Search) -> Int? {
    search.best == Posting.none ? nil : Int(search.best)
  }
}

extension RetiredList<UInt> {
  /// Gives the memory back, since no test reads what is retired.
  mutating func free() {
    removeAll { Address<UInt8>(bits: $0).free() }
  }
}
