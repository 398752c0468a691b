// SPDX-License-Identifier: Apache-2.0

#if Cluster
  /// What a node has received from another one: each item is taken once, in the order of its slice,
  /// over all connections.
  package struct LinkInbox: Sendable {
    /// How many refusals are remembered until the sender has confirmed them.
    package static let limit = 1 << 18

    private var last: UInt64 = 0
    /// The last item whose answer the sender has.
    private var confirmed: UInt64 = 0
    private var refused: [LinkAnswer.Refused] = []
    /// How many of these the sender was told on this connection.
    private var toldCount = 0
    /// The last item that the sender was told of on this connection, if it was told anything.
    private var toldLast: UInt64?
    /// Slices of which an item was refused: nothing more of them is taken until the sender begins
    /// with it again.
    private var refusing: Set<Int> = []

    package init() {}

    // MARK: - Items

    /// Begins with items.
    ///
    /// - Parameters:
    ///   - first: The number of the first one.
    ///   - count: How many there are.
    ///   - confirmed: The number of the last one whose answer the sender has.
    /// - Returns: How many of them were received before.
    /// - Throws: `LinkFault` for numbers that cannot be, and for a sender that never confirms.
    package mutating func begin(
      first: UInt64, count: Int, confirmed: UInt64
    ) throws(LinkFault) -> Int {
      guard first >= 1, first - 1 <= last else {
        throw LinkFault("expected items from number \(last + 1) on at most, found \(first)")
      }
      guard confirmed < first, confirmed >= self.confirmed else {
        throw LinkFault(
          "expected a confirmed number from \(self.confirmed) to \(first - 1), found \(confirmed)")
      }
      let known = refused.prefix { $0.number <= confirmed }.count
      guard refused.count - known + count <= Self.limit else {
        throw LinkFault("expected at most \(Self.limit) items that are not confirmed")
      }
      self.confirmed = confirmed
      refused.removeFirst(known)
      toldCount = max(0, toldCount - known)
      return min(count, Int(last - (first - 1)))
    }

    /// Receives the next item, which is one of a slice.
    ///
    /// - Parameters:
    ///   - slice: The slice.
    ///   - restarts: Whether the sender begins with the slice again.
    ///   - refusal: Why it cannot be taken, if that is so.
    /// - Returns: Why it is not taken, or `nil`.
    package mutating func receive(
      of slice: Int, restarts: Bool, refusal: LinkRefusal?
    ) -> LinkRefusal? {
      last += 1
      var refusal = refusal
      if restarts { refusing.remove(slice) }
      if refusing.contains(slice) { refusal = .outOfTurn }
      guard let refusal else { return nil }
      if refusal.isForNow { refusing.insert(slice) }
      refused.append(.init(last, refusal))
      return refusal
    }

    /// Receives the next items, which are for the node itself, or of slices that are taken.
    package mutating func receive(_ count: Int = 1) {
      last += UInt64(count)
    }

    /// Whether nothing more is taken of some slices until the sender begins with them again.
    package var isRefusing: Bool { !refusing.isEmpty }

    /// Whether the sender waits for a slice and is to be told that it is served now.
    package func isAwaited(_ slice: Int) -> Bool { refusing.contains(slice) }

    /// The slices for which the sender waits.
    package var awaited: [Int] { refusing.sorted() }

    // MARK: - Answers

    /// Begins with a new connection: the sender is to be told everything again.
    package mutating func connect() {
      (toldCount, toldLast) = (0, nil)
    }

    /// What the sender has not been told yet on the connection, or `nil`.
    package mutating func answer() -> LinkAnswer? {
      if toldLast == last { return nil }
      defer { (toldCount, toldLast) = (refused.count, last) }
      return LinkAnswer(last: last, refused: Array(refused[toldCount...]))
    }
  }
#endif
