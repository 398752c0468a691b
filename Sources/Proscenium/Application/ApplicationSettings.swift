// SPDX-License-Identifier: Apache-2.0

public import CoreMetrics

/// How an application runs: sizes, limits and everything that could be random.
///
/// Values outside their range are brought to the nearest one inside.
public struct ApplicationSettings: Sendable {
  /// What a launch connects (R-LCH-3).
  public enum Launch: Sendable, Hashable {
    /// Nothing: sessions connect as they are needed. The default, and what servers want.
    case background
    /// The most recently active session, or a new one if there is none, comes to the foreground.
    case icon
    /// Every stored session connects in the background.
    case connectAll
  }

  /// What a launch connects.
  public var launch = Launch.background

  /// How many shards there are: 1 to 256, rounded up to a power of two.
  ///
  /// More shards cost memory, fewer make callers wait for one another.
  public var shards = 64

  /// How many scenes of one group may be in the foreground: 1 or more, or `nil` for no limit
  /// (R-ACTV-2).
  ///
  /// With a limit, a group's sessions share one shard.
  public var foregroundCapacity: Int?

  /// How many sessions may be open, or `nil` for no limit of the host's.
  public var sessionQuota: Int?

  /// How many messages and events one shard holds before a sender helps or is refused: 1 or more.
  public var eventLimit = 1024

  /// How many requests that make new work may be unfinished before one is refused with
  /// ``SceneError/Code/systemBusy``: 1 or more.
  public var requestLimit = 65_536

  /// How many different activation conditions without a text to be found by, such as
  /// `SELF != "a"`, there may be before it is logged, once: 0 or more.
  ///
  /// Each of them is evaluated for every identifier that is routed. None is ever refused.
  public var residualPredicateLimit = 1_024

  /// Where the executors come from: the first lease is the application's, then one a shard.
  public var makeExecutor: @Sendable () -> ExecutorLease = { .pool() }

  /// The executor on which ``Application/run()`` and its child tasks run, or `nil` for the pool.
  public var taskExecutor: (any TaskExecutor)?

  /// The clock that times ``LifecycleEvent``.
  public var clock: any Clock<Duration> = ContinuousClock()

  /// Where the identifiers of new sessions come from.
  public var identifiers = SessionIdentifierSource.random

  /// Where the application's metrics go; the process's own unless set.
  ///
  /// `proscenium_residual_predicates` is a gauge: how many different activation conditions have to
  /// be evaluated for every identifier, see ``residualPredicateLimit``.
  public var metrics: any MetricsFactory = MetricsSystem.factory

  // Called with the gate held, for each decision, in the total order.
  package var onAdmission: (@Sendable (AdmissionRecord) -> Void)?

  /// Creates settings in which everything has its default value.
  public init() {}

  /// The settings with every limit inside its range.
  var inRange: ApplicationSettings {
    var settings = self
    settings.eventLimit = max(eventLimit, 1)
    settings.requestLimit = max(requestLimit, 1)
    return settings
  }

  var shardBits: Int {
    let count = min(max(shards, 1), 256)
    return count == 1 ? 0 : Int.bitWidth - (count - 1).leadingZeroBitCount
  }
}
