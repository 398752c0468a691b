// SPDX-License-Identifier: Apache-2.0

/// The FIFO of a shard, in parts: one pass runs one part.
///
/// What comes in joins the last part; a part that is full is followed by a new one. So a pass is
/// as short as its part, however much is queued, and no item is moved when parts are taken.
struct ShardQueue: Sendable {
  /// How many items one pass runs at most.
  ///
  /// By default a shard has as many undelivered messages at most: passes are cut short where
  /// requests have come in by the thousand.
  static let passLimit = 1_024

  /// How often something was taken out.
  private(set) var takes = 0
  private let limit: Int
  /// Parts that are full, in their order.
  private var full: [[ShardItem]] = []
  /// The last part, which is not full.
  private var last: [ShardItem] = []

  init(passLimit: Int = ShardQueue.passLimit) {
    limit = passLimit
  }

  var isEmpty: Bool { last.isEmpty && full.isEmpty }

  var count: Int { full.reduce(last.count) { $0 + $1.count } }

  /// How many passes it takes until everything has run that is queued now.
  var passes: Int { full.count + (last.isEmpty ? 0 : 1) }

  /// What is queued, in its order.
  var items: some Sequence<ShardItem> { (full + [last]).joined() }

  @inline(__always)
  mutating func append(_ item: consuming ShardItem) {
    last.append(item)
    if last.count >= limit { endPart() }
  }

  private mutating func endPart() {
    full.append(last)
    last = []
    last.reserveCapacity(limit)
  }

  /// Moves the first part into an empty batch.
  ///
  /// - Parameter batch: What receives it; its memory is for items that come in later.
  /// - Returns: How many passes are left.
  mutating func take(into batch: inout [ShardItem]) -> Int {
    if !isEmpty { takes &+= 1 }
    if full.isEmpty {
      swap(&last, &batch)
    } else {
      batch = full.removeFirst()
    }
    return passes
  }

  /// Takes out what is not to run.
  mutating func removeAll(where isOut: (ShardItem) -> Bool) {
    for index in full.indices { full[index].removeAll(where: isOut) }
    full.removeAll(where: \.isEmpty)
    last.removeAll(where: isOut)
  }
}
