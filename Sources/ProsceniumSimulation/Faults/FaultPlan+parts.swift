// SPDX-License-Identifier: Apache-2.0

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
