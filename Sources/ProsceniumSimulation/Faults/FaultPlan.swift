// SPDX-License-Identifier: Apache-2.0

/// What is to go wrong, how often and when: nothing, unless it is set.
///
/// A plan alone does nothing. A ``FaultInjector`` carries it out, and only on what the program
/// gives to it. Moments are counted from the beginning of the injection. Values outside their range
/// are brought to the nearest one inside; a list keeps its first elements.
public struct FaultPlan: Sendable, Hashable {
  /// What decides everything that is left open: 0 to 2⁶³ - 1.
  public var seed: UInt64 = 0

  /// How often scenes lose their memory, as by ``ApplicationHost/disconnect(_:)``; one in the
  /// foreground is sent to the background first (R-DIS-1).
  public var disconnects = Strikes()

  /// How often sessions end for good, as by a destruction request (R-DST-1).
  public var discards = Strikes()

  /// The faults of scene delegates.
  public var delegates = Delegates()

  /// What goes wrong in the store.
  public var store = Store()

  /// When ``ApplicationSettings/clock`` jumps, and how far: forward only, as after the sleep of a
  /// machine; up to ``momentLimit``.
  public var clockJumps: [Jump] = []

  /// When ``ApplicationSettings/wallClock`` is set, and how far, forward or back; up to
  /// ``momentLimit``.
  public var wallClockJumps: [Jump] = []

  /// What happens to requests on their way to the application.
  public var requests = Requests()

  /// When the process is killed, by the function that the program gives; up to ``momentLimit``.
  public var kills: [Duration] = []

  /// Creates a plan in which nothing goes wrong.
  ///
  /// - Parameter seed: What decides everything that is left open.
  public init(seed: UInt64 = 0) {
    self.seed = seed
  }

  /// How many moments or jumps one list can have.
  public static let momentLimit = 1_000

  /// How many times a second something can strike.
  public static let rateLimit = 1_000_000.0

  /// The last moment that a plan can have: 30 days after the beginning.
  public static let lastMoment = Duration.seconds(30 * 86_400)

  /// How long a fault can take: an hour.
  public static let longestTime = Duration.seconds(3_600)

  /// How far a clock can jump at once: ten years of 365 days.
  public static let farthestJump = Duration.seconds(10 * 365 * 86_400)
}

extension FaultPlan {
  /// How often something strikes one session that is drawn.
  public struct Strikes: Sendable, Hashable {
    /// How many times a second: 0 to 1,000,000.
    public var perSecond = 0.0

    /// Further moments at which it strikes: up to 1,000 moments of up to 30 days.
    public var moments: [Duration] = []

    /// Creates strikes.
    ///
    /// - Parameters:
    ///   - perSecond: How many times a second.
    ///   - moments: Further moments.
    public init(perSecond: Double = 0, moments: [Duration] = []) {
      self.perSecond = perSecond
      self.moments = moments
    }
  }

  /// Something that takes time, some times of a thousand.
  public struct Delay: Sendable, Hashable {
    /// How many times of a thousand: 0 to 1,000.
    public var perThousand: Int

    /// The shortest and the longest time that it takes: zero to an hour, drawn in steps of a
    /// thousandth of their difference.
    public var time: ClosedRange<Duration>

    /// Creates a delay.
    ///
    /// - Parameters:
    ///   - perThousand: How many times of a thousand.
    ///   - time: The shortest and the longest time.
    public init(perThousand: Int = 0, time: ClosedRange<Duration> = .zero ... .zero) {
      self.perThousand = perThousand
      self.time = time
    }
  }

  /// The faults of scene delegates, before the callback reaches them.
  public struct Delegates: Sendable, Hashable {
    /// Callbacks that keep a processor busy.
    public var hogs = Delay()

    /// Callbacks that block the thread without using it.
    public var hangs = Delay()

    /// Creates delegates without faults.
    public init() {}
  }

  /// What goes wrong in the store.
  ///
  /// A commit that is struck by several has the first of them: torn, full, failed. All of them
  /// leave commits whole, as every store has to.
  public struct Store: Sendable, Hashable {
    /// How many of a thousand commits fail with `failed`, and nothing is written: 0 to 1,000.
    public var failedPerThousand = 0

    /// How many of a thousand commits find no room and fail with `full`: 0 to 1,000.
    public var fullPerThousand = 0

    /// Commits that take longer, before or after the write.
    public var delays = Delay()

    /// How many of a thousand commits are under way when the power is lost: all or nothing of them
    /// is written, and they fail either way: 0 to 1,000.
    public var tornPerThousand = 0

    /// When the power is lost: up to 1,000 moments of up to 30 days.
    public var powerLosses: [Duration] = []

    /// Creates a store in which nothing goes wrong.
    public init() {}
  }

  /// A moment in which a clock jumps.
  public struct Jump: Sendable, Hashable {
    /// When: zero to 30 days.
    public var moment: Duration

    /// How far: up to ten years, forward or, of the wall clock, back.
    public var distance: Duration

    /// Creates a jump.
    ///
    /// - Parameters:
    ///   - moment: When.
    ///   - distance: How far.
    public init(at moment: Duration, by distance: Duration) {
      self.moment = moment
      self.distance = distance
    }
  }

  /// What happens to requests on their way to the application.
  public struct Requests: Sendable, Hashable {
    /// How many of a thousand are made twice: 0 to 1,000.
    public var duplicatedPerThousand = 0

    /// Requests that arrive later, so that others overtake them.
    public var delays = Delay()

    /// Creates requests to which nothing happens.
    public init() {}
  }
}
