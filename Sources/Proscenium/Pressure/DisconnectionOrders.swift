// SPDX-License-Identifier: Apache-2.0

/// Makes a ``DisconnectionOrder``: ``recommended``, one of the others, or one of the program's own.
///
/// Per connected scene they take up to 18 bytes, and what is kept of sessions without a scene
/// takes at most 32 bytes for each of the order's ``DisconnectionOrder/capacity``, of which up to
/// 16,777,216 are counted.
public struct DisconnectionOrders: Sendable, CustomStringConvertible {
  /// The name for people, such as `LRU`.
  public let name: String

  private let make: @Sendable (_ capacity: Int, _ seed: UInt64) -> any DisconnectionOrder

  /// Makes orders of the program's own kind.
  ///
  /// - Parameters:
  ///   - name: The name for people.
  ///   - make: Makes an empty order for a capacity, 1 or more, with a seed of whatever it draws.
  public init(
    name: String,
    make: @escaping @Sendable (_ capacity: Int, _ seed: UInt64) -> any DisconnectionOrder
  ) {
    self.name = name
    self.make = make
  }

  /// Makes an order without scenes.
  ///
  /// - Parameters:
  ///   - capacity: How many scenes are expected to be connected at a time; below 1 counts as 1.
  ///   - seed: The seed of what an order draws; secret where strangers choose the sessions.
  /// - Returns: The order.
  public func makeOrder(capacity: Int, seed: UInt64) -> any DisconnectionOrder {
    make(max(capacity, 1), seed)
  }

  /// The name.
  public var description: String { name }

  /// The one that was best over recorded and generated traces: ``windowTinyLFU``.
  public static let recommended = windowTinyLFU

  /// First goes the scene that was not used for the longest time.
  ///
  /// The rule that everybody expects. Many sessions that are used once, as by robots, push out
  /// those that are used every day.
  public static let leastRecentlyUsed = DisconnectionOrders(name: "LRU") { capacity, _ in
    LeastRecentlyUsedOrder(capacity: capacity)
  }

  /// First go scenes of sessions that are used seldom, and of those the least recently used.
  ///
  /// It remembers roughly how often sessions were used of late, connected or not (W-TinyLFU). How
  /// much recent use counts against frequent use it learns from how often sessions come back.
  public static let windowTinyLFU = DisconnectionOrders(name: "W-TinyLFU") { capacity, seed in
    WindowTinyLFUOrder(capacity: capacity, seed: seed)
  }

  /// First go scenes that were used once only, and after them the least recently used.
  package static let segmentedLRU = DisconnectionOrders(name: "segmented LRU") { capacity, _ in
    SegmentedLRUOrder(capacity: capacity)
  }

  /// First goes the oldest scene that was not used since it was last passed over.
  package static let sieve = DisconnectionOrders(name: "SIEVE") { capacity, _ in
    SieveOrder(capacity: capacity)
  }

  /// First go new scenes, unless they are used twice or their session has just been here (S3-FIFO).
  package static let smallFirst = DisconnectionOrders(name: "S3-FIFO") { capacity, _ in
    SmallFirstOrder(capacity: capacity)
  }

  /// Every kind that the runtime has, for comparisons.
  package static let all = [leastRecentlyUsed, segmentedLRU, sieve, smallFirst, windowTinyLFU]
}
