// SPDX-License-Identifier: Apache-2.0

/// How fast one way of routing decided about the identifiers of one workload.
public struct RoutingResult: Sendable {
  /// How decisions are made.
  public enum Way: String, CaseIterable, Sendable {
    /// By the router, one by one.
    case router
    /// By the router, many in one call.
    case routerBatched
    /// By the router, one by one, while conditions are changed in between.
    case routerChanging
    /// By the application that has the router, one by one: it names the chosen session.
    case application
    /// By the application, many in one call.
    case applicationBatched
    /// By a hash table in C, one by one.
    case floor
    /// By a hash table in C that prefetches for many lookups at once.
    case floorPrefetching
    /// By evaluating every session's predicates.
    case scan

    /// The floor that the way is compared with, or nil if there is none.
    public var floor: Way? {
      switch self {
      case .router, .routerChanging, .application, .scan: .floor
      case .routerBatched, .applicationBatched: .floorPrefetching
      case .floor, .floorPrefetching: nil
      }
    }
  }

  /// What the sessions are like, and what is looked up.
  public let workload: String

  /// How many sessions there are.
  public let sessions: Int

  /// How decisions are made.
  public let way: Way

  /// How many threads made them at the same time.
  public let threads: Int

  /// The middle one of the rounds.
  public let measurement: Measurement

  /// How many decisions of all rounds were wrong; any is a failure.
  public let wrong: Int

  /// Nanoseconds between two decisions of one thread.
  public var nanoseconds: Double { 1e9 * Double(threads) / measurement.rate }

  /// Nanoseconds of processor time for a decision.
  ///
  /// Less than ``nanoseconds`` where threads waited, or where other programs had the processor.
  public var processorNanoseconds: Double { 1e9 * measurement.processors / measurement.rate }
}
