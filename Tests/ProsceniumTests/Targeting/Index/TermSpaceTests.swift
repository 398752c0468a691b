// SPDX-License-Identifier: Apache-2.0

import ProsceniumPredicate
import ProsceniumPrimitives
import Testing

@testable import Proscenium

/// The terms that an identifier has, against a comparison with all of them.
@Suite struct TermSpaceTests {
  private static let identifier: SessionSet.Identifiers = {
    SessionIdentifier(high: 0, low: UInt64($0.rawValue))
  }

  /// Terms that come and go at random, each with a session of its own.
  private struct Walk {
    var space = TermSpace<SessionSet>()
    let letterCount: UInt8
    var random: SplitMix64
    var terms: [RoutingTerm: Term<SessionSet>] = [:]
    var nextKey: UInt64 = 1

    init(letterCount: UInt8, seed: UInt64) {
      self.letterCount = letterCount
      random = SplitMix64(seed: seed)
    }

    mutating func text(_ lengths: ClosedRange<Int>) -> ContiguousArray<UInt8> {
      ContiguousArray(
        (0..<Int.random(in: lengths, using: &random)).map { _ in
          UInt8.random(in: 0..<letterCount, using: &random)
        })
    }

    mutating func insert() {
      let position = RoutingTerm.Position(rawValue: UInt8.random(in: 0..<4, using: &random))
      let key = RoutingTerm(
        position ?? .whole, [], text(Bool.random(using: &random) ? 1...4 : 5...40))
      guard space.find(key) == nil else { return }
      let term = Term(key, SessionSet())
      // The later ones are worse or better, so that each term matters for some identifier.
      let rank = UInt64.random(in: 0..<1_000, using: &random)
      _ = term.content.insert(
        Ranked(handle: UInt32(nextKey), key: rank << 32 | nextKey), TermSpaceTests.identifier)
      nextKey += 1
      space.insert(term)
      terms[key] = term
    }

    mutating func remove() {
      let order = terms.values.sorted {
        ($0.content.best?.handle ?? 0) < ($1.content.best?.handle ?? 0)
      }
      guard let term = order.randomElement(using: &random) else { return }
      space.remove(term)
      terms[term.key] = nil
    }

    /// A description of a difference, or nil.
    mutating func check() -> String? {
      let subject = text(0...60)
      let matching = terms.values.filter { Self.matches($0.key, subject) }
      let right = matching.compactMap(\.content.best).max { $0.key < $1.key }
      var search = Search(TermSpaceTests.identifier)
      space.look(for: subject.span) {
        search.wins($0.content.best)
      } _: {
        search.consider($0.content.best)
      }
      if search.best != right {
        return "\(subject) finds another term than \(String(describing: right))"
      }
      for (key, term) in terms {
        guard space.find(key) === term else { return "\(key) is not found" }
        if term.matches(subject.span) != Self.matches(key, subject) { return "\(key): \(subject)" }
      }
      return nil
    }

    private static func matches(_ key: RoutingTerm, _ subject: ContiguousArray<UInt8>) -> Bool {
      switch key.position {
      case .whole: subject == key.text
      case .beginning: subject.starts(with: key.text)
      case .ending: subject.reversed().starts(with: key.text.reversed())
      case .anywhere: subject.indices.contains { subject[$0...].starts(with: key.text) }
      }
    }
  }

  @Test(arguments: [1, 2, 3, 200] as [UInt8])
  func `every term of an identifier is found, whatever came and went`(
    _ letterCount: UInt8
  ) throws {
    for seed in UInt64(1)...6 {
      var walk = Walk(letterCount: letterCount, seed: seed)
      for step in 0..<400 {
        let isGrowing = step % 150 < 90
        if Int.random(in: 0..<4, using: &walk.random) == 0 ? !isGrowing : isGrowing {
          walk.insert()
        } else {
          walk.remove()
        }
        let difference = walk.check()
        try #require(difference == nil, "seed \(seed), step \(step): \(difference ?? "")")
      }
    }
  }

  @Test(arguments: 1...20)
  func `a text is found at every place of another, and only there`(_ byteCount: Int) {
    var space = TermSpace<SessionSet>()
    let text = (0..<byteCount).map { UInt8($0 + 1) }
    let term = Term(RoutingTerm(.anywhere, [], ContiguousArray(text)), SessionSet())
    _ = term.content.insert(Ranked(handle: 3, key: 1), Self.identifier)
    space.insert(term)
    func finds(_ text: [UInt8]) -> Bool {
      var search = Search(Self.identifier)
      space.look(for: text.span) {
        search.wins($0.content.best)
      } _: {
        search.consider($0.content.best)
      }
      return search.best?.handle == 3
    }
    let zeros = [UInt8](repeating: 0, count: 9)
    for before in 0...9 {
      for after in 0...9 {
        let (before, after) = (Array(zeros.prefix(before)), Array(zeros.prefix(after)))
        #expect(finds(before + text + after))
        #expect(!finds(before + text.dropLast() + after))
      }
    }
  }
}
