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

  /// The one that was best over recorded and generated traces: ``smallFirst``.
  public static let recommended = smallFirst

  /// First goes the scene that was not used for the longest time.
  ///
  /// The rule that everybody expects, and the best one where a session is used for a while and
  /// never again. Many sessions that are used once, as by robots, push out those that are used
  /// every day.
  public static let leastRecentlyUsed = DisconnectionOrders(name: "LRU") { capacity, _ in
    LeastRecentlyUsedOrder(capacity: capacity)
  }

  /// First go new scenes, unless they are used twice or their session has just been here (S3-FIFO).
  ///
  /// Scenes that are not new go in the order of their arrival, each use giving one more round.
  public static let smallFirst = DisconnectionOrders(name: "S3-FIFO") { capacity, _ in
    SmallFirstOrder(capacity: capacity)
  }

  /// Every kind that the runtime has, for comparisons.
  package static let all = [leastRecentlyUsed, smallFirst]
}
