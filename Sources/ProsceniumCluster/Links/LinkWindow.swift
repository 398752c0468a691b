// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import ProsceniumPrimitives

  /// What is on its way from a node to another one: every item has a number, and stays until it was
  /// answered.
  package struct LinkWindow<Item: Sendable>: Sendable {
    /// An item on its way.
    package struct Entry: Sendable {
      package let item: Item
      /// Its slice, or `nil` if it is for the node itself.
      package let slice: Int?
      package let size: Int
      /// Whether the sender begins with the slice again, after an item of it was refused.
      package var restarts: Bool

      package init(item: Item, slice: Int?, size: Int, restarts: Bool) {
        self.item = item
        self.slice = slice
        self.size = size
        self.restarts = restarts
      }
    }

    /// Items to be written to a connection.
    package struct Batch: Sendable {
      /// The number of the first one.
      package let first: UInt64
      /// The number of the last item whose answer is known.
      package let confirmed: UInt64
      package let entries: [Entry]

      package init(first: UInt64, confirmed: UInt64, entries: [Entry]) {
        self.first = first
        self.confirmed = confirmed
        self.entries = entries
      }
    }

    private var entries = Queue<Entry>()
    /// The number of the first entry.
    private var base: UInt64 = 1
    /// The next number to be written to the connection there is.
    private var next: UInt64 = 1
    /// The first number that was written to no connection.
    private var unwritten: UInt64 = 1
    private var isConnected = false
    package private(set) var size = 0

    package init() {}

    package var count: Int { entries.count }

    package mutating func append(_ entry: Entry) {
      entries.append(entry)
      size += entry.size
    }

    /// Takes the next items to be written, or `nil` if there are none, or no connection.
    ///
    /// - Parameters:
    ///   - count: How many there may be.
    ///   - size: How large they may be together; a larger one comes alone.
    /// - Returns: The items.
    package mutating func nextBatch(upTo count: Int, _ size: Int) -> Batch? {
      guard isConnected else { return nil }
      var batch: [Entry] = []
      var left = size
      let start = Int(next - base)
      while batch.count < count, let entry = entries[start + batch.count] {
        if !batch.isEmpty, entry.size > left { break }
        left -= entry.size
        batch.append(entry)
      }
      if batch.isEmpty { return nil }
      defer {
        next += UInt64(batch.count)
        unwritten = max(unwritten, next)
      }
      return Batch(first: next, confirmed: base - 1, entries: batch)
    }

    /// Begins with a new connection: what was not answered is written to it again.
    mutating func connect() {
      isConnected = true
      next = base
    }

    mutating func disconnect() {
      isConnected = false
    }

    /// Takes out what was answered.
    ///
    /// - Parameters:
    ///   - answer: The answer.
    ///   - body: Is given each item in order, and why it was not taken.
    /// - Throws: `LinkFault` for numbers that were not written, or refusals out of order.
    mutating func take(
      _ answer: LinkAnswer, _ body: (Entry, LinkRefusal?) -> Void
    ) throws(LinkFault) {
      guard answer.last < unwritten else {
        throw LinkFault("expected an answer up to \(unwritten - 1), found \(answer.last)")
      }
      var refused = answer.refused.drop { $0.number < base }
      guard zip(refused, refused.dropFirst()).allSatisfy({ $0.number < $1.number }),
        refused.last.map({ $0.number <= answer.last }) ?? true
      else { throw LinkFault("expected refusals in order, up to \(answer.last)") }
      while base <= answer.last, let entry = entries.popFirst() {
        size -= entry.size
        let refusal = refused.first?.number == base ? refused.removeFirst().refusal : nil
        base += 1
        body(entry, refusal)
      }
      next = max(next, base)
    }

    /// Empties the window of a node that is dead: of what was written, nothing is known.
    mutating func end() -> (unknown: [Entry], unwritten: [Entry]) {
      let all = entries.elements
      let known = min(all.count, Int(unwritten - base))
      self = LinkWindow()
      return (Array(all[..<known]), Array(all[known...]))
    }
  }

  extension LinkWindow.Entry: Equatable where Item: Equatable {}
  extension LinkWindow.Batch: Equatable where Item: Equatable {}
#endif
