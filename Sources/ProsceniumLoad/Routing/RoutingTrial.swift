// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// The decisions of a router about the identifiers of a workload, each compared with the session
/// that is known to be right.
public struct RoutingTrial: Sendable {
  private let router: ContentRouter
  private let workload: RoutingWorkload

  /// Makes a router with the sessions of a workload.
  public init(_ workload: RoutingWorkload) {
    self.init(workload, router: workload.makeRouter())
  }

  init(_ workload: RoutingWorkload, router: ContentRouter) {
    self.workload = workload
    self.router = router
  }

  /// Decides about lookups one after another.
  ///
  /// - Parameter lookups: Positions among the workload's lookups.
  /// - Returns: How many decisions were wrong.
  /// - Throws: What the router throws; nothing is expected.
  public func countWrong(_ lookups: Range<Int>) throws -> Int {
    var wrong = 0
    for index in lookups {
      let choice = try router.choose(workload.lookups[index])
      if !workload.isRight(choice, index) { wrong += 1 }
    }
    return wrong
  }

  /// Decides about lookups in one call.
  ///
  /// - Parameter lookups: Positions among the workload's lookups.
  /// - Returns: How many decisions were wrong.
  /// - Throws: What the router throws; nothing is expected.
  public func countWrongInBatch(_ lookups: Range<Int>) throws -> Int {
    let choices = try router.choose(all: workload.lookups[lookups])
    var wrong = lookups.count - choices.count
    for (index, choice) in zip(lookups, choices) where !workload.isRight(choice, index) {
      wrong += 1
    }
    return wrong
  }

  /// Changes the conditions of sessions to what they are already, again and again, as a writer does
  /// beside which others decide.
  ///
  /// - Parameter sessions: The positions of the sessions.
  public func change(_ sessions: Range<Int>) {
    for index in sessions {
      router.setConditions(
        SessionHandle(rawValue: UInt32(index)), workload.conditions[index])
    }
  }
}
