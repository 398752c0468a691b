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
