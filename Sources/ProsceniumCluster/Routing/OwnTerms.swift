// SPDX-License-Identifier: Apache-2.0

#if Cluster
  package import Proscenium

  /// The terms by which the sessions of a node itself are found, and what of them the other nodes
  /// are still to be told.
  package struct OwnTerms: Sendable {
    private var table = TermTable()
    private var shapes: [SharedTerm.Shape: Int32] = [:]
    /// The slices all of whose terms are entered, and their epochs.
    private var complete: [Int: UInt32] = [:]

    private var entered: [UInt64] = []
    private var left: [UInt64] = []
    private var changed: [SharedTerm.Shape: Int32] = [:]
    private var completed: [SliceEpoch] = []
    private var gone: [Int] = []

    package init() {}

    /// How many terms there are.
    package var count: Int { table.count }

    /// Enters a term.
    package mutating func enter(_ term: SharedTerm) {
      count(term.shape, 1)
      if term.shape.isUnbounded { return }
      table.insert(term.hash, 1)
      entered.append(term.hash)
    }

    /// Takes a term out.
    package mutating func leave(_ term: SharedTerm) {
      count(term.shape, -1)
      if term.shape.isUnbounded { return }
      table.remove(term.hash, 1)
      left.append(term.hash)
    }

    /// Takes terms out that departed and are complete elsewhere.
    package mutating func leave(_ departed: ContentTerms.Departed) {
      for term in departed.terms { leave(term) }
      gone += departed.slices.filter { complete[$0] == nil }
    }

    private mutating func count(_ shape: SharedTerm.Shape, _ difference: Int32) {
      changed[shape, default: 0] += difference
      let sum = shapes[shape, default: 0] + difference
      shapes[shape] = sum == 0 ? nil : sum
    }

    /// Notes that all terms of slices are entered.
    package mutating func complete(_ slices: [SliceEpoch]) {
      for slice in slices { complete[slice.slice] = slice.epoch }
      completed += slices
    }

    /// Slices are about to be served elsewhere; returns their epochs.
    package mutating func giveUp(_ slices: some Sequence<Int>) -> [SliceEpoch] {
      slices.compactMap { slice in
        complete.removeValue(forKey: slice).map { SliceEpoch(slice: slice, epoch: $0) }
      }
    }

    /// Whether there is something to tell.
    package var hasChanged: Bool {
      !entered.isEmpty || !left.isEmpty || !changed.isEmpty || !completed.isEmpty
        || !gone.isEmpty
    }

    /// Takes what the others are to be told.
    package mutating func takeChanges() -> [TermDelta] {
      defer { (entered, left, changed, completed, gone) = ([], [], [:], [], []) }
      var deltas = Self.deltas(entered, left, changed, begins: false)
      deltas[deltas.count - 1].gone = gone
      deltas[deltas.count - 1].complete = completed.filter { complete[$0.slice] == $0.epoch }
      return deltas
    }

    /// What a node is to be told that knows nothing.
    package var all: [TermDelta] {
      var deltas = Self.deltas(Array(table.hashes), [], shapes, begins: true)
      deltas[deltas.count - 1].complete = complete.sorted { $0.key < $1.key }
        .map { SliceEpoch(slice: $0.key, epoch: $0.value) }
      return deltas
    }

    /// Spreads changes over deltas: terms come before others go.
    private static func deltas(
      _ entered: [UInt64], _ left: [UInt64], _ shapes: [SharedTerm.Shape: Int32],
      begins: Bool
    ) -> [TermDelta] {
      var first = TermDelta(begins: begins)
      first.shapes = shapes.filter { $0.value != 0 }.sorted { $0.key < $1.key }
        .map { TermDelta.Count($0.key, $0.value) }
      var deltas = [first]
      var begin = 0
      let count = entered.count + left.count
      while begin < count {
        let end = min(begin + TermDelta.limit, count)
        if begin > 0 { deltas.append(TermDelta()) }
        deltas[deltas.count - 1].entered = Array(
          entered[min(begin, entered.count)..<min(end, entered.count)])
        deltas[deltas.count - 1].left = Array(
          left[max(begin - entered.count, 0)..<max(end - entered.count, 0)])
        begin = end
      }
      return deltas
    }
  }
#endif
