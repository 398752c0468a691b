// SPDX-License-Identifier: Apache-2.0

/// When the runtime disconnects scenes by itself, and which of them first.
///
/// Without a limit it does nothing. A scene that is spared is never disconnected by it: one in the
/// foreground, unless ``takesForeground`` says otherwise; one with an event on its way or with an
/// extended restoration; one that asked for it (``Scene/keepsConnected``,
/// ``Scene/delayDisconnection(for:)``). Each of the others is disconnected as the host would do it:
/// it is captured before if it was marked, and its session stays (R-DIS-1, R-DIS-3).
///
/// Values outside their range are brought to the nearest one inside.
public struct DisconnectionPolicy: Sendable {
  /// Which scenes go first, where not all have to; each shard has an order of its own.
  public var order = Order.recommended

  /// How long a scene may be without a use before it is disconnected, or `nil` for ever: 1 ms or
  /// more.
  ///
  /// It goes no earlier, and as a rule no later than two looks after (``interval``). A use is a
  /// message, a call, an event, an activation, and entering the background.
  public var idleTime: Duration?

  /// How many scenes may be connected, or `nil` for no limit: 0 or more.
  ///
  /// It is looked at after each pass of a shard in which a scene was connected. One too many, and
  /// so many go that a sixty-fourth of the limit is free again. What the shards have in hand just
  /// then comes on top.
  public var sceneLimit: Int?

  /// How many bytes of memory may be used, or `nil` for what ``memory`` says: 1 or more.
  public var memoryLimit: Int?

  /// How much memory is used; unless set, the sum of what scenes declare
  /// (``Scene/memoryCost``).
  public var memory = MemoryPressureSource.declared

  /// Which share of the bytes may be used before scenes are disconnected: 0 to 1.
  public var limitShare = 0.80

  /// Down to which share of the bytes scenes are disconnected then: 0 to ``limitShare``.
  public var targetShare = 0.75

  /// How many bytes a scene is taken for that declares none: 1 to 68,719,476,736.
  public var memoryCost = 65_536

  /// How often the memory, and who is idle, is looked at: 1 ms to a day.
  ///
  /// Where nothing but ``idleTime`` is set, it is looked at eight times in that time only.
  public var interval = Duration.milliseconds(100)

  /// Whether scenes in the foreground go too, after they were sent to the background (R-DIS-1).
  public var takesForeground = false

  /// Gives memory back to the system that the program's allocator keeps; called when scenes have
  /// gone for want of it, before it is measured again.
  ///
  /// It is called on the executor of the application's tasks or of ``Application/settle()``, and
  /// must not take long.
  public var releaseMemory: (@Sendable () -> Void)?

  /// The seed of what the orders draw; secret where strangers choose the sessions.
  public var seed: UInt64 = 0

  /// Creates a policy that does nothing until a limit is set.
  public init() {}

  /// The policy with every value inside its range.
  var inRange: DisconnectionPolicy {
    var policy = self
    policy.idleTime = idleTime.map { min(max($0, .milliseconds(1)), .seconds(1 << 32)) }
    policy.sceneLimit = sceneLimit.map { min(max($0, 0), 1 << 48) }
    policy.memoryLimit = memoryLimit.map { max($0, 1) }
    policy.limitShare = Self.share(limitShare, atMost: 1)
    policy.targetShare = Self.share(targetShare, atMost: policy.limitShare)
    policy.memoryCost = min(max(memoryCost, 1), 1 << 36)
    policy.interval = min(max(interval, .milliseconds(1)), .seconds(86_400))
    return policy
  }

  private static func share(_ share: Double, atMost most: Double) -> Double {
    // What is no number is none of the two either.
    share >= 0 ? min(share, most) : 0
  }

  /// How often the policy has to be looked at.
  var period: Duration {
    guard let idleTime else { return interval }
    let isIdleAlone = memoryLimit == nil && memory.isDeclared && sceneLimit == nil
    return isIdleAlone ? max(interval, idleTime / 8) : interval
  }
}

extension DisconnectionPolicy {
  /// Which ``DisconnectionOrder`` a policy has: ``recommended``, another one, or one of the
  /// program's own.
  ///
  /// Per connected scene they take up to 18 bytes, and what is kept of sessions without a scene
  /// takes at most 32 bytes for each of the order's ``DisconnectionOrder/capacity``, of which up to
  /// 16,777,216 are counted.
  public struct Order: Sendable, CustomStringConvertible {
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
    public static let leastRecentlyUsed = Order(name: "LRU") { capacity, _ in
      LeastRecentlyUsedOrder(capacity: capacity)
    }

    /// First go new scenes, unless they are used twice or their session has just been here
    /// (S3-FIFO).
    ///
    /// Scenes that are not new go in the order of their arrival, each use giving one more round.
    public static let smallFirst = Order(name: "S3-FIFO") { capacity, _ in
      SmallFirstOrder(capacity: capacity)
    }

    /// Every kind that the runtime has, for comparisons.
    package static let all = [leastRecentlyUsed, smallFirst]
  }
}
