// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import Foundation
  import Proscenium
  import ProsceniumCluster
  import ProsceniumPredicate
  import ProsceniumPrimitives

  /// What it costs to look for the nodes that show some content, among the terms of seven others.
  struct ContentDecisions {
    /// How many terms each of the others has.
    let count: Int

    private static let nodes: ClosedRange<Int32> = 2...8
    private static let looks = 500_000

    private final class Own: Sendable {
      let terms = Guarded(OwnTerms())
    }

    /// The terms of the other nodes: each session prefers a text of its own, and on each node some
    /// prefer beginnings of so many lengths.
    private func terms(lengths: Int) throws -> ContentTerms {
      var terms = ContentTerms()
      for node in Self.nodes {
        let own = Own()
        let router = ContentRouter(
          observer: { term, _ in own.terms.withLock { $0.enter(term) } },
          identifier: { SessionIdentifier(high: 0, low: UInt64($0.rawValue)) })
        for number in 0..<count {
          let predicate =
            number < lengths
            ? try ContentPredicate.hasPrefix("beginning".padded(to: 10 + number) + "\(node)/")
            : try ContentPredicate.equals(identifier(node, number))
          router.insert(
            SessionHandle(rawValue: UInt32(number)), role: 0,
            SessionRank(.archived, lastActivated: 0),
            SceneActivationConditions(can: .false, prefers: predicate))
        }
        for delta in own.terms.withLock({ $0.all }) { _ = try terms.take(delta, from: node) }
      }
      return terms
    }

    private func identifier(_ node: Int32, _ number: Int) -> String {
      "https://example.org/documents/\(node)/\(number)"
    }

    /// Looks for content by both rules, and returns nanoseconds a decision, and how often a node
    /// was named that has none.
    private func time(_ terms: ContentTerms) -> (time: Double, falseHits: Int) {
      var random = SplitMix64(seed: 1)
      let identifiers = (0..<Self.looks).map { number -> (text: String, node: Int32?) in
        // One half is shown, the other is not.
        let node = Self.nodes.lowerBound + Int32(random.number(below: Self.nodes.count))
        let isShown = number % 2 == 0
        let place = isShown ? 64 + random.number(below: max(1, count - 64)) : count + number
        return (identifier(node, place), isShown ? node : nil)
      }
      var falseHits = 0
      let begin = LinkTraffic.now
      for (text, node) in identifiers {
        let hits = terms.look(for: text, .prefers)
        if hits.nodes.isEmpty { _ = terms.look(for: text, .can) }
        if hits.nodes.count != (node == nil ? 0 : 1) { falseHits += 1 }
      }
      return (Double(LinkTraffic.now - begin) / Double(Self.looks), falseHits)
    }

    /// Lines with what was measured.
    func lines() throws -> [String] {
      try [0, 4, 16].map { lengths in
        let terms = try terms(lengths: lengths)
        let (time, falseHits) = time(terms)
        return String(
          format: "%d terms of 7 nodes, %2d lengths of beginnings: %5.0f ns a decision, "
            + "%4.1f bytes a term, %d of %d looks named a node that has none",
          terms.count, lengths, time, Double(terms.size) / Double(terms.count), falseHits,
          Self.looks)
      }
    }
  }
#endif
